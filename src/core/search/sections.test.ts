import { describe, expect, test } from 'vitest'
import type { Block, Document } from '../document/types.js'
import { createExcerpter } from './excerpt.js'
import { collectSections, maxSectionLength } from './sections.js'
import { queryTerms } from './words.js'

const span = { start: 0, end: 0 }
const words = (text: string) => [{ type: 'text' as const, text }]
const paragraph = (text: string): Block => ({ type: 'paragraph', span, children: words(text) })
const heading = (text: string): Block => ({
  type: 'heading',
  span,
  level: 1,
  anchor: text.toLowerCase(),
  children: words(text),
})
const page = (...blocks: Block[]): Document => ({ blocks })

describe('a page is split at its headings', () => {
  test('the first section represents the page, even without text', () => {
    expect(collectSections(page(), 'Home')).toEqual([{ heading: 'Home', body: '', position: 0 }])
    expect(collectSections(page(heading('A'), paragraph('x'), paragraph('y\nz')), 'Home')).toEqual([
      { heading: 'Home', body: '', position: 0 },
      { anchor: 'a', heading: 'A', body: 'x y z', position: 1 },
    ])
  })

  test('at headings in any position', () => {
    const steps: Block = {
      type: 'stepper',
      span,
      steps: [
        { span, blocks: [heading('One'), paragraph('do')] },
        { span, blocks: [heading('Two')] },
      ],
    }
    const tabs: Block = {
      type: 'tabs',
      span,
      tabs: [{ span, title: 'Linux', anchor: 'linux', blocks: [paragraph('apt')] }],
    }
    expect(
      collectSections(page(paragraph('lead'), steps, tabs), 'T').map(({ heading, body }) => [heading, body]),
    ).toEqual([
      ['T', 'lead'],
      ['One', 'do'],
      ['Two', 'Linux apt'],
    ])
  })

  test('hidden columns are omitted, like the targets of cards', () => {
    const title = (text: string) => ({ title: words(text), type: 'text' as const })
    const cards: Block = {
      type: 'table',
      span,
      view: 'cards',
      columns: [title(''), { ...title('Target'), hidden: true }, title('More')],
      rows: [
        ['First payment', 'first-payment.md', 'In minutes'].map((text) => ({ blocks: [paragraph(text)] })),
      ],
    }
    expect(collectSections(page(cards), 'T')).toEqual([
      { heading: 'T', body: 'More First payment In minutes', position: 0 },
    ])
  })

  test('conditional content is omitted', () => {
    const secret: Block = {
      type: 'if',
      span,
      expression: 'false',
      blocks: [heading('Secret'), paragraph('hidden')],
    }
    const hint: Block = { type: 'hint', span, style: 'info', blocks: [secret, paragraph('open')] }
    expect(collectSections(page(hint, secret), 'T')).toEqual([{ heading: 'T', body: 'open', position: 0 }])
  })

  test.each([['word '.repeat(5000)], ['字'.repeat(9001)], ['𝒳'.repeat(5001)]])(
    'long bodies go on in further sections',
    (text) => {
      const sections = collectSections(page(heading('A'), paragraph(text)), 'T').slice(1)
      expect(sections.length).toBeGreaterThan(1)
      expect(
        sections
          .map(({ body }) => body)
          .join(' ')
          .replaceAll(' ', ''),
      ).toBe(text.replaceAll(' ', ''))
      for (const { body, anchor } of sections) {
        expect(body.length).toBeLessThanOrEqual(maxSectionLength)
        expect(() => encodeURIComponent(body)).not.toThrow()
        expect(anchor).toBe('a')
      }
    },
  )
})

describe('an excerpt contains the query words', () => {
  const marked = (body: string, query: string, length = 40) => {
    const { text, marks } = createExcerpter(queryTerms(query).terms)(body, length)
    return marks
      .toReversed()
      .reduce(
        (excerpt, [start, end]) =>
          `${excerpt.slice(0, start)}[${excerpt.slice(start, end)}]${excerpt.slice(end)}`,
        text,
      )
  }
  test.each([
    ['Short text', 'text', 'Short [text]'],
    ['Short text', 'missing', 'Short text'],
    ['Two\nlines of text', 'lines', 'Two [lines] of text'],
    ['Edit pg_hba.conf now', 'pg_hba.conf', 'Edit [pg]_[hba].[conf] now'],
    ['Since v2.1, in C#.', 'v2.1 C#', 'Since [v2.1], in [C#].'],
    ['Crème brûlée', 'creme', '[Crème] brûlée'],
    ['Free the (curl_handle), and no handle', 'curlhandle', 'Free the ([curl_handle]), and no handle'],
    ['One, "two" and two: 22 twos', 'two 22', 'One, "[two]" and [two]: [22] [twos]'],
    ['大数据库系统', '数据库', '大[数据库]系统'],
    [
      `${'filler '.repeat(20)}alpha ${'filler '.repeat(20)}alpha beta ${'filler '.repeat(20)}`,
      'alpha beta',
      '…filler [alpha] [beta] filler filler filler…',
    ],
    [`start ${'filler '.repeat(20)}`, 'start', '[start] filler filler filler filler filler…'],
    [`${'filler '.repeat(20)}end`, 'end', '…filler filler filler filler filler [end]'],
  ])('%#', (body, query, excerpt) => {
    expect(marked(body, query)).toBe(excerpt)
  })

  test('its length and its marks keep their bounds, whatever the text', () => {
    for (const unit of ['word ', 'x', '字', '𝒳', 'é ', '. ', '\n', 'C# ']) {
      const body = unit.repeat(3000)
      for (const query of ['word', 'x', '字字', 'é', 'C#', '']) {
        const { text, marks } = createExcerpter(queryTerms(query).terms)(body, 160)
        expect(text.length).toBeLessThanOrEqual(163)
        let last = 0
        for (const [start, end] of marks) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(end).toBeGreaterThan(start)
          last = end
        }
        expect(last).toBeLessThanOrEqual(text.length)
      }
    }
  })
})

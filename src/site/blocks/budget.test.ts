/** Render budget of a page: a block over budget becomes plain text, and the blocks around it are rendered. */
import { describe, expect, test } from 'vitest'
import { createBudget } from '../../core/budget.js'
import type { Block, Document, TableCell } from '../../core/document/types.js'
import { contextOf, documentOf, paragraph, text } from './testing.js'
import { renderDocument, renderLimits } from './render.js'

const cell = (...blocks: Block[]): TableCell => ({ blocks })

/** Returns the markup, and the characters and steps spent on it. */
function render(document: Document, context = contextOf()) {
  const budget = createBudget(renderLimits)
  const markup = renderDocument(document, context, budget).toString()
  return { markup, steps: budget.spent('steps'), output: budget.spent('output') }
}

const span = { start: 0, end: 0 }
const include = (src: string): Block => ({ type: 'reusable-content', span, src })
const between = (...blocks: Block[]) =>
  documentOf(paragraph('before'), ...(blocks as never[]), paragraph('after'))

describe('a table', () => {
  test('costs what was written: missing cells of short rows are not rendered one by one', () => {
    const width = 2_000
    const columns = Array.from({ length: width }, () => ({ title: [], type: 'text' as const }))
    const rows = [
      Array.from({ length: width }, () => cell(paragraph('a'))),
      ...Array.from({ length: width }, () => [cell()]),
    ]
    for (const view of ['grid', 'cards'] as const) {
      const { markup } = render(documentOf({ type: 'table', view, columns, rows } as never))
      expect(markup.length).toBeLessThan(width * 400)
      expect(markup).toContain(view === 'grid' ? `colspan="${width - 1}"` : 'card')
    }
  })

  test('takes steps by its cells, not by rows times columns', () => {
    let looks = 0
    const counting = (row: TableCell[]) =>
      new Proxy(row, {
        get(target, name, receiver) {
          if (typeof name === 'string' && /^\d+$/.test(name)) looks++
          return Reflect.get(target, name, receiver)
        },
      })
    const columns = Array.from({ length: 500 }, () => ({ title: [], type: 'text' as const }))
    const rows = Array.from({ length: 500 }, () => counting([cell(paragraph('a'))]))
    render(documentOf({ type: 'table', view: 'grid', columns, rows } as never))
    expect(looks).toBeLessThan(500 * 10)
  })
})

describe('included contents', () => {
  test('twenty of twenty in five levels are bounded, and the blocks around them are rendered', () => {
    const context = contextOf({
      include: (src) => {
        const level = Number(src)
        return level === 5
          ? documentOf(paragraph('a word at the bottom '.repeat(10)))
          : { blocks: Array.from({ length: 20 }, () => include(String(level + 1))) }
      },
    })
    const { markup, output } = render(between(include('1')), context)
    expect(markup.length).toBeLessThan(renderLimits.output + 100_000)
    expect(output).toBeLessThanOrEqual(renderLimits.output)
    expect(markup).toMatch(/^<p>before<\/p>[^]*shown as plain text[^]*<p>after<\/p>\n$/)
  })

  test('share one budget over all levels', () => {
    const context = contextOf({
      // Headings prevent that the first rendering is reused.
      include: (src) => ({
        blocks:
          src === 'b'
            ? documentOf({ type: 'heading', level: 1, anchor: 'b', children: [text('bottom')] }).blocks
            : Array.from({ length: 50 }, () => include('b')),
      }),
    })
    const { markup } = render(between(...Array.from({ length: 50 }, () => include('a'))), context)
    expect(markup.match(/>bottom</g)!.length).toBeLessThan(renderLimits.includes)
    expect(markup.match(/more than 200 texts: the others are left out\./g)).toHaveLength(1)
    expect(markup).toMatch(/<p>after<\/p>\n$/)
  })

  test('are rendered once and reused, unless their markup would differ', () => {
    let includeCalls = 0
    const context = contextOf({
      include: () => documentOf(paragraph({ type: 'expression', expression: 'x' })),
      evaluate: () => `value ${++includeCalls}`,
    })
    expect(render(between(include('a'), include('a')), context).markup).toMatch(/value 1[^]*value 1/)
    const headed = contextOf({
      include: () => documentOf({ type: 'heading', level: 1, anchor: 'h', children: [text('h')] }),
    })
    const { markup } = render(between(include('a'), include('a')), headed)
    expect(markup).toContain('id="h"')
    expect(markup).toContain('id="h-1"')
  })

  test('a missing or recursive one does not affect the rest', () => {
    const context = contextOf({
      include: (src) =>
        src === 'missing' ? undefined : { blocks: [...documentOf(paragraph('in it')).blocks, include('a')] },
    })
    const { markup } = render(between(include('missing'), include('a')), context)
    expect(markup.match(/in it/g)).toHaveLength(1)
    expect(markup).toMatch(/<p>after<\/p>\n$/)
  })
})

describe('values', () => {
  test('a long value that is repeated is bounded', () => {
    const context = contextOf({ evaluate: () => 'v'.repeat(100_000) })
    const { markup } = render(
      between(
        paragraph(...Array.from({ length: 1_000 }, () => ({ type: 'expression' as const, expression: 'x' }))),
      ),
      context,
    )
    expect(markup.length).toBeLessThan(renderLimits.output)
    expect(markup).toContain('shown as plain text')
    expect(markup).toMatch(/<p>after<\/p>\n$/)
  })
})

describe('content hidden from a reader', () => {
  test('is not in the plain text either', () => {
    const secret = documentOf({ type: 'if', expression: 'x', blocks: [paragraph('secret')] } as never)
    const many: Block = {
      type: 'paragraph',
      span,
      children: Array.from({ length: 600_000 }, () => text('w')),
    }
    const greedy: Block = { type: 'blockquote', span, blocks: [...secret.blocks, many] }
    const { markup } = render(between(greedy))
    expect(markup).toContain('shown as plain text')
    expect(markup).toContain('wwww')
    expect(markup).not.toContain('secret')
  })
})

describe('anchors that many headings share', () => {
  test('take as many steps as there are headings', () => {
    const heading = { type: 'heading', level: 1, anchor: 'same', children: [text('same')] } as const
    // A search from the first number would take 800 million steps.
    const { markup } = render(documentOf(...Array.from({ length: 40_000 }, () => heading)))
    expect(markup).toContain('id="same-39999"')
  })
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { plainText } from '../document/plain-text.js'
import type { Block, Inline, Mark } from '../document/types.js'
import { formatPage } from './format.js'
import { parsePage } from './parse.js'

const span = { start: 0, end: 0 }

/** Characters of marks, tables, URLs and tags, and words. */
const word = fc.constantFrom(
  'a', 'b c', ' d', 'e ', '1.', '-', '+', '#', '>', '*', '**', '_', '~', '`', '``', '[', ']', '](', '<b>', '&amp;', '&', '\\', '|', '$$', '$', '!', '{% hint %}', '(', ')', '"', '中', '。', ':', ':a:', '=', '---', 'x_y', 'https://a.b/c_d', '[^1]', 'é', '[ ]',
) // prettier-ignore

const markType = fc.constantFrom(
  'bold',
  'italic',
  'strikethrough',
  'underline',
  'code',
  'keyboard',
  'superscript',
)
const text = fc.record({ words: fc.array(word, { minLength: 1, maxLength: 4 }), marks: fc.uniqueArray(markType, { maxLength: 2 }) }).map(
  ({ words, marks }): Inline => {
    const ordered = [...marks].toSorted((one, other) => Number(one === 'code') - Number(other === 'code'))
    return { type: 'text', text: words.join(''), ...(marks.length > 0 && { marks: ordered.map((type): Mark => ({ type })) }) }
  },
) // prettier-ignore
const link = fc
  .array(text, { minLength: 1, maxLength: 2 })
  .map((children): Inline => ({ type: 'link', url: 'a b(c', children }))
const inlines = fc.array(
  fc.oneof({ weight: 4, arbitrary: text }, link, fc.constant<Inline>({ type: 'break' })),
  { minLength: 1, maxLength: 5 },
)

/** The letters of inlines with the marks of each, without whitespace, which marks and lines may move. */
function lettersOf(row: readonly Inline[], around = ''): string[] {
  return row.flatMap((inline): string[] => {
    if (inline.type === 'break') return []
    if (inline.type === 'link')
      return lettersOf(inline.children, inline.url.startsWith('http') ? '' : `${inline.url} `)
    const marks = inline.type === 'text' ? (inline.marks ?? []).map(({ type }) => type).toSorted() : []
    return Array.from(
      plainText([inline]).replace(/\s+/g, ''),
      (letter) => `${around}${marks.join()} ${letter}`,
    )
  })
}

it('formatted inlines are parsed back', () => {
  fc.assert(
    fc.property(inlines, (children) => {
      fc.pre(plainText(children).trim() !== '')
      const markdown = formatPage({ blocks: [{ type: 'paragraph', span, children }] })
      const { document } = parsePage(markdown)
      const read = document.blocks[0]
      expect([markdown, read?.type, document.blocks.length]).toEqual([markdown, 'paragraph', 1])
      expect([markdown, ...lettersOf((read as Block & { type: 'paragraph' }).children)]).toEqual([
        markdown,
        ...lettersOf(children),
      ])
    }),
    { numRuns: 1_500, seed: 11 },
  )
})

const paragraph = word
  .filter((one) => one.trim() !== '')
  .map((one): Block => ({ type: 'paragraph', span, children: [{ type: 'text', text: one.trim() }] }))
const { block } = fc.letrec<{ block: Block; blocks: Block[] }>((tie) => ({
  blocks: fc.array(tie('block'), { minLength: 1, maxLength: 3 }),
  block: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    paragraph,
    fc.constant<Block>({ type: 'divider', span }),
    word.map((code): Block => ({ type: 'code', span, syntax: 'js', code: `${code}\n\n\`\`\`\n{% endhint %}` })),
    fc.constant<Block>({ type: 'images', span, images: [{ src: 'a b.png', alt: '[c]', width: '20' }] }),
    tie('blocks').map((blocks): Block => ({ type: 'blockquote', span, blocks })),
    tie('blocks').map((blocks): Block => ({ type: 'hint', span, style: 'warning', blocks })),
    tie('blocks').map((blocks): Block => ({ type: 'expandable', span, title: [{ type: 'text', text: '<a>' }], anchor: '', open: false, blocks })),
    tie('blocks').map((blocks): Block => ({ type: 'tabs', span, tabs: [{ span, title: '"', anchor: '', blocks }] })),
    fc.tuple(fc.constantFrom('ordered', 'unordered', 'tasks'), fc.array(tie('blocks'), { minLength: 1, maxLength: 3 })).map(
      ([kind, items]): Block => ({ type: 'list', span, kind: kind as 'ordered', start: 7, tight: false, items: items.map((blocks) => ({ span, blocks: kind === 'tasks' ? [{ type: 'paragraph', span, children: [{ type: 'text', text: 'a' }] }, ...blocks] : blocks, ...(kind === 'tasks' && { checked: true }) })) }),
    ),
    tie('blocks').map((blocks): Block => ({ type: 'table', span, view: 'grid', columns: [{ title: [{ type: 'text', text: 'a|b' }], type: 'text' }], rows: [[{ blocks }]] })),
  ) as fc.Arbitrary<Block>,
})) // prettier-ignore

/** Text and nesting of blocks, without what a cell cannot contain. */
function shapeOf(blocks: readonly Block[]): unknown[] {
  return blocks.map((one) => {
    switch (one.type) {
      case 'paragraph':
        return plainText(one.children)
      case 'code':
        return [one.type, one.syntax, one.code]
      case 'images':
        return [one.type, one.images]
      case 'list':
        return [one.kind, one.start, one.items.map((item) => [item.checked, shapeOf(item.blocks)])]
      case 'tabs':
        return [one.type, one.tabs.map((tab) => [tab.title, shapeOf(tab.blocks)])]
      case 'table':
        return [one.type, plainText(one.columns[0]!.title), one.rows.length]
      case 'expandable':
        return [one.type, plainText(one.title), shapeOf(one.blocks)]
      default:
        return 'blocks' in one ? [one.type, shapeOf(one.blocks)] : one.type
    }
  })
}

const withoutStart = (shape: unknown): unknown => JSON.parse(JSON.stringify(shape))

it('formatted blocks are parsed back', () => {
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 3 }), (blocks) => {
      const markdown = formatPage({ title: '# a #', blocks })
      const { document, title } = parsePage(markdown)
      expect(title?.text).toBe('# a #')
      const expected = JSON.stringify(shapeOf(blocks)).replace(/\["(unordered|tasks)",7/g, '["$1",null')
      expect([markdown, withoutStart(shapeOf(document.blocks))]).toEqual([markdown, JSON.parse(expected)])
    }),
    { numRuns: 400, seed: 13 },
  )
})

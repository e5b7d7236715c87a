import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Inline } from '../document/types.js'
import { hashDocument } from './canonical.js'
import { propertyRuns } from '../merge/testing.js'
import type { EditedBlock, SourceBlock } from './source-blocks.js'
import { applySplices } from './splice.js'
import { editBlock, sourceOf, texts, typeWord, visitSource } from './testing.js'
import { verifyEdit } from './verify-edit.js'
import { type EditedDocument, editWidths, writeEdits } from './write-edits.js'

type Edit = (blocks: readonly SourceBlock[]) => readonly EditedBlock[]

/** The text after an edit of its blocks, which has to be what was meant in the narrowest width. */
function edited(text: string, edit: Edit): string {
  const before = sourceOf(text)
  const after = { ...before, blocks: edit(before.blocks) }
  const splices = writeEdits(text, before, after)
  const result = applySplices(text, splices)
  expect([result, hashDocument(sourceOf(result))]).toEqual([result, hashDocument(after)])
  return result
}

const words = (text: string, ...marks: ('bold' | 'italic' | 'code')[]) => ({
  type: 'text' as const,
  text,
  ...(marks.length > 0 && { marks: marks.map((type) => ({ type })) }),
})
const paragraph = (...inlines: Inline[]): EditedBlock => ({ type: 'paragraph', attributes: {}, inlines })
const item = (text: string, attributes = {}): EditedBlock => ({
  type: 'list-item',
  attributes,
  blocks: [paragraph(words(text))],
})

/** Replaces texts in the inlines of all blocks. */
const replaceWords =
  (from: string, to: string): Edit =>
  (blocks) => {
    const inline = (one: Inline): Inline => {
      if (one.type === 'text') return { ...one, text: one.text.replace(from, to) }
      return one.type === 'link' ? { ...one, children: one.children.map(inline) } : one
    }
    const block = (one: EditedBlock): EditedBlock => ({
      ...one,
      ...(one.inlines && { inlines: one.inlines.map(inline) }),
      ...(one.blocks && { blocks: one.blocks.map(block) }),
    })
    return blocks.map(block)
  }

const wordCases: [name: string, text: string, from: string, to: string][] = [
  ['other delimiters', '_one_ __two__ three _four_', 'three', 'new'],
  ['a word in other delimiters', 'a _one_ b', 'one', 'ones'],
  ['beside other delimiters', 'a _one_ b', ' b', ', b'],
  ['line breaks', 'one two\nthree four\nfive', 'four', 'new four'],
  ['breaks of two kinds', 'one  \ntwo\\\nthree', 'two', 'new'],
  ['escapes that are not needed', '1\\. one \\- two \\_ three', 'two', 'new'],
  ['entities', 'one &amp; two &copy; three', 'two', 'new'],
  ['elements', '<b>one</b> and <em>two</em> three', 'three', 'new'],
  ['references', '[one][r] two ![three][s]\n\n[r]: /a\n[s]: /b', 'two', 'new'],
  ['the text of a reference', '[one][r] two\n\n[r]: /a', 'one', 'new'],
  ['titles of links', "[one](</a b> 'c') two", 'two', 'new'],
  ['autolinks', 'https://a.b/c_d and <https://e.f> two', 'two', 'new'],
  ['code spans', '`` one `` two ` three `', 'two', 'new'],
  ['shortcodes', ':smile: one', 'one', 'new'],
  ['footnotes', 'one[^1] two\n\n[^1]: three', 'two', 'new'],
  ['underlined headings', 'one two\n-------\n\nthree', 'two', 'new'],
  ['closed headings', '## one two ##', 'two', 'new'],
  ['headings with an id', '## one <a href="#one" id="one"></a>', 'one', 'two'],
  ['headings with an id in braces', '## one two {#three}', 'two', 'new'],
  ['markers of lists', '*   one\n*   two\n\n    three', 'three', 'new'],
  ['lazy quotes', '> one\ntwo\n>three', 'three', 'new'],
  ['nested prefixes', '> 1) one\n>    two\n>    - three\n>      four', 'four', 'new'],
  ['tags on one line', '{% tabs %}{% tab title=\'a\' %} one {% endtab %}{% endtabs %}', 'one', 'new'],
  ['tables', '|one|two|\n|:--|-|\n|three | four |', 'four', 'new'],
  ['tables of equal cells', 'a | b\n---|---\n`one`  | true\n`three` | true\nfour    | true two', 'two', 'true'],
  ['titles of tables', '| three | four |\n|:--|-|\n|one|two|', 'two', 'new'],
  ['tables of HTML', '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td><b>one</b> two</td></tr></tbody></table>', 'two', 'new'],
  ['paragraphs of cells', '<table><tr><td><p><code>one</code></p><p>two</p></td></tr><tr><td><p><code>three</code></p><p>two</p></td></tr></table>', 'three', 'new'],
  ['blocks of cells', '<table><tr><td><details><summary>a</summary><ul><li>b <em>one</em> &amp; two</li></ul></details></td></tr><tr><td>one</td></tr></table>', 'two', 'new'],
  ['cells with a bar', '| a |\n|---|\n| one \\| two |', 'two', 'new'],
  ['alignment', '<div align="center">\n\none two\n\n</div>', 'two', 'new'],
  ['CRLF', '- one\r\n  two\r\n- three\r\n', 'two', 'new'],
  ['characters of two units', '😀 _one_ 😎 two', 'two', '😎 new'],
  ['combining marks', 'e\u0301 _one_ e\u0301 two', 'two', 'a\u0308'],
  ['a byte order mark and front matter', '\ufeff---\na:   b\n---\n\n# T\n\n_one_ two', 'two', 'new'],
  ['an exclamation mark', 'one _two_', 'two', 'two!'],
  ['an exclamation mark at the end', 'one two', 'two', 'two!'],
  ['an exclamation mark in a link', '[one](a) two', 'one', 'one!'],
  ['a word that becomes markup', 'one two', 'two', '*two* <b> [c](d) {% hint %}'],
] // prettier-ignore

it.each(wordCases)('leaves what is around a word as it is: %s', (name, text, from, to) => {
  const after = edited(text, replaceWords(from, to))
  if (name.includes('becomes markup')) expect(after).not.toBe(text)
  else expect(after).toBe(text.replace(from, to))
})

const [last] = [<Value>(list: readonly Value[]) => list.at(-1)!]
const inside =
  (edit: Edit, index = 0): Edit =>
  (blocks) =>
    blocks.map((block, at) => (at === index ? { ...block, blocks: edit(block.blocks ?? []) } : block))
const insert =
  (index: number, ...added: EditedBlock[]): Edit =>
  (blocks) =>
    blocks.toSpliced(index, 0, ...(added as SourceBlock[]))
const remove =
  (index: number): Edit =>
  (blocks) =>
    blocks.toSpliced(index, 1)
const move =
  (from: number, to: number): Edit =>
  (blocks) =>
    blocks.toSpliced(from, 1).toSpliced(to, 0, blocks[from]!)
const set =
  (attributes: EditedBlock['attributes'], type?: EditedBlock['type']): Edit =>
  ([block, ...others]) => [
    { ...block!, ...(type && { type }), attributes: { ...block!.attributes, ...attributes } },
    ...others,
  ]

const structureCases: [name: string, text: string, edit: Edit, after: string][] = [
  ['nothing', '_a_\n', (blocks) => structuredClone(blocks), '_a_\n'],
  ['a paragraph in an empty text', '', insert(0, paragraph(words('a'))), 'a\n'],
  ['a paragraph behind a title', '# T\n', insert(0, paragraph(words('a'))), '# T\n\na\n'],
  ['a paragraph between', '_a_\n\n\n_b_\n', insert(1, paragraph(words('c', 'bold'))), '_a_\n\n**c**\n\n\n_b_\n'],
  ['a paragraph before', '# T\n\n_a_\n', insert(0, paragraph(words('b'))), '# T\n\nb\n\n_a_\n'],
  ['two at the end', '_a_', insert(1, paragraph(words('b')), paragraph(words('c'))), '_a_\n\nb\n\nc'],
  ['a paragraph in a quote', '> _a_\n>\n> b\n', inside(insert(1, paragraph(words('c')))), '> _a_\n>\n> c\n>\n> b\n'],
  ['a paragraph in a task', '- [ ] _a_\n- [ ] b\n', (blocks) => inside(inside(insert(1, paragraph(words('c')))))(set({ tight: false })(blocks) as SourceBlock[]), '- [ ] _a_\n\n  c\n- [ ] b\n'],
  ['an item', '* _a_\n* b\n', inside(insert(1, item('c'))), '* _a_\n* c\n* b\n'],
  ['the first item', '* _a_\n* b\n', inside(insert(0, item('c'))), '* c\n* _a_\n* b\n'],
  ['an item with a wide marker', '*   _a_\n*   b\n', inside(insert(2, item('c'))), '*   _a_\n*   b\n*   c\n'],
  ['a loose item', '- _a_\n\n- b\n', inside(insert(2, item('c'))), '- _a_\n\n- b\n\n- c\n'],
  ['a numbered item', '3) _a_\n4) b\n', inside(insert(2, item('c'))), '3) _a_\n4) b\n5) c\n'],
  ['an item numbered as all are', '1. _a_\n1. b\n', inside(insert(2, item('c'))), '1. _a_\n1. b\n1. c\n'],
  ['a nested item', '- a\n  * _b_\n', inside(inside(inside(insert(1, item('c')), 1))), '- a\n  * _b_\n  * c\n'],
  ['an item of CRLF', '- _a_\r\n- b\r\n', inside(insert(1, item('c'))), '- _a_\r\n- c\r\n- b\r\n'],
  ['a tick', '* [ ] _a_\n* [x] b\n', inside(set({ checked: true })), '* [x] _a_\n* [x] b\n'],
  ['no paragraph', '_a_\n\n\n_b_\n\n_c_\n', remove(1), '_a_\n\n_c_\n'],
  ['no first paragraph', '# T\n\n_a_\n\n_b_\n', remove(0), '# T\n\n_b_\n'],
  ['a paragraph behind a fence without a blank line', '~~~\na\n~~~\n_b_\n', insert(1, paragraph(words('c'))), '~~~\na\n~~~\n\nc\n\n_b_\n'],
  ['no fence between lines', '_a_\n~~~\nb\n~~~\n_c_\n', remove(1), '_a_\n\n_c_\n'],
  ['no quote in an item', '- _a_\n  > b\n\n  _c_\n', inside(inside(remove(1))), '- _a_\n\n  _c_\n'],
  ['no character with its escape', 'a \\- b\n', replaceWords('- ', ''), 'a b\n'],
  ['no item', '* _a_\n* b\n* _c_\n', inside(remove(1)), '* _a_\n* _c_\n'],
  ['no first item of a numbered list', '1. _a_\n2. b\n3. _c_\n', inside(remove(0)), '1. b\n3. _c_\n'],
  ['no paragraph between lists', '* _a_\n\nb\n\n* _c_\n', remove(1), '* _a_\n\n<!-- -->\n\n* _c_\n'],
  ['no paragraph between lists of different signs', '* _a_\n\nb\n\n- _c_\n', remove(1), '* _a_\n\n- _c_\n'],
  ['a list behind another', '- _a_\n\nb\n', insert(1, { type: 'list', attributes: { kind: 'unordered', tight: true }, blocks: [item('c')] }), '- _a_\n\n<!-- -->\n\n- c\n\nb\n'],
  ['no content in a container', '{% hint style="info" %}\na\n{% endhint %}\n', inside(remove(0)), '{% hint style="info" %}\n{% endhint %}\n'],
  ['another paragraph', '# T\n\n_a_\n\n_b_\n', () => [paragraph(words('c'))], '# T\n\nc\n'],
  ['a copy of a block', '_a_\n\n__b__\n', ([one, other]) => [one!, { ...one! }, other!], '_a_\n\n_a_\n\n__b__\n'],
  ['a block moved', '_a_\n\n> _b_\n> c\n\n__d__\n', move(1, 0), '> _b_\n> c\n\n_a_\n\n__d__\n'],
  ['a numbered item moved to the front', '1. _a_\n2. b\n3. _c_\n', inside(move(1, 0)), '1. b\n1. _a_\n3. _c_\n'],
  ['a numbered item moved to the end', '1. _a_\n2. b\n3. _c_\n', inside(move(0, 2)), '1. b\n3. _c_\n4. _a_\n'],
  ['a block moved into a quote', '> _a_\n\n* _b_\n* c\n', ([quote, list]) => [{ ...quote!, blocks: [...quote!.blocks!, list!] }], '> _a_\n>\n> * _b_\n> * c\n'],
  ['a paragraph that becomes a heading', '_a_ b\n\nc\n', set({ level: 1 }, 'heading'), '## _a_ b\n\nc\n'],
  ['another level', '### _a_ b ###\n', set({ level: 1 }), '## _a_ b ###\n'],
  ['another kind of list', '* _a_\n* b\n', set({ kind: 'ordered', start: 1 }), '1. _a_\n2. b\n'],
  ['another style', '{% hint style=\'info\' %}\n_a_\n{% endhint %}\n', set({ style: 'danger' }), '{% hint style=\'danger\' %}\n_a_\n{% endhint %}\n'],
  ['another title', '{% tabs %}\n{% tab title=\'b\' %}\n_a_\n{% endtab %}\n{% endtabs %}\n', inside(set({ title: 'c "d"' })), '{% tabs %}\n{% tab title=\'c &quot;d&quot;\' %}\n_a_\n{% endtab %}\n{% endtabs %}\n'],
  ['a tab', '{% tabs %}\n{% tab title="b" %}\n_a_\n{% endtab %}\n{% endtabs %}\n', inside(insert(1, { type: 'tab', attributes: { title: 'c' }, blocks: [paragraph(words('d'))] })), '{% tabs %}\n{% tab title="b" %}\n_a_\n{% endtab %}\n\n{% tab title="c" %}\nd\n{% endtab %}\n{% endtabs %}\n'],
  ['a syntax', '~~~js\na\n~~~\n', set({ syntax: 'ts' }), '~~~ts\na\n~~~\n'],
  ['a row', '|a|b|\n|-|-|\n|_c_|d|\n', ([table]) => [{ ...table!, blocks: [...table!.blocks!, { type: 'table-row', attributes: {}, blocks: ['e', 'f'].map((cell) => ({ type: 'table-cell', attributes: {}, blocks: [paragraph(words(cell))] })) }] }], '|a|b|\n|-|-|\n|_c_|d|\n| e | f |\n'],
  ['text in an empty cell', '|a|b|\n|-|-|\n|_c_| |\n', inside(inside(([one, other]) => [one!, { ...other!, blocks: [paragraph(words('d'))] }])), '|a|b|\n|-|-|\n|_c_| d |\n'],
  ['a paragraph with a break that becomes an item', '_a_  \nb\n', ([block]) => [{ type: 'list', attributes: { kind: 'unordered', tight: true }, blocks: [{ type: 'list-item', attributes: {}, blocks: [block!] }] }], '- _a_  \n  b\n'],
  ['an exclamation mark before a link', 'a b\n', () => [paragraph(words('a!'), { type: 'link', url: 'b', children: [words('c!')] })], 'a\\![c!](b)\n'],
  ['a link with a blank at its end', '_a_ b\n', ([block]) => [{ ...block!, inlines: [{ type: 'link', url: 'c.md', children: [words('a', 'italic'), words(' ')] }, words('b')] }], '[_a_](c.md) b\n'],
  ['what is displayed as source', '<object data="a"></object>\n\n_b_\n', move(0, 1), '_b_\n\n<object data="a"></object>\n'],
] // prettier-ignore

it.each(structureCases)('writes %s', (_, text, edit, after) => {
  expect(edited(text, edit)).toBe(after)
})

const newBlocks: EditedBlock[] = [
  { type: 'content-ref', attributes: { url: 'a b.md', label: 'x [y]' } },
  { type: 'reusable-content', attributes: { src: '.gitbook/includes/a.md' } },
  { type: 'if', attributes: { expression: 'visitor.claims.a == "b"' }, blocks: [paragraph(words('a'))] },
  {
    type: 'updates',
    attributes: { format: 'short' },
    blocks: [
      {
        type: 'update',
        attributes: { date: '2026-01-31', tags: ['a', 'b'] },
        blocks: [paragraph(words('a'))],
      },
    ],
  },
  { type: 'prompt', attributes: { description: 'a "b"', text: 'c\n```\nd' } },
  {
    type: 'openapi-operation',
    attributes: { spec: 'a', path: '/b', method: 'get' },
    blocks: [],
  },
  { type: 'integration', attributes: { integration: 'a', block: 'b', props: { c: 'd' } } },
  { type: 'drawing', attributes: { src: 'a.svg', alt: 'b' } },
  { type: 'embed', attributes: { url: 'https://a.b', caption: [words('c')], fullWidth: true } },
  { type: 'paragraph', attributes: { align: 'center' }, inlines: [words('a', 'bold')] },
  { type: 'heading', attributes: { level: 2, align: 'end', id: 'x' }, inlines: [words('a')] },
  {
    type: 'images',
    attributes: {
      align: 'center',
      withFrame: true,
      images: [{ src: 'a.png', srcDark: 'b.png', alt: 'c', width: '300', caption: [words('d')] }],
    },
  },
  { type: 'images', attributes: { images: [{ src: 'a.png' }, { src: 'b.png', caption: [words('d')] }] } },
  {
    type: 'code',
    attributes: { syntax: 'js', title: 'a', code: 'b < c\n\nd', highlighted: [0] },
  },
  { type: 'code', attributes: { code: 'a', fullWidth: true, expandable: true } },
  {
    type: 'expandable',
    attributes: { title: [words('a', 'bold')], open: true, id: 'x' },
    blocks: [paragraph(words('b'))],
  },
  {
    type: 'table',
    attributes: {
      view: 'cards',
      cardSize: 'large',
      columns: [
        { title: [words('a')], type: 'text' },
        { title: [], type: 'content-ref', hidden: true, cardTarget: true },
        { title: [words('c')], type: 'rating', max: 5 },
        { title: [words('d')], type: 'checkbox' },
        { title: [words('e')], type: 'select', options: [{ value: 'x', label: 'X', color: 'red' }] },
      ],
    },
    blocks: [
      {
        type: 'table-row',
        attributes: {},
        blocks: [
          { type: 'table-cell', attributes: {}, blocks: [paragraph(words('f', 'italic'))] },
          {
            type: 'table-cell',
            attributes: {},
            blocks: [paragraph({ type: 'link', url: 'a.md', children: [words('a')] })],
          },
          { type: 'table-cell', attributes: { values: ['3'] }, blocks: [paragraph(words('3'))] },
          { type: 'table-cell', attributes: { values: ['true'] }, blocks: [] },
          { type: 'table-cell', attributes: { values: ['x'] }, blocks: [paragraph(words('X'))] },
        ],
      },
    ],
  },
  paragraph(
    words('a '),
    { type: 'icon', icon: 'bolt', color: 'red' },
    words(' '),
    { type: 'button', label: 'b', kind: 'secondary', action: 'ask', query: 'c "d"' },
    words(' '),
    { type: 'expression', expression: 'space.vars.a' },
    words(' '),
    { type: 'inline-image', src: 'a.png', height: '20', size: 'line' },
    words(' '),
    { type: 'link', url: 'a.md', mention: true, children: [words('a.md')] },
    words(' \u00a0b\u00a0 '),
    words('\u00a0c', 'code'),
  ),
]

it.each(newBlocks.map((block) => [block.type, block] as const))('writes a new block: %s', (_, block) => {
  for (const text of ['_a_\n\n_b_\n', '> _a_\n>\n> _b_\n']) {
    edited(text, text.startsWith('>') ? inside(insert(1, block)) : insert(1, block))
  }
})

it('writes footnotes, and new ones at the end', () => {
  const text = '_a_[^1]\n\n[^1]: *b* _c_\n'
  const before = sourceOf(text)
  const note: Inline = { type: 'annotation', identifier: '2', children: [words('a')], body: [] }
  const after: EditedDocument = {
    blocks: [...before.blocks, paragraph(note)],
    footnotes: [
      { identifier: '1', blocks: [...before.footnotes[0]!.blocks, paragraph(words('d'))] },
      { identifier: '2', blocks: [paragraph(words('e'))] },
    ],
  }
  expect(applySplices(text, writeEdits(text, before, after))).toBe(
    '_a_[^1]\n\na[^2]\n\n[^1]: *b* _c_\n\n    d\n\n[^2]: e\n',
  )
})

it('takes the narrowest width that means what the editor means, and else names the blocks', () => {
  const text = '_a_ b\n\n- _c_ d\n- e\n'
  const before = sourceOf(text)
  const after = { ...before, blocks: replaceWords('d', 'x')(before.blocks) }
  const [narrow, block, outer] = editWidths.map((width) => writeEdits(text, before, after, width)) as [
    [],
    [],
    [],
  ]
  const meant = hashDocument(after)
  expect(applySplices(text, narrow)).toBe('_a_ b\n\n- _c_ x\n- e\n')
  expect(applySplices(text, block)).toBe('_a_ b\n\n- *c* x\n- e\n')
  expect(applySplices(text, outer)).toBe('_a_ b\n\n- *c* x\n- e\n')
  expect(verifyEdit(text, [narrow, block], meant, sourceOf)).toMatchObject({
    width: 0,
    splices: narrow,
    asSource: [],
  })
  const wrong = [{ start: 4, end: 5, text: '\n\n# b' }]
  const twice = [...wrong, { start: 13, end: 14, text: 'x' }]
  expect(verifyEdit(text, [wrong, block], meant, sourceOf)).toMatchObject({ width: 1, splices: block })
  const failed = verifyEdit(text, [wrong], meant, sourceOf)
  expect(failed).toMatchObject({ splices: wrong, text: '_a_ \n\n# b\n\n- _c_ d\n- e\n' })
  expect(failed.width).toBeUndefined()
  expect(failed.asSource.map(({ start, end }) => failed.text.slice(start, end))).toEqual(['# b'])
  const sources = verifyEdit(text, [twice], meant, sourceOf)
  expect(sources.asSource.map(({ start, end }) => sources.text.slice(start, end))).toEqual(['# b', '_c_ x'])
  expect(() => verifyEdit(text, [], meant, sourceOf)).toThrow(RangeError)
})

it('writes nothing for a document that nobody touched, whatever its text', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const before = sourceOf(text)
      for (const width of editWidths) expect(writeEdits(text, before, before, width)).toEqual([])
    }),
    propertyRuns(200),
  )
})

it('reads as many blocks in a long page as in a short one', () => {
  const readsIn = (count: number): number => {
    const text = Array.from({ length: count }, (_, at) => `Paragraph ${at}.\n`).join('\n')
    const before = sourceOf(text)
    const blocks: EditedBlock[] = [...before.blocks]
    blocks[count / 2] = paragraph(words('New.'))
    const after = { ...before, blocks }
    let reads = 0
    for (const block of before.blocks) {
      const { span } = block
      Object.defineProperty(block, 'span', { get: () => (reads++, span) })
    }
    expect(applySplices(text, writeEdits(text, before, after, 'change'))).toContain('New.')
    return reads
  }
  expect(readsIn(1000)).toBe(readsIn(100))
})

const folder = join(import.meta.dirname, '../../../docs')
const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.md'))

describe('in pages of the documentation', () => {
  it.each(files.filter((_, index) => index % 8 === 0))('%s', async (name) => {
    const text = await readFile(join(folder, name), 'utf8')
    const before = sourceOf(text)
    expect(writeEdits(text, before, before)).toEqual([])
    const blocks: SourceBlock[] = []
    visitSource(before.blocks, (block) => blocks.push(block))
    const step = Math.ceil(blocks.length / 4)
    for (const block of blocks.filter((one, index) => index % step === 0 || one === last(blocks))) {
      const typed = typeWord(block, 'QQQ')
      if (!typed) continue
      const after = editBlock(before, block, () => [typed])
      const splices = writeEdits(text, before, after)
      const result = applySplices(text, splices)
      expect(splices[0]!.start).toBeGreaterThanOrEqual(block.span.start)
      expect(last(splices).end).toBeLessThanOrEqual(block.span.end)
      expect(result.replace('QQQ', '')).toBe(text)
      expect(hashDocument(sourceOf(result))).toBe(hashDocument(after))
    }
  })
})

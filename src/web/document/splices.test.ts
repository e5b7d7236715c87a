import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Node as ProseNode } from 'prosemirror-model'
import type { EditorState, Transaction } from 'prosemirror-state'
import { describe, expect, it } from 'vitest'
import { hashDocument } from '../../core/editing/canonical.js'
import { sourceOf } from '../../core/editing/testing.js'
import { attributesOf, changedAttributes } from './construct.js'
import { documentSchema } from './schema.js'
import { documentEdit } from './splices.js'
import { type FoundNode, blockNodesOf, everyConstruct, openText, savedText } from './testing.js'
import { NodeWriter } from './to-blocks.js'

const { nodes, marks } = documentSchema
const paragraph = (text: string) => nodes['paragraph']!.create(null, documentSchema.text(text))

/** The only node of a type, or the one with these words. */
function find(doc: ProseNode, name: string, words = ''): FoundNode {
  const found = blockNodesOf(doc).find(
    ({ node }) => node.type.name === name && node.textContent.includes(words),
  )
  if (!found) throw new Error(`no ${name} with ${words}`)
  return found
}

/** Replaces words in the text of a document. */
function replaceWords(state: EditorState, from: string, to: string): Transaction {
  const { tr } = state
  state.doc.descendants((node, position) => {
    if (tr.docChanged || !node.isTextblock) return !tr.docChanged
    const index = node.textBetween(0, node.content.size, undefined, '\ufffc').indexOf(from)
    if (index >= 0) tr.insertText(to, position + 1 + index, position + 1 + index + from.length)
    return false
  })
  if (!tr.docChanged) throw new Error(`no ${from}`)
  return tr
}

describe('a document', () => {
  it('has every construct, and only what is outside the dialect as its source', () => {
    const { state } = openText(everyConstruct)
    const names = new Set(blockNodesOf(state.doc).map(({ node }) => node.type.name))
    const missing = Object.keys(documentSchema.nodes).filter(
      (name) => documentSchema.nodes[name]!.isBlock && !names.has(name),
    )
    expect(missing).toEqual(['doc', 'drawing', 'openapi_schemas', 'openapi_webhook'])
    const sources = blockNodesOf(state.doc).filter(({ node }) => node.type.name === 'opaque')
    expect(sources.map(({ node }) => attributesOf(node)['source'])).toEqual(['<object data="a"></object>'])
  })

  it('changes nothing in a text that was not edited, and means what the text is', () => {
    const { base, state } = openText(everyConstruct)
    expect(documentEdit(base, state.doc)).toBeUndefined()
    const after = new NodeWriter(base.origins).document(state.doc, base.source.footnotes)
    expect(hashDocument({ ...base.source, ...after })).toBe(hashDocument(sourceOf(everyConstruct)))
  })

  it('displays a block as its source where it has to, and keeps it', () => {
    const text = '_a_\n\n> b\n\nc\n'
    const { base, state } = openText(text, [{ start: 5, end: 8, reason: 'Why' }])
    expect(state.doc.child(1).attrs).toMatchObject({
      attributes: { kind: 'blockquote', source: '> b' },
      reason: 'Why',
    })
    expect(documentEdit(base, state.doc)).toBeUndefined()
    const moved = state.apply(state.tr.delete(3, 4).insert(0, state.doc.child(1)))
    expect(savedText(base, moved.doc)).toEqual({ text: '> b\n\n_a_\n\nc\n', width: 0 })
  })
})

/** A word typed into each construct changes this word alone. */
const wordCases = [
  ['Words with', 'New words with'], ['bold', 'bolder'], ['italic', 'cursive'], ['colour', 'hue'], ['linked', 'new'],
  ['Both', 'All'], ['Heading one', 'Heading 1'], ['Heading two', 'Heading 2'], ['first', 'new'], ['with two', 'with new'],
  ['nested', 'inner'], ['four', 'for'], ['done', 'finished'], ['quote', 'saying'], ['lines', 'rows'], ['a list', 'the list'],
  ['hint', 'note'], ['run(a)', 'run(b)'], ['indented code', 'other code'], ['a + b', 'a - b'], ['Caption', 'Words'],
  ['The file', 'A file'], ['about', 'on'], ['Inside', 'Within'], ['First', 'One'], ['Do this', 'Do that'], ['Left', 'At left'],
  ['one', 'eins'], ['two \\| three', 'zwei \\| drei'], ['Card', 'Tile'], ['Only for', 'For'], ['What changed', 'What is new'],
  ['Explain', 'Tell'], ['Centred', 'In the middle'], ['last', 'final'], ['text', 'words'],
] as const // prettier-ignore

it.each(wordCases)('writes a word alone: %s', (from, to) => {
  const { base, state } = openText(everyConstruct)
  const plain = (words: string) => words.replaceAll('\\', '')
  const { doc } = state.apply(replaceWords(state, plain(from), plain(to)))
  const { text, width } = savedText(base, doc)
  expect(width).toBe(0)
  const index = [...everyConstruct.matchAll(new RegExp(from.replace(/[\\|()+]/g, '\\$&'), 'g'))].map(
    ({ index: at }) => at,
  )
  const expected = index.map(
    (at) => everyConstruct.slice(0, at) + to + everyConstruct.slice(at + from.length),
  )
  expect(expected).toContain(text)
})

type Edit = (state: EditorState) => Transaction
const set =
  (name: string, attributes: Readonly<Record<string, never>> | object, words = ''): Edit =>
  ({ doc, tr }) => {
    const { node, position } = find(doc, name, words)
    return tr.setNodeAttribute(
      position,
      'attributes',
      changedAttributes(attributesOf(node), attributes as never),
    )
  }
const insertAfter =
  (name: string, words: string, ...added: ProseNode[]): Edit =>
  ({ doc, tr }) => {
    const { node, position } = find(doc, name, words)
    return tr.insert(position + node.nodeSize, added)
  }
const remove =
  (name: string, words: string): Edit =>
  ({ doc, tr }) => {
    const { node, position } = find(doc, name, words)
    return tr.delete(position, position + node.nodeSize)
  }

/** Edits the first block, and puts a copy of it behind it, as before a save. */
const copyOfEdited =
  (edit: Edit): Edit =>
  (state) => {
    const tr = edit(state)
    return tr.insert(tr.doc.firstChild!.nodeSize, tr.doc.firstChild!)
  }

const editCases: [name: string, text: string, edit: Edit, after: string][] = [
  ['a style of a hint', "{% hint style='info' %}\n_a_\n{% endhint %}\n", set('hint', { style: 'danger' }), "{% hint style='danger' %}\n_a_\n{% endhint %}\n"],
  ['a language of code', '~~~js\na\n~~~\n', set('code', { syntax: 'ts' }), '~~~ts\na\n~~~\n'],
  ['a title of code', '```js\na\n```\n', set('code', { title: 'a.js', lineNumbers: true }), '{% code title="a.js" lineNumbers="true" %}\n```js\na\n```\n{% endcode %}\n'],
  ['a title of a tab', "{% tabs %}\n{% tab title='a' %}\n_b_\n{% endtab %}\n{% endtabs %}\n", set('tab', { title: 'c' }), "{% tabs %}\n{% tab title='c' %}\n_b_\n{% endtab %}\n{% endtabs %}\n"],
  ['a tick', '* [ ] _a_\n* [x] b\n', set('list_item', { checked: true }), '* [x] _a_\n* [x] b\n'],
  ['a condition', '{% if a %}\n_b_\n{% endif %}\n', set('if', { expression: 'c' }), '{% if c %}\n_b_\n{% endif %}\n'],
  ['an alternative text', '![a](b.png)\n', set('image', { alt: 'c' }), '![c](b.png)\n'],
  ['a width of an image', '![a](b.png)\n', set('image', { width: '300' }), '<figure><img src="b.png" alt="a" width="300"><figcaption></figcaption></figure>\n'],
  ['a date of an update', '{% updates format="full" %}\n{% update date="2026-01-31" %}\na\n{% endupdate %}\n{% endupdates %}\n', set('update', { date: '2026-02-01', tags: ['x'] }), '{% updates format="full" %}\n{% update date="2026-02-01" tags="x" %}\na\n{% endupdate %}\n{% endupdates %}\n'],
  ['an alignment of a column', '|a|\n|-|\n|_b_|\n', set('table_header', { align: 'right' }), '|a|\n|---: |\n|_b_|\n'],
  ['an address of an embed', '{% embed url="https://a.b" %}\n', set('embed', { url: 'https://c.d' }), '{% embed url="https://c.d" %}\n'],
  ['a stage of an expandable', '<details>\n\n<summary>a</summary>\n\n_b_\n\n</details>\n', set('expandable', { open: true }), '<details open>\n\n<summary>a</summary>\n\n_b_\n\n</details>\n'],
  ['an anchor of a heading', '## _a_\n', set('heading', { id: 'b' }), '## _a_ <a href="#b" id="b"></a>\n'],
  ['a paragraph', '_a_\n\n_b_\n', insertAfter('paragraph', 'a', paragraph('c')), '_a_\n\nc\n\n_b_\n'],
  ['no empty paragraph', '_a_\n\n_b_\n', insertAfter('paragraph', 'a', nodes['paragraph']!.create()), '_a_\n\n_b_\n'],
  ['no picture without a file', '_a_\n', insertAfter('paragraph', 'a', nodes['images']!.create(null, nodes['image']!.create())), '_a_\n'],
  ['an item', '* _a_\n* b\n', insertAfter('list_item', 'a', nodes['list_item']!.create(null, paragraph('c'))), '* _a_\n* c\n* b\n'],
  ['a paragraph in an item, whose list is loose then', '* _a_\n* b\n', insertAfter('paragraph', 'a', paragraph('c')), '* _a_\n\n  c\n* b\n'],
  ['a paragraph in a hint', '{% hint style="info" %}\n_a_\n{% endhint %}\n', insertAfter('paragraph', 'a', paragraph('b')), '{% hint style="info" %}\n_a_\n\nb\n{% endhint %}\n'],
  ['no paragraph', '_a_\n\n\n_b_\n\n_c_\n', remove('paragraph', 'b'), '_a_\n\n_c_\n'],
  ['a split paragraph', '_a_ b __c__\nd\n', ({ tr }) => tr.split(4), '_a_ b\n\n**c** d\n'],
  ['joined paragraphs', '_a_ c\n\nd __b__\n', ({ tr }) => tr.join(5), '_a_ cd **b**\n'],
  ['a mark', '_a_ b c\n', ({ tr }) => tr.addMark(3, 4, marks['bold']!.create()), '_a_ **b** c\n'],
  ['a mark in a mark', '_a b c_\n', ({ tr }) => tr.addMark(3, 4, marks['bold']!.create()), '_a **b** c_\n'],
  ['a link', '_a_ b c\n', ({ tr }) => tr.addMark(3, 4, marks['link']!.create({ url: 'x.md' })), '_a_ [b](x.md) c\n'],
  ['a wrapped block', '_a_\n\n__b__\n', ({ doc, tr }) => tr.replaceWith(3, 6, nodes['hint']!.create({ attributes: { style: 'info' } }, doc.child(1))), '_a_\n\n{% hint style="info" %}\n__b__\n{% endhint %}\n'],
  ['a copy, with its bytes', '_a_\n\n__b__\n', ({ doc, tr }) => tr.insert(0, doc.child(1)), '__b__\n\n_a_\n\n__b__\n'],
  ['a copy of an edited block, as its original', '_a_ __b__\n\nc\n', copyOfEdited(({ tr }) => tr.insertText('new ', 1)), '_new a_ __b__\n\n_new a_ __b__\n\nc\n'],
  ['a copy of what became a heading', '_a_\n\nc\n', copyOfEdited(({ tr }) => tr.setNodeMarkup(0, nodes['heading']!, { key: tr.doc.firstChild!.attrs['key'] as number, attributes: { level: 2 } }).insertText(' now', 2)), '### _a now_\n\n### _a now_\n\nc\n'],
  ['a copy of an edited hint', "{% hint style='info' %}\n_a_\n\n__b__\n{% endhint %}\n", copyOfEdited(({ tr }) => tr.insertText('new ', 2)), "{% hint style='info' %}\n_new a_\n\n__b__\n{% endhint %}\n\n{% hint style='info' %}\n_new a_\n\n__b__\n{% endhint %}\n"],
  ['a copy of an edited list', '*   _a_\n*   __b__\n\nc\n\n__d__\n', (state) => { const { tr } = state; tr.insertText('new ', 3); return tr.insert(tr.doc.content.size, tr.doc.firstChild!) }, '*   _new a_\n*   __b__\n\nc\n\n__d__\n\n*   _new a_\n*   __b__\n'],
  ['a copy of an edited item', '*   _a_\n*   b\n', (state) => { const { tr } = state; tr.insertText('new ', 3); const item = tr.doc.firstChild!.firstChild!; return tr.insert(1 + item.nodeSize, item) }, '*   _new a_\n*   _new a_\n*   b\n'],
  ['a moved and edited block', '> _a_\n\n__b__ c\n', ({ doc, tr }) => tr.delete(5, 10).insert(2, doc.child(1)).insertText('d', 6), '> __b__ dc\n>\n> _a_\n'],
  ['a moved block, with its bytes', '> _a_\n\n__b__\n', ({ doc, tr }) => tr.delete(5, 8).insert(2, doc.child(1)), '> __b__\n>\n> _a_\n'],
] // prettier-ignore

it.each(editCases)('writes %s', (_, text, edit, after) => {
  const { base, state } = openText(text)
  expect(savedText(base, state.apply(edit(state)).doc)).toEqual({ text: after, width: 0 })
})

it('writes nothing when an edit was undone by hand', () => {
  const { base, state } = openText(everyConstruct)
  const typed = state.apply(replaceWords(state, 'first', 'other'))
  const undone = typed.apply(replaceWords(typed, 'other', 'first'))
  expect(documentEdit(base, typed.doc)).toBeDefined()
  expect(documentEdit(base, undone.doc)).toBeUndefined()
})

it('changes nothing where a text has empty blocks', () => {
  for (const text of [
    '> \n\na\n',
    '- \n- b\n',
    '{% if a %}\n{% endif %}\n',
    '```\n```\n',
    '{% hint style="info" %}\n{% endhint %}\n',
    '$$\n$$\n',
    '|a|\n|-|\n||\n',
  ]) {
    const { base, state } = openText(text)
    expect([text, documentEdit(base, state.doc)]).toEqual([text, undefined])
  }
})

it('keeps a footnote whose text was removed', () => {
  const { base, state } = openText('a[^1]\n\n[^1]: b\n')
  const { doc } = state.apply(remove('footnote', 'b')(state))
  expect(documentEdit(base, doc)).toBeUndefined()
})

const folder = join(import.meta.dirname, '../../../docs')
const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.md'))

it.each(files.filter((_, index) => index % 12 === 0))('opens %s without a change', async (name) => {
  const text = await readFile(join(folder, name), 'utf8')
  const { base, state } = openText(text)
  expect(documentEdit(base, state.doc)).toBeUndefined()
})

/** Random edits of random blocks: each is a number for the place, one for the kind, and a word. */
const randomEdits = fc.array(
  fc.tuple(fc.nat(1e6), fc.nat(5), fc.constantFrom('x', 'new *word*', '[a](b)', '# c', '- ')),
  {
    minLength: 1,
    maxLength: 3,
  },
)

function randomEdit(state: EditorState, place: number, kind: number, word: string): Transaction {
  const blocks = blockNodesOf(state.doc)
  const texts = blocks.filter(({ node }) => node.isTextblock)
  const { node, position, parent } = texts[place % texts.length]!
  const middle = position + 1 + (node.content.size >> 1)
  const { tr } = state
  // What follows aligned text in its element is aligned as well.
  const isProse =
    node.type.name === 'paragraph' &&
    parent.type.name !== 'table_cell' &&
    attributesOf(node)['align'] === undefined
  switch (kind) {
    case 1:
      return isProse && node.content.size > 1 ? tr.split(middle) : tr.insertText(word, middle)
    case 2:
      return isProse ? tr.insert(position + node.nodeSize, paragraph(word)) : tr.insertText(word, middle)
    case 3:
      return isProse && node.content.size > 0
        ? tr.addMark(position + 1, middle, marks['bold']!.create())
        : tr.insertText(word, middle)
    case 4:
      return isProse && parent.type.name === 'doc' && parent.childCount > 1
        ? tr.delete(position, position + node.nodeSize)
        : tr.insertText(word, middle)
    default:
      return tr.insertText(word, middle)
  }
}

it('writes random edits as what they mean, and nothing outside of the blocks around them', () => {
  fc.assert(
    fc.property(randomEdits, (edits) => {
      const { base, state } = openText(everyConstruct)
      const edited = edits.reduce(
        (now, [place, kind, word]) => now.apply(randomEdit(now, place, kind, word)),
        state,
      )
      edited.doc.check()
      const { text, width } = savedText(base, edited.doc)
      expect([text, width]).toEqual([text, expect.toSatisfy((found: number) => found >= 0)])
      // What the document has as it was is in the text as it was.
      for (const node of edited.doc.children) {
        const block = base.origins.unchangedBlock(node)
        if (block) expect(text).toContain(everyConstruct.slice(block.span.start, block.span.end))
      }
    }),
    { numRuns: 15 },
  )
})

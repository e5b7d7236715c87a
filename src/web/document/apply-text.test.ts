import fc from 'fast-check'
import { type EditorState, TextSelection } from 'prosemirror-state'
import { Mapping } from 'prosemirror-transform'
import { expect, it } from 'vitest'
import { hashDocument } from '../../core/editing/canonical.js'
import { rebaseSplices } from '../../core/editing/rebase.js'
import { applySplices } from '../../core/editing/splice.js'
import { sourceOf } from '../../core/editing/testing.js'
import { type Snapshot, applyText } from './apply-text.js'
import { attributesOf } from './construct.js'
import { documentEdit } from './splices.js'
import { blockNodesOf, everyConstruct, openText } from './testing.js'
import { NodeWriter } from './to-blocks.js'

/** An editor whose transactions are recorded for the snapshot of what was saved last. */
function openEditor(text: string) {
  const { base, state: opened } = openText(text)
  let state = opened
  let snapshot: Snapshot = { doc: state.doc, base, mapping: new Mapping() }
  const dispatch = (
    change: (state: EditorState) => ReturnType<EditorState['tr']['scrollIntoView']>,
  ): void => {
    const { state: next, transactions } = state.applyTransaction(change(state))
    for (const { mapping } of transactions) snapshot.mapping.appendMapping(mapping)
    state = next
  }
  return {
    get state() {
      return state
    },
    type(after: string, words: string) {
      dispatch((now) => {
        let position: number | undefined
        now.doc.descendants((node, at) => {
          const index = node.isText ? node.text!.indexOf(after) : -1
          if (index >= 0) position ??= at + index + after.length
        })
        const tr = now.tr.insertText(words, position!)
        return tr.setSelection(TextSelection.create(tr.doc, position! + words.length))
      })
    },
    dispatch,
    /** The narrowest edit since the last version, which is on its way from now on. */
    save() {
      const edit = documentEdit(snapshot.base, state.doc)
      snapshot = { doc: state.doc, base: snapshot.base, mapping: new Mapping() }
      return edit?.widths[0] ?? []
    },
    pending: () => documentEdit(snapshot.base, state.doc)?.widths[0] ?? [],
    apply(next: string, asSource: Parameters<typeof applyText>[2]['asSource'] = []) {
      const version = { text: next, document: sourceOf(next), asSource }
      const applied = applyText(state.tr, snapshot, version)
      snapshot = applied.snapshot
      if (applied.transaction) state = state.applyTransaction(applied.transaction).state
      state.doc.check()
      return applied.transaction
    },
    /** Whether the document is what a text parses to. */
    isDocumentOf(text: string): boolean {
      const after = new NodeWriter(snapshot.base.origins).document(state.doc, snapshot.base.source.footnotes)
      return hashDocument({ ...snapshot.base.source, ...after }) === hashDocument(sourceOf(text))
    },
  }
}

it('changes no node when a save is acknowledged, and writes nothing again', () => {
  const editor = openEditor(everyConstruct)
  editor.type('Words', ' and more')
  const saved = applySplices(everyConstruct, editor.save())
  const { doc } = editor.state
  expect(editor.apply(saved)).toBeUndefined()
  expect(editor.state.doc).toBe(doc)
  expect(editor.pending()).toEqual([])
  editor.type('more', ' again')
  expect(applySplices(saved, editor.pending())).toBe(saved.replace('more', 'more again'))
})

it('applies what others wrote to the words around the cursor, which stays', () => {
  const editor = openEditor('_one_ two three\n\nfour\n')
  editor.type('three', ' and')
  const saved = applySplices('_one_ two three\n\nfour\n', editor.save())
  editor.type('and', ' mine')
  editor.apply(saved.replace('two', 'new two').replace('four', 'five'))
  expect(editor.state.doc.textContent).toBe('one new two three and minefive')
  expect(editor.state.selection.head).toBe('one new two three and mine'.length + 1)
  expect(editor.pending()).toEqual([{ start: 23, end: 23, text: ' mine' }])
})

const remoteCases: [name: string, text: string, theirs: string][] = [
  ['a block before', 'a\n\nb\n', 'new\n\na\n\nb\n'],
  ['a block behind', 'a\n\nb\n', 'a\n\nb\n\n## new\n'],
  ['no block', 'a\n\nb\n\nc\n', 'a\n\nc\n'],
  ['another kind of block', 'a\n\nb\n', 'a\n\n## b\n'],
  ['an item', '- a\n- b\n', '- a\n- new\n- b\n'],
  ['a tick', '- [ ] a\n- [ ] b\n', '- [ ] a\n- [x] b\n'],
  ['a loose list', '- a\n- b\n', '- a\n\n- b\n'],
  ['a style', '{% hint style="info" %}\na\n{% endhint %}\n', '{% hint style="danger" %}\na b\n{% endhint %}\n'],
  ['code', '```js\na\n```\n', '```ts\na\nb\n```\n'],
  ['a cell', '|a|b|\n|-|-|\n|c|d|\n', '|a|b|\n|-|-|\n|c|new|\n'],
  ['a row', '|a|b|\n|-|-|\n|c|d|\n', '|a|b|\n|-|-|\n|c|d|\n|e|f|\n'],
  ['a title of an expandable', '<details>\n\n<summary>a</summary>\n\nb\n\n</details>\n', '<details>\n\n<summary>c</summary>\n\nb\n\n</details>\n'],
  ['a footnote', 'a\n', 'a[^1]\n\n[^1]: b\n'],
  ['a text of a footnote', 'a[^1]\n\n[^1]: b\n', 'a[^1]\n\n[^1]: c\n'],
  ['no footnote', 'a[^1]\n\n[^1]: b\n', 'a\n'],
  ['marks', 'a b c\n', 'a **b** _c_\n'],
  ['repeated letters', 'aa\n', 'aaaa\n'],
  ['fewer repeated letters', 'aaaa\n', 'aa\n'],
  ['everything', 'a\n', '> b\n\n***\n'],
  ['nothing', 'a\n', ''],
] // prettier-ignore

it.each(remoteCases)('applies what others wrote: %s', (_, text, theirs) => {
  const editor = openEditor(text)
  editor.apply(theirs)
  expect(editor.isDocumentOf(theirs)).toBe(true)
  expect(editor.pending()).toEqual([])
  expect(editor.apply(theirs)).toBeUndefined()
})

it('keeps what is not saved yet when others remove a block before it, the block, or its words', () => {
  const editor = openEditor('one\n\ntwo\n\nthree four\n')
  editor.type('three', ' mine')
  editor.apply('two\n\nthree four\n')
  expect(editor.state.doc.textContent).toBe('twothree mine four')
  editor.apply('two\n\nfive\n')
  expect(editor.state.doc.textContent).toBe('twofive mine')
  editor.apply('two\n')
  expect(editor.state.doc.textContent).toBe('twofive mine')
  expect(applySplices('two\n', editor.pending())).toBe('two\n\nfive mine\n')
})

it('displays blocks as their source that are not what was meant', () => {
  const editor = openEditor('one\n\ntwo\n')
  editor.type('one', ' more')
  editor.save()
  editor.apply('one more\n\ntwo\n', [{ start: 0, end: 8, reason: 'Why' }])
  expect(editor.state.doc.firstChild!.attrs).toMatchObject({
    reason: 'Why',
    attributes: { source: 'one more' },
  })
  expect(editor.pending()).toEqual([])
})

it('keeps the keys of blocks, so that they have their origin after any number of saves', () => {
  const editor = openEditor('_one_\n\n__two__\n')
  const keys = () => blockNodesOf(editor.state.doc).map(({ node }) => node.attrs['key'] as number)
  const [one, two] = keys()
  editor.dispatch(({ tr }) => tr.split(2))
  expect(new Set(keys()).size).toBe(3)
  expect(keys()).toEqual(expect.arrayContaining([one, two]))
  const saved = applySplices('_one_\n\n__two__\n', editor.save())
  editor.apply(saved)
  editor.dispatch(({ doc, tr }) => tr.delete(0, doc.child(0).nodeSize))
  expect(editor.pending().length).toBe(1)
  expect(applySplices(saved, editor.pending())).toContain('__two__')
})

it('writes a copy as its original, however far that was saved when it was made', () => {
  const editor = openEditor('_one_ __two__\n\nthree\n')
  const duplicate = () =>
    editor.dispatch(({ doc, tr }) => tr.insert(doc.firstChild!.nodeSize, doc.firstChild!))
  editor.type('one', ' now')
  const saved = applySplices('_one_ __two__\n\nthree\n', editor.save())
  // On its way: the answer comes after the copy was made.
  duplicate()
  editor.apply(saved)
  const line = '_one now_ __two__\n\n'
  const copied = applySplices(saved, editor.pending())
  expect(copied).toBe(`${line}${line}three\n`)
  duplicate()
  editor.type('one now', ' and then')
  expect(applySplices(saved, editor.pending())).toBe(
    `${line.replace('now', 'now and then')}${line}${line}three\n`,
  )
})

const words = [
  'Words with',
  'first',
  'second item',
  'A quote',
  'Inside',
  'Left',
  'Only for',
  'What changed',
  'First',
  'last',
]
const cases = fc.record({
  saved: fc.constantFrom(...words),
  pending: fc.constantFrom(...words),
  theirs: fc.uniqueArray(fc.constantFrom(...words), { maxLength: 3 }),
  block: fc.constantFrom('', '\n\nA new block.\n', '\n\n- a list\n'),
})

it('has every word once, whoever wrote it', () => {
  fc.assert(
    fc.property(cases, ({ saved, pending, theirs, block }) => {
      const editor = openEditor(everyConstruct)
      editor.type(saved, ' SAVED')
      const splices = editor.save()
      editor.type(pending, ' PENDING')
      const mine = applySplices(everyConstruct, splices)
      let remote = everyConstruct
      for (const word of theirs) remote = remote.replace(word, `THEIRS ${word}`)
      remote = remote.replace('\n\nThe _last_', `${block}\n\nThe _last_`)
      const edits = theirs.map((word) => ({
        start: everyConstruct.indexOf(word),
        end: everyConstruct.indexOf(word),
        text: 'THEIRS ',
      }))
      const place = everyConstruct.indexOf('\n\nThe _last_')
      const came = [...edits, { start: place, end: place, text: block }].toSorted((a, b) => a.start - b.start)
      const merged = applySplices(mine, rebaseSplices(everyConstruct, came, splices).splices)
      editor.apply(merged)
      const next = applySplices(merged, editor.pending())
      const count = (word: string) => next.split(word).length - 1
      expect([count('SAVED'), count('PENDING'), count('THEIRS')]).toEqual([1, 1, theirs.length])
      expect(next.replace(/ PENDING|PENDING /, '')).toBe(merged)
      expect(attributesOf(editor.state.doc.firstChild!)).toBeDefined()
    }),
    { numRuns: 12 },
  )
})

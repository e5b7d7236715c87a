import { type Command, TextSelection } from 'prosemirror-state'
import { expect, it } from 'vitest'
import { documentSchema } from '../schema.js'
import { openText, savedText } from '../testing.js'
import {
  deleteBlock,
  duplicateBlock,
  insertBlocks,
  liftBlock,
  moveBlock,
  turnInto,
} from './block-commands.js'
import {
  addTableColumn,
  addTableRow,
  alignTableColumns,
  deleteTableColumn,
  deleteTableRow,
  moveTableColumns,
  moveTableRows,
} from './table-commands.js'
import { insertFootnote, setColor, setLink, toggleTextMark } from './text-commands.js'

/** The text after a command at some words, or with them selected; undefined where the command refuses. */
function after(text: string, words: string, command: Command, isSelected = false): string | undefined {
  const { base, state } = openText(text)
  let position = 0
  state.doc.descendants((node, at) => {
    const index = node.isText ? node.text!.indexOf(words) : -1
    if (index >= 0 && position === 0) position = at + index
  })
  const end = position + words.length
  let current = state.apply(
    state.tr.setSelection(TextSelection.create(state.doc, isSelected ? position : end, end)),
  )
  const isDone = command(current, (tr) => {
    current = current.applyTransaction(tr).state
  })
  current.doc.check()
  if (!isDone) return undefined
  const saved = savedText(base, current.doc)
  expect([saved.text, saved.width]).toEqual([saved.text, expect.toSatisfy((width: number) => width >= 0)])
  return saved.text
}

const table = '|a|b|\n|-|-|\n|_c_|d|\n|e|f|\n'
const rowsOf = (text: string | undefined) => text?.replaceAll(/ *\| */g, '|').replaceAll(/-+/g, '-')

const cases: [name: string, text: string, words: string, command: Command, expected: string | undefined][] = [
  ['move a block up', '_a_\n\nb\n', 'b', moveBlock('up'), 'b\n\n_a_\n'],
  ['move a block down', '_a_\n\nb\n', 'a', moveBlock('down'), 'b\n\n_a_\n'],
  ['move the first block up', '_a_\n\nb\n', 'a', moveBlock('up'), undefined],
  ['move an item', '* _a_\n* b\n', 'b', moveBlock('up'), '* b\n* _a_\n'],
  ['duplicate an item', '* _a_\n* b\n', 'a', duplicateBlock(), '* _a_\n* _a_\n* b\n'],
  ['delete a block', '_a_\n\nb\n', 'a', deleteBlock(), 'b\n'],
  ['delete the only block', 'a\n', 'a', deleteBlock(), '\n'],
  ['delete the only item', 'a\n\n- b\n', 'b', deleteBlock(), 'a\n'],
  ['insert behind', '_a_\n\nb\n', 'a', insertBlocks([documentSchema.nodes['divider']!.create()]), '_a_\n\n***\n\nb\n'],
  ['turn into a heading', '_a_\n', 'a', turnInto('heading-2'), '### _a_\n'],
  ['turn a heading into text', '## _a_\n', 'a', turnInto('paragraph'), '_a_\n'],
  ['turn into code', '_a_ b\n', 'a', turnInto('code'), '```\na b\n```\n'],
  ['turn code into text', '```\na\nb\n```\n', 'a', turnInto('paragraph'), 'a\\\nb\n'],
  ['turn into tasks', '- _a_\n- b\n', 'a', turnInto('tasks'), '- [ ] _a_\n- [ ] b\n'],
  ['turn into a quote', '_a_\n\nb\n', 'a', turnInto('quote'), '> _a_\n\nb\n'],
  ['turn into a hint', '_a_\n', 'a', turnInto('hint'), '{% hint style="info" %}\n_a_\n{% endhint %}\n'],
  ['turn into an expandable', 'a\n', 'a', turnInto('expandable'), '<details>\n\n<summary>a</summary>\n\n\n</details>\n'],
  ['make no heading in a cell', table, 'c', turnInto('heading-1'), undefined],
  ['lift out of a hint', '{% hint style="info" %}\n_a_\n{% endhint %}\n', 'a', liftBlock, '_a_\n'],
  ['add a row', table, 'c', addTableRow('after'), '|a|b|\n|-|-|\n|_c_|d|\n|||\n|e|f|\n'],
  ['add a row above', table, 'c', addTableRow('before'), '|a|b|\n|-|-|\n|||\n|_c_|d|\n|e|f|\n'],
  ['add no row above the titles', table, 'a', addTableRow('before'), undefined],
  ['remove a row', table, 'c', deleteTableRow, '|a|b|\n|-|-|\n|e|f|\n'],
  ['remove no titles', table, 'a', deleteTableRow, undefined],
  ['add a column', table, 'a', addTableColumn('after'), '|a||b|\n|-|-|-|\n|_c_||d|\n|e||f|\n'],
  ['remove a column', table, 'a', deleteTableColumn, '|b|\n|-|\n|d|\n|f|\n'],
  ['move a row', table, 'e', moveTableRows('up'), '|a|b|\n|-|-|\n|e|f|\n|_c_|d|\n'],
  ['move no row above the titles', table, 'c', moveTableRows('up'), undefined],
  ['move a column', table, 'a', moveTableColumns('right'), '|b|a|\n|-|-|\n|d|_c_|\n|f|e|\n'],
  ['align a column', table, 'c', alignTableColumns('right'), '|a|b|\n|-:|-|\n|_c_|d|\n|e|f|\n'],
] // prettier-ignore

it.each(cases)('can %s', (_, text, words, command, expected) => {
  const result = after(text, words, command)
  // How a table is padded does not matter.
  if (text === table) expect(rowsOf(result)?.replaceAll('*', '_')).toBe(rowsOf(expected))
  else expect(result).toBe(expected)
})

it('keeps the cursor in the cell whose row or column is moved', () => {
  const { state } = openText(table)
  let at = 0
  state.doc.descendants((node, position) => {
    if (node.isText && node.text === 'c') at = position + 1
  })
  for (const command of [moveTableRows('down'), moveTableColumns('right')]) {
    let moved = state.apply(state.tr.setSelection(TextSelection.create(state.doc, at)))
    expect(command(moved, (tr) => (moved = moved.apply(tr)))).toBe(true)
    const { $head, empty } = moved.selection
    expect([empty, $head.parent.textContent, $head.parentOffset]).toEqual([true, 'c', 1])
  }
})

const textCases: [name: string, text: string, words: string, command: Command, expected: string][] = [
  ['mark', 'a b c\n', 'b', toggleTextMark('bold'), 'a **b** c\n'],
  ['unmark', 'a __b__ c\n', 'b', toggleTextMark('bold'), 'a b c\n'],
  ['colour', 'a b c\n', 'b', setColor({ text: 'red' }), 'a <mark style="color:red;">b</mark> c\n'],
  ['link', 'a b c\n', 'b', setLink('x.md'), 'a [b](x.md) c\n'],
  ['unlink', 'a [b](x.md) c\n', 'b', setLink(undefined), 'a b c\n'],
  ['note', 'a b c\n', 'b', insertFootnote, 'a b[^1] c\n'],
] // prettier-ignore

it.each(textCases)('can %s words', (_, text, words, command, expected) => {
  const result = after(text, words, command, true)
  expect(result?.startsWith(expected.trimEnd())).toBe(true)
})

/**
 * Keys of the editor. The cursor is never trapped: arrows leave every block, and after Escape, Tab leaves the editor even
 * in lists, tables and code, where it indents.
 */
import {
  baseKeymap,
  chainCommands,
  createParagraphNear,
  exitCode,
  liftEmptyBlock,
  newlineInCode,
  setBlockType,
  splitBlockAs,
} from 'prosemirror-commands'
import { redo, undo } from 'prosemirror-history'
import { undoInputRule } from 'prosemirror-inputrules'
import { keydownHandler } from 'prosemirror-keymap'
import type { ResolvedPos } from 'prosemirror-model'
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list'
import { type Command, Plugin, Selection, TextSelection } from 'prosemirror-state'
import { addRowAfter, goToNextCell, isInTable } from 'prosemirror-tables'
import {
  deleteBlock,
  duplicateBlock,
  liftBlock,
  moveBlock,
  selectBlock,
  turnInto,
  turnIntoList,
} from '../commands/block-commands.js'
import { deleteTableRow, moveTableRows } from '../commands/table-commands.js'
import { insertBreak, toggleTextMark } from '../commands/text-commands.js'
import { attributesOf } from '../construct.js'
import { documentSchema } from '../schema.js'

const { nodes } = documentSchema
const item = nodes['list_item']!
const paragraph = nodes['paragraph']!

function hasAncestor($position: ResolvedPos, names: ReadonlySet<string>): boolean {
  for (let { depth } = $position; depth > 0; depth--)
    if (names.has($position.node(depth).type.name)) return true
  return false
}

/** A new task is not done yet. */
const splitItem: Command = (state, dispatch) => {
  const around = state.selection.$from.node(-1)
  if (around?.type !== item) return false
  const isTask = attributesOf(around)['checked'] !== undefined
  return splitListItem(item, { attributes: isTask ? { checked: false } : {} })(state, dispatch)
}

/** Titles and captions are one line: Enter goes on behind them. */
const leaveLine: Command = (state, dispatch) => {
  const { $from, empty } = state.selection
  const { name } = $from.parent.type
  if (!empty || !captions.has(name)) return false
  if (name === 'summary') {
    dispatch?.(
      state.tr.setSelection(TextSelection.near(state.doc.resolve($from.after() + 1))).scrollIntoView(),
    )
    return true
  }
  const depth = name === 'image' ? $from.depth - 1 : $from.depth
  const end = $from.after(depth)
  if (
    !$from.node(depth - 1).canReplaceWith($from.indexAfter(depth - 1), $from.indexAfter(depth - 1), paragraph)
  )
    return false
  const tr = state.tr.insert(end, paragraph.create())
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, end + 1)).scrollIntoView())
  return true
}
const captions = new Set(['summary', 'image', 'file', 'embed'])

const cells = new Set(['table_cell', 'table_header'])

/** A cell of a plain table is one line; its lines are parted by breaks. */
const breakInCell: Command = (state, dispatch) => {
  const { $from } = state.selection
  const isCell = cells.has($from.parent.type.name)
  const isInCell = $from.depth > 0 && cells.has($from.node(-1)?.type.name ?? '')
  if (!isCell && !(isInCell && $from.parent.type === paragraph)) return false
  return insertBreak(state, dispatch)
}

/** The second half of a heading is a heading without the anchor of the first, and behind its end text begins. */
const splitText = splitBlockAs((node, atEnd) => {
  if (atEnd || node.type.name !== 'heading')
    return atEnd && node.type.name === 'heading' ? { type: paragraph } : null
  const { id: _, ...attributes } = attributesOf(node)
  return { type: node.type, attrs: { key: null, attributes } }
})

/** An empty block at the end of a part leaves the whole: steps, tabs, columns, cards. */
const leaveContainer: Command = (state, dispatch) => {
  const { $from, empty } = state.selection
  if (!empty || $from.parent.content.size > 0 || $from.depth < 2) return false
  const depth = isolatingDepth($from)
  if (depth === undefined || $from.indexAfter(depth) !== $from.node(depth).childCount) return false
  if ($from.depth !== depth + 1 || $from.node(depth).childCount === 1) return false
  let outer = depth
  while (outer > 1 && $from.node(outer).type.spec.group !== 'block') outer--
  if (!dispatch) return true
  const tr = state.tr.delete($from.before(), $from.after())
  const end = tr.mapping.map($from.after(outer))
  tr.insert(end, paragraph.create()).setSelection(TextSelection.create(tr.doc, end + 1))
  dispatch(tr.scrollIntoView())
  return true
}

function isolatingDepth($position: ResolvedPos): number | undefined {
  for (let depth = $position.depth - 1; depth > 0; depth--)
    if ($position.node(depth).type.spec.isolating) return depth
  return undefined
}

/** Begins a paragraph behind the block of the page that the cursor is in, wherever in it. */
const leaveBlock: Command = (state, dispatch) => {
  const { $to } = state.selection
  if ($to.depth === 0) return false
  const top = $to.node(1)
  const end = top.type.name === 'footnote' ? $to.before(1) : $to.after(1)
  const tr = state.tr.insert(end, paragraph.create())
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, end + 1)).scrollIntoView())
  return true
}

/** At its start a heading, code or a lone item becomes text, and text leaves the container around it. */
const clearBlock: Command = (state, dispatch, view) => {
  const { $cursor } = state.selection as TextSelection
  if (!$cursor || (view ? !view.endOfTextblock('backward', state) : $cursor.parentOffset > 0)) return false
  const { name } = $cursor.parent.type
  if (
    name === 'heading' ||
    ((name === 'code' || name === 'math' || name === 'prompt') && $cursor.parent.content.size === 0)
  )
    return setBlockType(paragraph)(state, dispatch)
  if ($cursor.index(-1) !== 0) return false
  const around = $cursor.node(-1)
  if (around.type === item) return liftListItem(item)(state, dispatch)
  return around.type.spec.isolating || $cursor.depth < 2 ? false : liftBlock(state, dispatch)
}

/** In a table its rows are moved, and a row that cannot be moved further stays. */
const moveRow =
  (direction: 'up' | 'down'): Command =>
  (state, dispatch) =>
    moveTableRows(direction)(state, dispatch) || isInTable(state)

const indentation = '  '

const indentCode: Command = (state, dispatch) => {
  const { $from, $to } = state.selection
  if (!$from.parent.type.spec.code || !$from.sameParent($to)) return false
  if ($from.pos === $to.pos) {
    dispatch?.(state.tr.insertText(indentation).scrollIntoView())
    return true
  }
  return eachLine($from, $to, (line) => indentation + line)(state, dispatch)
}

const outdentCode: Command = (state, dispatch) => {
  const { $from, $to } = state.selection
  if (!$from.parent.type.spec.code || !$from.sameParent($to)) return false
  return eachLine($from, $to, (line) => line.replace(/^(?: {1,2}|\t)/, ''))(state, dispatch)
}

function eachLine($from: ResolvedPos, $to: ResolvedPos, change: (line: string) => string): Command {
  return (state, dispatch) => {
    const text = $from.parent.textContent
    const first = text.lastIndexOf('\n', $from.parentOffset - 1) + 1
    const lines = text.slice(first, $to.parentOffset).split('\n')
    const { tr } = state
    let at = $from.start() + first
    for (const line of lines) {
      const changed = change(line)
      if (changed.length > line.length) tr.insertText(changed.slice(0, changed.length - line.length), at)
      else if (changed.length < line.length) tr.delete(at, at + line.length - changed.length)
      at += changed.length + 1
    }
    dispatch?.(tr)
    return true
  }
}

/** Tab in the last cell begins a row. */
const nextCell: Command = (state, dispatch, view) => {
  if (!isInTable(state)) return false
  if (goToNextCell(1)(state, dispatch)) return true
  if (!dispatch || !view) return true
  addRowAfter(state, dispatch)
  return goToNextCell(1)(view.state, dispatch)
}

/** Keeps Tab in a list whose items cannot be indented further, rather than leave the editor by surprise. */
const stayInList: Command = (state) => hasAncestor(state.selection.$from, new Set(['list']))

/** Down in the last block that holds no text of its own begins a paragraph behind it. */
const downAtEnd: Command = (state, dispatch, view) => {
  const { $head, empty } = state.selection
  if (!empty || $head.depth === 0 || !view?.endOfTextblock('down')) return false
  const last = $head.indexAfter(0) === lastBlockIndex(state.doc)
  const top = $head.node(1)
  if (!last || isText(top)) return false
  if (isInTable(state) ? !isLastRow($head) : Selection.findFrom(state.doc.resolve($head.after()), 1, true))
    return false
  return leaveBlock(state, dispatch)
}

function isText({ isTextblock, type }: ResolvedPos['parent']): boolean {
  return isTextblock && !type.spec.code
}

function isLastRow($position: ResolvedPos): boolean {
  for (let { depth } = $position; depth > 0; depth--)
    if ($position.node(depth).type.name === 'table')
      return depth === 1 && $position.indexAfter(depth) === $position.node(depth).childCount
  return false
}

/** Up in a first block that is no text begins a paragraph before it. */
const upAtStart: Command = (state, dispatch, view) => {
  const { $head, empty } = state.selection
  if (!empty || $head.depth === 0 || !view?.endOfTextblock('up')) return false
  if ($head.index(0) !== 0 || isText($head.node(1))) return false
  const isFirst = isInTable(state)
    ? $head.node(1).type.name === 'table' && $head.index(1) === 0
    : !Selection.findFrom(state.doc.resolve($head.before()), -1, true)
  if (!isFirst) return false
  const tr = state.tr.insert(0, paragraph.create())
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, 1)).scrollIntoView())
  return true
}

function lastBlockIndex(doc: ResolvedPos['doc']): number {
  return doc.children.filter(({ type }) => type.name !== 'footnote').length
}

/** Commands that the app provides. */
export interface KeyCommands {
  readonly link?: () => void
  readonly find?: (withReplace: boolean) => void
  readonly blockMenu?: () => void
  /** Opens the form of what is selected; false where it has none. */
  readonly form?: () => boolean
}

/** A key of the app, where the app has what it opens. */
function opens(open: (() => void) | undefined): Command {
  return () => {
    open?.()
    return open !== undefined
  }
}

export function documentKeys({ link, find, blockMenu, form }: KeyCommands): Plugin {
  let doesTabLeave = false
  const keys: Record<string, Command> = {
    Enter: chainCommands(
      () => form?.() ?? false,
      newlineInCode,
      leaveLine,
      splitItem,
      endList,
      breakInCell,
      leaveContainer,
      createParagraphNear,
      liftEmptyBlock,
      splitText,
    ),
    'Mod-Enter': chainCommands(exitCode, leaveBlock),
    'Shift-Enter': insertBreak,
    Backspace: chainCommands(undoInputRule, clearBlock, baseKeymap['Backspace']!),
    Tab: chainCommands(nextCell, sinkListItem(item), indentCode, stayInList),
    'Shift-Tab': chainCommands(goToNextCell(-1), liftListItem(item), outdentCode),
    ArrowDown: downAtEnd,
    ArrowUp: upAtStart,
    'Mod-z': chainCommands(undoInputRule, undo),
    'Mod-Shift-z': redo,
    'Mod-y': redo,
    'Mod-b': toggleTextMark('bold'),
    'Mod-i': toggleTextMark('italic'),
    'Mod-u': toggleTextMark('underline'),
    'Mod-e': toggleTextMark('inline_code'),
    'Mod-Shift-x': toggleTextMark('strikethrough'),
    'Mod-k': opens(link),
    'Mod-f': opens(find && (() => find(false))),
    'Mod-h': opens(find && (() => find(true))),
    'Alt-Enter': opens(blockMenu),
    'Alt-ArrowUp': chainCommands(moveRow('up'), moveBlock('up')),
    'Alt-ArrowDown': chainCommands(moveRow('down'), moveBlock('down')),
    'Mod-Shift-d': duplicateBlock(),
    'Mod-Shift-Backspace': chainCommands(deleteTableRow, deleteBlock()),
    'Mod-Alt-0': turnInto('paragraph'),
    'Mod-Alt-1': turnInto('heading-1'),
    'Mod-Alt-2': turnInto('heading-2'),
    'Mod-Alt-3': turnInto('heading-3'),
    'Mod-Alt-c': turnInto('code'),
    'Mod-Shift-7': turnIntoList('numbers'),
    'Mod-Shift-8': turnIntoList('bullets'),
    'Mod-Shift-9': turnIntoList('tasks'),
    Escape: (state, dispatch) => {
      doesTabLeave = true
      return selectBlock(state, dispatch)
    },
  }
  const handle = keydownHandler(keys)
  return new Plugin({
    props: {
      handleKeyDown(view, event) {
        // Keys of an input method are its own.
        if (event.isComposing || event.keyCode === 229) return false
        if (event.key === 'Tab' && doesTabLeave) return false
        if (event.key !== 'Escape' && event.key !== 'Shift') doesTabLeave = false
        return handle(view, event)
      },
    },
  })
}

/** Enter in an empty item ends the list. */
function endList(...[state, dispatch, view]: Parameters<Command>): boolean {
  const { $from, empty } = state.selection
  const isEmpty = empty && $from.parent.content.size === 0 && $from.node(-1)?.type === item
  return isEmpty && $from.node(-1).childCount === 1 ? liftListItem(item)(state, dispatch, view) : false
}

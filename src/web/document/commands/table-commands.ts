/** Commands on tables: rows, columns, alignment. The row of titles is always the first, and stays. */
import { type Command, type EditorState, Selection, type Transaction } from 'prosemirror-state'
import {
  TableMap,
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  deleteColumn,
  deleteRow,
  deleteTable,
  isInTable,
  moveTableColumn,
  moveTableRow,
  selectedRect,
} from 'prosemirror-tables'
import { attributesOf, changedAttributes } from '../construct.js'

/** Whether the selection is in the row of titles. */
function isInTitles(state: EditorState): boolean {
  return isInTable(state) && selectedRect(state).top === 0
}

export function addTableRow(side: 'before' | 'after'): Command {
  return (state, dispatch) => {
    if (side === 'after') return addRowAfter(state, dispatch)
    return !isInTitles(state) && addRowBefore(state, dispatch)
  }
}

export function addTableColumn(side: 'before' | 'after'): Command {
  return side === 'before' ? addColumnBefore : addColumnAfter
}

/** Removes the selected rows; titles are only removed with the table. */
export const deleteTableRow: Command = (state, dispatch) => !isInTitles(state) && deleteRow(state, dispatch)

/** Removes the selected columns, and with the last one the table. */
export const deleteTableColumn: Command = (state, dispatch) => {
  if (!isInTable(state)) return false
  const { left, right, map } = selectedRect(state)
  return right - left === map.width ? deleteTable(state, dispatch) : deleteColumn(state, dispatch)
}

export function moveTableRows(direction: 'up' | 'down'): Command {
  return (state, dispatch) => {
    if (!isInTable(state)) return false
    const { top, map } = selectedRect(state)
    const target = direction === 'up' ? top - 1 : top + 1
    if (top === 0 || target === 0 || target >= map.height) return false
    return moveTableRow({ from: top, to: target, select: false })(
      state,
      dispatch && ((tr) => dispatch(withCursorIn(tr, state, { row: target }))),
    )
  }
}

export function moveTableColumns(direction: 'left' | 'right'): Command {
  return (state, dispatch) => {
    if (!isInTable(state)) return false
    const { left, map } = selectedRect(state)
    const target = direction === 'left' ? left - 1 : left + 1
    if (target < 0 || target >= map.width) return false
    return moveTableColumn({ from: left, to: target, select: false })(
      state,
      dispatch && ((tr) => dispatch(withCursorIn(tr, state, { column: target }))),
    )
  }
}

/** Returns the alignment of the first selected column. */
export function columnAlignment(state: EditorState): string | undefined {
  const { left, table } = selectedRect(state)
  const { align } = attributesOf(table.firstChild!.child(left))
  return typeof align === 'string' ? align : undefined
}

/** Puts the cursor where it was in its cell, which is in another row or column now. */
function withCursorIn(
  tr: Transaction,
  state: EditorState,
  place: { readonly row?: number; readonly column?: number },
): Transaction {
  const { left, top, table, tableStart, map } = selectedRect(state)
  const offset = state.selection.head - tableStart - map.positionAt(top, left, table)
  const moved = tr.doc.nodeAt(tableStart - 1)
  if (moved?.type !== table.type) return tr
  const cell = TableMap.get(moved).positionAt(place.row ?? top, place.column ?? left, moved)
  const position = Math.min(tableStart + cell + Math.max(1, offset), tr.doc.content.size)
  return tr.setSelection(Selection.near(tr.doc.resolve(position))).scrollIntoView()
}

/** Aligns the selected columns; undefined is as the language reads. */
export function alignTableColumns(align: 'left' | 'center' | 'right' | undefined): Command {
  return (state, dispatch) => {
    if (!isInTable(state)) return false
    const { left, right, table, tableStart } = selectedRect(state)
    const map = TableMap.get(table)
    const { tr } = state
    for (let row = 0; row < map.height; row++)
      for (let column = left; column < right; column++) {
        const offset = map.positionAt(row, column, table)
        const cell = table.nodeAt(offset)
        if (!cell) continue
        tr.setNodeAttribute(tableStart + offset, 'align', align ?? null)
        if (row > 0) continue
        const attributes = changedAttributes(attributesOf(cell), { align })
        tr.setNodeAttribute(tableStart + offset, 'attributes', attributes)
      }
    dispatch?.(tr)
    return true
  }
}

/** Runs a command with the cursor in a column of the table at a position. */
function inColumn(position: number, index: number, command: Command): Command {
  return (state, dispatch) => {
    const table = state.doc.nodeAt(position)
    const titles = table?.firstChild
    if (!titles || index >= titles.childCount) return false
    let at = position + 2
    for (let before = 0; before < index; before++) at += titles.child(before).nodeSize
    const inside = Selection.near(state.doc.resolve(at + 1))
    return command(
      state.apply(state.tr.setSelection(inside)),
      dispatch &&
        ((tr) => {
          const own = state.tr
          for (const step of tr.steps) own.step(step)
          dispatch(own)
        }),
    )
  }
}

/** Adds a column behind the last one of the table at a position. */
export function addTableColumnAt(position: number): Command {
  return (state, dispatch) => {
    const count = state.doc.nodeAt(position)?.firstChild?.childCount ?? 0
    return count > 0 && inColumn(position, count - 1, addColumnAfter)(state, dispatch)
  }
}

export function deleteTableColumnAt(position: number, index: number): Command {
  return inColumn(position, index, deleteTableColumn)
}

export function moveTableColumnAt(position: number, index: number, direction: -1 | 1): Command {
  return inColumn(position, index, moveTableColumns(direction < 0 ? 'left' : 'right'))
}

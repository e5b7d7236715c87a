/** Menus of the document: of a block (settings, turn into, duplicate, move, copy link, delete), and of a table. */
import { useState } from 'react'
import { deleteTable, isInTable } from 'prosemirror-tables'
import { type Command, NodeSelection, Selection, TextSelection } from 'prosemirror-state'
import {
  type TurnTarget,
  deleteBlock,
  duplicateBlock,
  liftBlock,
  moveBlock,
  turnInto,
  turnTargets,
} from '../document/commands/block-commands.js'
import {
  addTableColumn,
  addTableRow,
  alignTableColumns,
  columnAlignment,
  deleteTableColumn,
  deleteTableRow,
  moveTableColumns,
  moveTableRows,
} from '../document/commands/table-commands.js'
import { formsAround, openForm } from '../document/form.js'
import type { DocumentHandle } from '../document/mount.js'
import { documentText as text } from '../i18n/document-text.js'
import type { IconName } from '../ui/icon.js'
import { AnchoredMenu, type MenuEntry, type MenuGroups } from '../ui/menu.js'
import { formatKeys } from '../actions/actions.js'

interface MenuProps {
  readonly handle: DocumentHandle
  readonly anchor: Element
  readonly onClose: () => void
}

export function BlockMenu({
  handle,
  anchor,
  onCopyLink,
  onClose,
}: MenuProps & { readonly onCopyLink: () => void }) {
  const [isTurning, setTurning] = useState(false)
  const { view } = handle
  const { state } = view
  const can = (command: Command): boolean => command(state)
  const entry = (name: string, command: Command, more: Partial<MenuEntry> = {}): MenuEntry[] =>
    can(command) ? [{ name, run: () => handle.run(command), ...more }] : []
  const targets = turnTargets.filter((target) => can(turning(target)))
  const settings = formsAround(view).map(({ position, title }): MenuEntry => ({
    name: text.settingsOf(title),
    icon: 'settings',
    run: () => openForm(position)(view.state, view.dispatch),
  }))
  const groups: MenuGroups = [
    [
      ...settings,
      ...(targets.length > 0
        ? [
            {
              name: text.menu.turnInto,
              icon: 'refresh' as const,
              staysOpen: true,
              run: () => setTurning(true),
            },
          ]
        : []),
    ],
    [
      ...entry(text.menu.duplicate, duplicateBlock(), { icon: 'copy', keys: formatKeys('Mod+Shift+D') }),
      ...entry(text.menu.moveUp, moveBlock('up'), { icon: 'arrowUp', keys: formatKeys('Alt+↑') }),
      ...entry(text.menu.moveDown, moveBlock('down'), { icon: 'arrowDown', keys: formatKeys('Alt+↓') }),
      ...entry(text.menu.unwrap, liftBlock, { icon: 'arrowLeft' }),
      { name: text.menu.copyLink, icon: 'link', run: onCopyLink },
    ],
    isInTable(state) ? tableEntries(handle).flat() : [],
    entry(text.menu.delete, deleteBlock(), {
      icon: 'trash',
      isDanger: true,
      keys: formatKeys('Mod+Shift+Backspace'),
    }),
  ]
  const turnGroups: MenuGroups = [
    targets.map((target) => ({
      name: text.turnTargets[target],
      run: () => handle.run(turning(target)),
    })),
  ]
  return isTurning ? (
    <AnchoredMenu
      key="turn"
      label={text.menu.turnIntoTitle}
      anchor={anchor}
      groups={turnGroups}
      onClose={onClose}
    />
  ) : (
    <AnchoredMenu key="block" label={text.blockMenu} anchor={anchor} groups={groups} onClose={onClose} />
  )
}

/** Turns the text of a selected block: commands on text need a cursor in it. */
function turning(target: TurnTarget): Command {
  return (state, dispatch) => {
    const { selection, doc } = state
    if (!(selection instanceof NodeSelection)) return turnInto(target)(state, dispatch)
    const inside = Selection.findFrom(doc.resolve(selection.from + 1), 1, true)
    const end = selection.to
    if (!(inside instanceof TextSelection) || inside.from >= end) return false
    const last = Selection.findFrom(doc.resolve(end - 1), -1, true) ?? inside
    const selected = state.apply(state.tr.setSelection(TextSelection.create(doc, inside.from, last.to)))
    return turnInto(target)(
      selected,
      dispatch &&
        ((tr) => {
          const own = state.tr
          for (const step of tr.steps) own.step(step)
          dispatch(own.setSelection(TextSelection.near(own.doc.resolve(tr.selection.from))).scrollIntoView())
        }),
    )
  }
}

export function TableMenu({ handle, anchor, onClose }: MenuProps) {
  return (
    <AnchoredMenu label={text.tableMenu} anchor={anchor} groups={tableEntries(handle)} onClose={onClose} />
  )
}

/** What can be done with the rows and columns of the selection. */
function tableEntries(handle: DocumentHandle): MenuGroups {
  const { state } = handle.view
  const entries = (list: readonly (readonly [name: string, command: Command, more?: Partial<MenuEntry>])[]) =>
    list.flatMap(([name, command, more]): MenuEntry[] =>
      command(state) ? [{ name, run: () => handle.run(command), ...more }] : [],
    )
  const current = isInTable(state) ? columnAlignment(state) : undefined
  /** The alignment of the column is taken back by its entry. */
  const alignment = (align: 'left' | 'center' | 'right', name: string, icon: IconName) =>
    [
      name,
      alignTableColumns(align === current ? undefined : align),
      { icon, isChecked: align === current },
    ] as const
  const table = formsAround(handle.view).find(
    ({ position }) => state.doc.nodeAt(position)?.type.name === 'table',
  )
  return [
    entries([
      [text.table.rowAbove, addTableRow('before'), { icon: 'plus' }],
      [text.table.rowBelow, addTableRow('after'), { icon: 'plus' }],
      [text.table.moveRowUp, moveTableRows('up'), { icon: 'arrowUp' }],
      [text.table.moveRowDown, moveTableRows('down'), { icon: 'arrowDown' }],
      [text.table.deleteRow, deleteTableRow, { icon: 'trash' }],
    ]),
    entries([
      [text.table.columnBefore, addTableColumn('before'), { icon: 'plus' }],
      [text.table.columnAfter, addTableColumn('after'), { icon: 'plus' }],
      [text.table.moveColumnLeft, moveTableColumns('left'), { icon: 'arrowLeft' }],
      [text.table.moveColumnRight, moveTableColumns('right'), { icon: 'arrowRight' }],
      alignment('left', text.table.alignLeft, 'alignLeft'),
      alignment('center', text.table.alignCenter, 'alignCenter'),
      alignment('right', text.table.alignRight, 'alignRight'),
      [text.table.deleteColumn, deleteTableColumn, { icon: 'trash' }],
    ]),
    [
      ...(table === undefined
        ? []
        : [
            {
              name: text.table.columnSettings,
              icon: 'settings' as const,
              run: () => void openForm(table.position)(handle.view.state, handle.view.dispatch),
            },
          ]),
      ...entries([[text.table.deleteTable, deleteTable, { icon: 'trash', isDanger: true }]]),
    ],
  ]
}

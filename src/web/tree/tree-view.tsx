/**
 * Tree view (WAI-ARIA tree pattern), virtual: of ten thousand rows only those in view are in the document. The focus
 * stays on the tree, and `aria-activedescendant` names the current row. Rows can be selected where `onSelect` is set,
 * dragged where `onMove` is, renamed in place where `onRename` is, and have a menu where `onMenu` is.
 */
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { PopoverAnchor } from '../ui/popover.js'
import { type TreeNode, rowsBetween, visibleRows } from './rows.js'
import { type RowHandlers, TreeRowView } from './tree-row.js'
import type { TreeMove } from './drag-rows.js'
import './tree-view.css'

const rowHeight = 28
const touchRowHeight = 40
const isCoarse = window.matchMedia('(pointer: coarse)')

export interface TreeViewProps<Node extends TreeNode & { readonly children: readonly Node[] }> {
  readonly label: string
  readonly nodes: readonly Node[]
  readonly expanded: ReadonlySet<string>
  readonly onToggle: (ids: readonly string[], isExpanded: boolean) => void
  readonly current: string | undefined
  readonly onOpen: (node: Node) => void
  readonly onHover?: (node: Node) => void
  /** Stable between renderings, as rows are rendered again only where their props change. */
  readonly renderIcon: (node: Node) => ReactNode
  readonly renderEnd?: (node: Node) => ReactNode
  readonly selected?: ReadonlySet<string>
  readonly onSelect?: (ids: ReadonlySet<string>) => void
  readonly onMove?: (move: TreeMove) => void
  /** The node whose title is being edited. */
  readonly renaming?: string | undefined
  readonly onRenaming?: (id: string | undefined) => void
  readonly onRename?: (node: Node, title: string) => void
  readonly onDelete?: (node: Node) => void
  readonly onMenu?: (node: Node, anchor: PopoverAnchor) => void
}

const nothing: ReadonlySet<string> = new Set()

export function TreeView<Node extends TreeNode & { readonly children: readonly Node[] }>(
  props: TreeViewProps<Node>,
) {
  const { label, nodes, expanded, onToggle, current, onOpen, onMove, onSelect, onRenaming } = props
  const { selected = nothing, onDelete, onMenu } = props
  const rows = useMemo(() => visibleRows(nodes, expanded), [nodes, expanded])
  const indexes = useMemo(() => new Map(rows.map(({ node }, at) => [node.id, at])), [rows])
  const [focused, setFocused] = useState<string>()
  /** Where a selection of several rows begins. */
  const anchor = useRef<string>(undefined)
  const scroller = useRef<HTMLDivElement>(null)
  const idPrefix = useId()
  const typed = useRef({ text: '', at: 0 })

  const rowSize = isCoarse.matches ? touchRowHeight : rowHeight
  // The same function while the rows are the same: with another one all of them are measured again, with every frame.
  const getItemKey = useCallback((index: number) => rows[index]!.node.id, [rows])
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowSize,
    overscan: 4,
    getItemKey,
  })
  const indexOf = (id: string | undefined) => (id === undefined ? -1 : (indexes.get(id) ?? -1))
  const focusedIndex = Math.max(0, indexOf(focused ?? current))
  const focusedRow = rows[focusedIndex]

  const currentIndex = indexOf(current)
  useEffect(() => {
    if (currentIndex >= 0) virtualizer.scrollToIndex(currentIndex, { align: 'auto' })
    // Only when another page opens: a reader who scrolls is left alone.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [current, currentIndex >= 0])

  const focusRow = (index: number) => {
    const row = rows[Math.min(Math.max(index, 0), rows.length - 1)]
    if (row === undefined) return
    setFocused(row.node.id)
    virtualizer.scrollToIndex(indexOf(row.node.id), { align: 'auto' })
  }

  /** Moves the focus; with Shift the selection goes along from where it began, without it there is none any more. */
  const stepTo = (index: number, isExtending: boolean) => {
    const to = Math.min(Math.max(index, 0), rows.length - 1)
    if (onSelect !== undefined && isExtending) {
      const from = indexOf(anchor.current)
      if (from < 0) anchor.current = focusedRow?.node.id
      onSelect(new Set(rowsBetween(rows, from < 0 ? focusedIndex : from, to)))
    } else {
      anchor.current = undefined
    }
    focusRow(to)
  }
  const toggleSelected = (id: string) => {
    anchor.current = id
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect!(next)
  }
  /** The rows that an action on one of them is about. */
  const taken = (id: string): readonly string[] => (selected.has(id) ? [...selected] : [id])

  const handlers = useRef<RowHandlers<Node>>(undefined!)
  handlers.current = {
    open: (node, { isAdding, isExtending }) => {
      setFocused(node.id)
      if (onSelect !== undefined && isExtending) {
        const from = indexOf(anchor.current ?? current)
        onSelect(new Set(rowsBetween(rows, from < 0 ? 0 : from, indexOf(node.id))))
        return
      }
      if (onSelect !== undefined && isAdding) return toggleSelected(node.id)
      anchor.current = node.id
      if (selected.size > 0) onSelect?.(nothing)
      onOpen(node)
    },
    toggle: (node, isExpanded) => onToggle([node.id], isExpanded),
    hover: (node) => props.onHover?.(node),
    menu: (node, at) => {
      setFocused(node.id)
      if (selected.size > 0 && !selected.has(node.id)) onSelect?.(nothing)
      onMenu?.(node, at)
    },
    startRename: (node) => onRenaming?.(node.id),
    rename: (node, title) => {
      onRenaming?.(undefined)
      scroller.current?.focus()
      if (title !== undefined && title !== '' && title !== node.title) props.onRename?.(node, title)
    },
    taken,
    canDrop: (ids, target) => {
      // Not on themselves, nor below themselves.
      for (let id: string | undefined = target; id !== undefined; id = rows[indexOf(id)]?.parent)
        if (ids.includes(id)) return false
      return true
    },
    drop: (move) => onMove?.(move),
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (focusedRow === undefined || event.nativeEvent.isComposing || event.target !== event.currentTarget)
      return
    const { node, isExpanded, parent } = focusedRow
    const hasChildren = node.children.length > 0
    const isMod = event.ctrlKey || event.metaKey
    const isHandled = event.altKey
      ? !isMod && onMove !== undefined && moveByKey(event.key)
      : isMod
        ? selectByKey(event.key)
        : runKey()
    if (isHandled) event.preventDefault()

    function runKey(): boolean {
      switch (event.key) {
        case 'ArrowDown':
          stepTo(focusedIndex + 1, event.shiftKey)
          return true
        case 'ArrowUp':
          stepTo(focusedIndex - 1, event.shiftKey)
          return true
        case 'ArrowRight':
          if (hasChildren && !isExpanded) onToggle([node.id], true)
          else if (hasChildren) focusRow(focusedIndex + 1)
          return true
        case 'ArrowLeft':
          if (isExpanded) onToggle([node.id], false)
          else if (parent !== undefined) focusRow(indexOf(parent))
          return true
        case 'Home':
          stepTo(0, event.shiftKey)
          return true
        case 'End':
          stepTo(rows.length - 1, event.shiftKey)
          return true
        case 'Enter':
          onOpen(node)
          return true
        case ' ':
          if (onSelect === undefined) onOpen(node)
          else toggleSelected(node.id)
          return true
        case 'Escape':
          if (selected.size === 0) return false
          onSelect?.(nothing)
          return true
        case 'F2':
          onRenaming?.(node.id)
          return true
        case 'Delete':
        case 'Backspace':
          onDelete?.(node)
          return onDelete !== undefined
        case 'ContextMenu':
          return openMenu()
        case 'F10':
          return event.shiftKey && openMenu()
        case '*':
          onToggle(
            rows
              .filter((row) => row.parent === parent && row.node.children.length > 0)
              .map((row) => row.node.id),
            true,
          )
          return true
        default:
          if (event.key.length !== 1) return false
          findByLetters(event.key)
          return true
      }
    }
    function openMenu(): boolean {
      const element = document.getElementById(`${idPrefix}-${node.id}`)
      if (onMenu === undefined || element === null) return false
      onMenu(node, element)
      return true
    }
  }

  function selectByKey(key: string): boolean {
    if (onSelect === undefined) return false
    if (key === 'a' || key === 'A') onSelect(new Set(rows.map(({ node }) => node.id)))
    else if (key === ' ') toggleSelected(focusedRow!.node.id)
    else if (key === 'ArrowDown') focusRow(focusedIndex + 1)
    else if (key === 'ArrowUp') focusRow(focusedIndex - 1)
    else return false
    return true
  }

  /** Alt with an arrow moves rows among their siblings, out of their parent, or into the sibling above. */
  function moveByKey(key: string): boolean {
    const { node, parent } = focusedRow!
    const ids = taken(node.id)
    const siblings = rows.filter((row) => row.parent === parent).map((row) => row.node.id)
    const positions = ids.map((id) => siblings.indexOf(id)).filter((at) => at >= 0)
    const above = siblings[Math.min(...positions) - 1]
    const below = siblings[Math.max(...positions) + 1]
    const move = (target: string | undefined, place: TreeMove['place']) => {
      if (target === undefined) return
      if (place === 'into') onToggle([target], true)
      onMove!({ ids, target, place })
    }
    if (key === 'ArrowUp') move(above, 'before')
    else if (key === 'ArrowDown') move(below, 'after')
    else if (key === 'ArrowLeft') move(parent, 'after')
    else if (key === 'ArrowRight') move(above, 'into')
    else return false
    return true
  }

  function findByLetters(letter: string): void {
    const now = performance.now()
    const letters = (now - typed.current.at < 800 ? typed.current.text : '') + letter.toLowerCase()
    typed.current = { text: letters, at: now }
    const start = focusedIndex + (letters.length === 1 ? 1 : 0)
    const order = [...rows.slice(start), ...rows.slice(0, start)]
    const found = order.find(({ node }) => node.title.toLowerCase().startsWith(letters))
    if (found !== undefined) focusRow(indexOf(found.node.id))
  }

  return (
    <div
      ref={scroller}
      className="tree"
      role="tree"
      aria-label={label}
      aria-multiselectable={onSelect !== undefined || undefined}
      tabIndex={0}
      aria-activedescendant={focusedRow === undefined ? undefined : `${idPrefix}-${focusedRow.node.id}`}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => onMenu !== undefined && event.preventDefault()}
      onBlur={(event) => {
        if (event.target === event.currentTarget && !event.currentTarget.contains(event.relatedTarget))
          setFocused((id) => (onMenu === undefined ? undefined : id))
      }}
    >
      <div className="tree-rows" role="presentation" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index]!
          return (
            <TreeRowView
              key={item.key}
              row={row}
              id={`${idPrefix}-${row.node.id}`}
              top={item.start}
              height={item.size}
              isFocused={row === focusedRow}
              isCurrent={row.node.id === current}
              isSelected={onSelect === undefined ? row.node.id === current : selected.has(row.node.id)}
              isRenaming={props.renaming === row.node.id}
              isMovable={onMove !== undefined && !isCoarse.matches}
              isRenamable={props.onRename !== undefined}
              hasMenu={onMenu !== undefined}
              isTouch={isCoarse.matches}
              renderIcon={props.renderIcon}
              renderEnd={props.renderEnd}
              handlers={handlers}
            />
          )
        })}
      </div>
    </div>
  )
}

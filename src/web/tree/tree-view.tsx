/**
 * Tree view (WAI-ARIA tree pattern), virtual: of ten thousand rows only those in view are in the document. The focus
 * stays on the tree, and `aria-activedescendant` names the current row. Rows can be dragged where `onMove` is set.
 */
import { attachInstruction, extractInstruction } from '@atlaskit/pragmatic-drag-and-drop-hitbox/list-item'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { text } from '../i18n/text.js'
import { Icon } from '../ui/icon.js'
import { type TreeNode, type TreeRow, visibleRows } from './rows.js'
import './tree-view.css'

const rowHeight = 28
const touchRowHeight = 40
const isCoarse = window.matchMedia('(pointer: coarse)')

/** Where a dragged node goes: before or after another one, or into it as its last child. */
export interface TreeMove {
  readonly id: string
  readonly target: string
  readonly place: 'before' | 'after' | 'into'
}

export interface TreeViewProps<Node extends TreeNode & { readonly children: readonly Node[] }> {
  readonly label: string
  readonly nodes: readonly Node[]
  readonly expanded: ReadonlySet<string>
  readonly onToggle: (id: string, isExpanded: boolean) => void
  readonly current: string | undefined
  readonly onOpen: (node: Node) => void
  readonly onHover?: (node: Node) => void
  readonly renderIcon: (node: Node) => ReactNode
  readonly renderEnd?: (node: Node) => ReactNode
  readonly onMove?: (move: TreeMove) => void
  readonly onRename?: (node: Node) => void
  readonly onDelete?: (node: Node) => void
}

export function TreeView<Node extends TreeNode & { readonly children: readonly Node[] }>(
  props: TreeViewProps<Node>,
) {
  const { label, nodes, expanded, onToggle, current, onOpen, onRename, onDelete, onMove } = props
  const rows = useMemo(() => visibleRows(nodes, expanded), [nodes, expanded])
  const [focused, setFocused] = useState<string>()
  const scroller = useRef<HTMLDivElement>(null)
  const idPrefix = useId()
  const typed = useRef({ text: '', at: 0 })

  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isCoarse.matches ? touchRowHeight : rowHeight),
    overscan: 8,
    getItemKey: (index) => rows[index]!.node.id,
  })
  const indexOf = (id: string | undefined) => rows.findIndex(({ node }) => node.id === id)
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

  const onKeyDown = (event: KeyboardEvent) => {
    if (focusedRow === undefined || event.nativeEvent.isComposing) return
    const { node, isExpanded, parent } = focusedRow
    const hasChildren = node.children.length > 0
    const isMoving = event.altKey && onMove !== undefined
    if (isMoving && moveByKey(event.key)) return event.preventDefault()
    if (event.ctrlKey || event.metaKey || event.altKey) return undefined
    switch (event.key) {
      case 'ArrowDown':
        focusRow(focusedIndex + 1)
        break
      case 'ArrowUp':
        focusRow(focusedIndex - 1)
        break
      case 'ArrowRight':
        if (hasChildren && !isExpanded) onToggle(node.id, true)
        else if (hasChildren) focusRow(focusedIndex + 1)
        break
      case 'ArrowLeft':
        if (isExpanded) onToggle(node.id, false)
        else if (parent !== undefined) focusRow(indexOf(parent))
        break
      case 'Home':
        focusRow(0)
        break
      case 'End':
        focusRow(rows.length - 1)
        break
      case 'Enter':
      case ' ':
        onOpen(node)
        break
      case 'F2':
        onRename?.(node)
        break
      case 'Delete':
        onDelete?.(node)
        break
      case '*':
        for (const row of rows) if (row.parent === parent) onToggle(row.node.id, true)
        break
      default:
        if (event.key.length !== 1) return undefined
        findByLetters(event.key)
    }
    return event.preventDefault()
  }

  /** Alt with an arrow moves the row among its siblings, out of its parent, or into the sibling above. */
  function moveByKey(key: string): boolean {
    const { node, parent, position } = focusedRow!
    const siblings = rows.filter((row) => row.parent === parent)
    const move = (target: string | undefined, place: TreeMove['place']) => {
      if (target === undefined) return false
      if (place === 'into') onToggle(target, true)
      onMove!({ id: node.id, target, place })
      return true
    }
    if (key === 'ArrowUp') return move(siblings[position - 2]?.node.id, 'before')
    if (key === 'ArrowDown') return move(siblings[position]?.node.id, 'after')
    if (key === 'ArrowLeft') return move(parent, 'after')
    if (key === 'ArrowRight') return move(siblings[position - 2]?.node.id, 'into')
    return false
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
      tabIndex={0}
      aria-activedescendant={focusedRow === undefined ? undefined : `${idPrefix}-${focusedRow.node.id}`}
      onKeyDown={onKeyDown}
      onBlur={() => setFocused(undefined)}
    >
      <div className="tree-rows" role="presentation" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index]!
          return (
            <TreeRowView
              key={item.key}
              {...props}
              row={row}
              id={`${idPrefix}-${row.node.id}`}
              top={item.start}
              height={item.size}
              isFocused={row === focusedRow}
            />
          )
        })}
      </div>
    </div>
  )
}

function TreeRowView<Node extends TreeNode & { readonly children: readonly Node[] }>({
  row,
  id,
  top,
  height,
  isFocused,
  current,
  onToggle,
  onOpen,
  onHover,
  onMove,
  renderIcon,
  renderEnd,
}: TreeViewProps<Node> & {
  readonly row: TreeRow<Node>
  readonly id: string
  readonly top: number
  readonly height: number
  readonly isFocused: boolean
}) {
  const { node, depth, position, siblings, isExpanded } = row
  const hasChildren = node.children.length > 0
  const element = useRef<HTMLDivElement>(null)
  const [drop, setDrop] = useState<TreeMove['place']>()
  const isMovable = onMove !== undefined
  const move = useRef(onMove)
  move.current = onMove
  const containsNode = useRef(node)
  containsNode.current = node

  useEffect(() => {
    if (!isMovable || element.current === null) return undefined
    const leave = () => setDrop(undefined)
    return combine(
      draggable({ element: element.current, getInitialData: () => ({ treeNode: node.id }) }),
      dropTargetForElements({
        element: element.current,
        canDrop: ({ source }) =>
          typeof source.data['treeNode'] === 'string' && source.data['treeNode'] !== node.id,
        getData: ({ input, element }) =>
          attachInstruction(
            { treeTarget: node.id },
            {
              input,
              element,
              operations: {
                'reorder-before': 'available',
                'reorder-after': 'available',
                combine: 'available',
              },
            },
          ),
        onDrag: ({ self }) => setDrop(placeOf(extractInstruction(self.data)?.operation)),
        onDragLeave: leave,
        onDrop: ({ self, source }) => {
          leave()
          const place = placeOf(extractInstruction(self.data)?.operation)
          const moved = source.data['treeNode'] as string
          if (place !== undefined) move.current?.({ id: moved, target: node.id, place })
        },
      }),
    )
  }, [isMovable, node.id])

  return (
    <div
      ref={element}
      id={id}
      role="treeitem"
      aria-level={depth + 1}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={hasChildren ? isExpanded : undefined}
      aria-selected={node.id === current}
      className={`tree-row ${isFocused ? 'is-focused' : ''} ${drop === undefined ? '' : `is-drop-${drop}`}`}
      style={{ top, height, paddingInlineStart: `${0.375 + depth * 0.875}rem` }}
      onClick={() => onOpen(node)}
      onPointerEnter={() => onHover?.(node)}
    >
      <span
        className="tree-toggle"
        aria-hidden="true"
        title={hasChildren ? (isExpanded ? text.space.collapse : text.space.expand) : undefined}
        onClick={(event) => {
          if (!hasChildren) return
          event.stopPropagation()
          onToggle(node.id, !isExpanded)
        }}
      >
        {hasChildren && <Icon name={isExpanded ? 'chevronDown' : 'chevronRight'} />}
      </span>
      {renderIcon(node)}
      <span className="tree-title">{node.title || text.common.untitled}</span>
      {renderEnd?.(node)}
    </div>
  )
}

function placeOf(operation: string | undefined): TreeMove['place'] | undefined {
  if (operation === 'reorder-before') return 'before'
  if (operation === 'reorder-after') return 'after'
  return operation === 'combine' ? 'into' : undefined
}

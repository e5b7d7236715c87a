/** One row of a tree view: toggle, icon, title or the field that renames it, and its menu button. */
import { type ReactNode, type RefObject, memo, useEffect, useRef, useState } from 'react'
import { text } from '../i18n/text.js'
import { useEditedValue } from '../ui/edited-value.js'
import { Icon } from '../ui/icon.js'
import type { PopoverAnchor } from '../ui/popover.js'
import { type TreeMove, dragRows } from './drag-rows.js'
import type { TreeNode, TreeRow } from './rows.js'

export interface RowHandlers<Node extends TreeNode> {
  readonly open: (node: Node, how: { readonly isAdding: boolean; readonly isExtending: boolean }) => void
  readonly toggle: (node: Node, isExpanded: boolean) => void
  readonly hover: (node: Node) => void
  readonly menu: (node: Node, anchor: PopoverAnchor) => void
  readonly startRename: (node: Node) => void
  /** Ends the renaming; without a title nothing changes. */
  readonly rename: (node: Node, title: string | undefined) => void
  /** The rows that move with one. */
  readonly taken: (id: string) => readonly string[]
  readonly canDrop: (ids: readonly string[], target: string) => boolean
  readonly drop: (move: TreeMove) => void
}

interface RowProps<Node extends TreeNode> {
  readonly row: TreeRow<Node>
  readonly id: string
  readonly top: number
  readonly height: number
  readonly isFocused: boolean
  readonly isCurrent: boolean
  readonly isSelected: boolean
  readonly isRenaming: boolean
  readonly isMovable: boolean
  readonly isRenamable: boolean
  readonly hasMenu: boolean
  /** On a touch screen, where nothing is hovered. */
  readonly isTouch: boolean
  readonly renderIcon: (node: Node) => ReactNode
  readonly renderEnd: ((node: Node) => ReactNode) | undefined
  readonly handlers: RefObject<RowHandlers<Node>>
}

/** Milliseconds of a long press. */
const longPress = 500

/** Rendered again only where its props change: scrolling renders the rows that come into view. */
export const TreeRowView = memo(RowView) as <Node extends TreeNode>(props: RowProps<Node>) => ReactNode

function RowView<Node extends TreeNode>(props: RowProps<Node>) {
  const { row, id, top, height, isFocused, isCurrent, isSelected, isRenaming, isMovable, handlers } = props
  const { node, depth, position, siblings, isExpanded } = row
  const hasChildren = node.children.length > 0
  const element = useRef<HTMLDivElement>(null)
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; isLong: boolean }>(undefined)
  const [drop, setDrop] = useState<TreeMove['place']>()
  const [isHovered, setHovered] = useState(false)

  useEffect(() => {
    if (!isMovable || isRenaming || element.current === null) return undefined
    return dragRows(element.current, { id: node.id, handlers, onPlace: setDrop })
  }, [isMovable, isRenaming, node.id, handlers])

  // A parent that something is held over opens.
  useEffect(() => {
    if (drop !== 'into' || !hasChildren || isExpanded) return undefined
    const timer = setTimeout(() => handlers.current.toggle(node, true), 700)
    return () => clearTimeout(timer)
  }, [drop, hasChildren, isExpanded, node, handlers])

  const endPress = () => clearTimeout(press.current?.timer)
  return (
    <div
      ref={element}
      id={id}
      role="treeitem"
      // Not by its buttons.
      aria-labelledby={isRenaming ? undefined : `${id}-title`}
      aria-level={depth + 1}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={hasChildren ? isExpanded : undefined}
      aria-selected={isSelected}
      aria-current={isCurrent ? 'page' : undefined}
      className={`tree-row ${isFocused ? 'is-focused' : ''} ${drop === undefined ? '' : `is-drop-${drop}`}`}
      style={{ top, height, '--tree-indent': `${0.375 + depth * 0.875}rem` } as React.CSSProperties}
      onClick={(event) => {
        if (isRenaming || press.current?.isLong === true) return
        handlers.current.open(node, {
          isAdding: event.ctrlKey || event.metaKey,
          isExtending: event.shiftKey,
        })
      }}
      onDoubleClick={() => props.isRenamable && !isRenaming && handlers.current.startRename(node)}
      onPointerEnter={() => {
        setHovered(true)
        handlers.current.hover(node)
      }}
      onPointerLeave={() => setHovered(false)}
      onContextMenu={(event) => {
        if (!props.hasMenu || isRenaming) return
        event.preventDefault()
        handlers.current.menu(node, pointAt(event.clientX, event.clientY))
      }}
      onTouchStart={() => {
        if (!props.hasMenu || isRenaming) return
        endPress()
        const timer = setTimeout(() => {
          press.current!.isLong = true
          handlers.current.menu(node, element.current!)
        }, longPress)
        press.current = { timer, isLong: false }
      }}
      onTouchMove={endPress}
      onTouchEnd={(event) => {
        endPress()
        // The click that follows would close the menu.
        if (press.current?.isLong === true) event.preventDefault()
      }}
      onTouchCancel={endPress}
    >
      <span
        className="tree-toggle"
        aria-hidden="true"
        title={hasChildren ? (isExpanded ? text.space.collapse : text.space.expand) : undefined}
        onClick={(event) => {
          if (!hasChildren) return
          event.stopPropagation()
          handlers.current.toggle(node, !isExpanded)
        }}
      >
        {hasChildren && <Icon name={isExpanded ? 'chevronDown' : 'chevronRight'} />}
      </span>
      {props.renderIcon(node)}
      {isRenaming ? (
        <RenameField title={node.title} onEnd={(title) => handlers.current.rename(node, title)} />
      ) : (
        <span className="tree-title" id={`${id}-title`}>
          {node.title || text.common.untitled}
        </span>
      )}
      {!isRenaming && props.renderEnd?.(node)}
      {props.hasMenu && !isRenaming && (
        <span className="tree-menu" onClick={(event) => event.stopPropagation()}>
          {/* Only where it is visible, and without a tooltip of the app: each would be most of the cost of a row. */}
          {(isHovered || isFocused || props.isTouch) && (
            <button
              type="button"
              className="icon-button"
              aria-label={`${text.common.more}: ${node.title}`}
              title={text.common.more}
              tabIndex={-1}
              onClick={(event) => handlers.current.menu(node, event.currentTarget)}
            >
              <Icon name="ellipsis" />
            </button>
          )}
        </span>
      )}
    </div>
  )
}

function RenameField({
  title,
  onEnd,
}: {
  readonly title: string
  readonly onEnd: (title: string | undefined) => void
}) {
  const isCancelled = useRef(false)
  const field = useEditedValue(title, () => {})
  return (
    <input
      className="tree-rename"
      aria-label={text.space.pageTitle}
      maxLength={255}
      autoFocus
      value={field.value}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onChange={({ currentTarget }) => field.onChange(currentTarget.value)}
      onBlur={() => onEnd(isCancelled.current ? undefined : field.value.trim())}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Escape' && !event.nativeEvent.isComposing) {
          isCancelled.current = true
          event.currentTarget.blur()
        } else field.onKeyDown(event)
      }}
    />
  )
}

/** A place on the screen, for a menu. */
const pointAt = (x: number, y: number) => ({ getBoundingClientRect: () => new DOMRect(x, y, 0, 0) })

/** The pages of a space or a change request: filter, tree, and what a screen allows to do with a page. */
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { text } from '../i18n/text.js'
import { ancestorsOf, filterTree } from '../tree/rows.js'
import { type TreeMove, TreeView } from '../tree/tree-view.js'
import { WithTooltip } from '../ui/button.js'
import { EmojiOrIcon } from '../ui/display.js'
import { Icon, type IconName } from '../ui/icon.js'
import type { PageNode } from './page-node.js'
import './page-tree.css'

const icons: Readonly<Record<PageNode['type'], IconName>> = {
  document: 'fileText',
  group: 'folder',
  link: 'externalLink',
  computed: 'code',
}

export function PageTree({
  nodes,
  current,
  onOpen,
  onHover,
  onMove,
  onRename,
  onDelete,
  renderEnd,
  heading,
}: {
  readonly nodes: readonly PageNode[]
  readonly current: string | undefined
  readonly onOpen: (node: PageNode) => void
  readonly onHover?: (node: PageNode) => void
  readonly onMove?: (move: TreeMove) => void
  readonly onRename?: (node: PageNode) => void
  readonly onDelete?: (node: PageNode) => void
  readonly renderEnd?: (node: PageNode) => ReactNode
  /** Beside the name of the list: buttons. */
  readonly heading?: ReactNode
}) {
  const [query, setQuery] = useState('')
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(() => new Set())
  const filtered = useMemo(() => filterTree(nodes, query), [nodes, query])
  const isFiltered = query.trim() !== ''
  const everything = useMemo(
    () => (isFiltered ? new Set(idsWithChildren(filtered)) : undefined),
    [isFiltered, filtered],
  )

  // The way to the open page is visible.
  useEffect(() => {
    if (current === undefined) return
    const ancestors = ancestorsOf(nodes, current) ?? []
    setExpanded((before) => {
      const missing = [...ancestors, current].filter((id) => !before.has(id))
      return missing.length === 0 ? before : new Set([...before, ...missing])
    })
  }, [nodes, current])

  const toggle = (id: string, isExpanded: boolean) =>
    setExpanded((before) => {
      const next = new Set(before)
      if (isExpanded) next.add(id)
      else next.delete(id)
      return next
    })
  return (
    <section className="page-tree" aria-label={text.space.pages}>
      <div className="page-tree-heading">
        <h2>{text.space.pages}</h2>
        {heading}
      </div>
      <div className="page-tree-filter">
        <Icon name="filter" />
        <input
          type="search"
          aria-label={text.space.filter}
          placeholder={text.space.filter}
          value={query}
          onChange={({ currentTarget }) => setQuery(currentTarget.value)}
        />
      </div>
      <TreeView
        label={text.space.pages}
        nodes={filtered}
        expanded={everything ?? expanded}
        onToggle={toggle}
        current={current}
        onOpen={onOpen}
        {...(onHover !== undefined && { onHover })}
        {...(onMove !== undefined && !isFiltered && { onMove })}
        {...(onRename !== undefined && { onRename })}
        {...(onDelete !== undefined && { onDelete })}
        renderIcon={(node) => <EmojiOrIcon emoji={node.emoji} icon={icons[node.type]} />}
        renderEnd={(node) => (
          <>
            {node.isHidden && <Mark icon="eyeOff" label={text.space.hidden} />}
            {node.isConditional && <Mark icon="filter" label={text.space.conditional} />}
            {renderEnd?.(node)}
          </>
        )}
      />
    </section>
  )
}

function Mark({ icon, label }: { readonly icon: IconName; readonly label: string }) {
  return (
    <WithTooltip label={label}>
      <span className="page-mark" role="img" aria-label={label}>
        <Icon name={icon} />
      </span>
    </WithTooltip>
  )
}

const idsWithChildren = (nodes: readonly PageNode[]): string[] =>
  nodes.flatMap((node) => (node.children.length > 0 ? [node.id, ...idsWithChildren(node.children)] : []))

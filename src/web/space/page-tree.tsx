/** The pages of a space or a change request: filter, tree, and what a screen allows to do with them. */
import { type ReactNode, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { text } from '../i18n/text.js'
import { ancestorsOf, filterTree } from '../tree/rows.js'
import { TreeView, type TreeViewProps } from '../tree/tree-view.js'
import { WithTooltip } from '../ui/button.js'
import { Icon, type IconName } from '../ui/icon.js'
import { PageIcon } from './page-icon.js'
import type { PageNode } from './page-node.js'
import './page-tree.css'

type Operations = Pick<
  TreeViewProps<PageNode>,
  | 'selected'
  | 'onSelect'
  | 'onMove'
  | 'renaming'
  | 'onRenaming'
  | 'onRename'
  | 'onDelete'
  | 'onMenu'
  | 'onHover'
>

export function PageTree({
  nodes,
  current,
  onOpen,
  heading,
  footer,
  onMove,
  ...operations
}: Operations & {
  readonly nodes: readonly PageNode[]
  readonly current: string | undefined
  readonly onOpen: (node: PageNode) => void
  /** Beside the name of the list: buttons. */
  readonly heading?: ReactNode
  /** Below the list, such as what can be done with what is selected. */
  readonly footer?: ReactNode
}) {
  const [query, setQuery] = useState('')
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(() => new Set())
  const late = useDeferredValue(query)
  const filtered = useMemo(() => filterTree(nodes, late), [nodes, late])
  const isFiltered = late.trim() !== ''
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

  const toggle = (ids: readonly string[], isExpanded: boolean) =>
    setExpanded((before) => {
      const next = new Set(before)
      for (const id of ids) {
        if (isExpanded) next.add(id)
        else next.delete(id)
      }
      return next
    })
  const opened = everything ?? expanded
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
      {isFiltered && filtered.length === 0 && (
        <p className="page-tree-nothing" role="status">
          {text.space.nothingMatches}
        </p>
      )}
      <TreeView
        {...operations}
        label={text.space.pages}
        nodes={filtered}
        expanded={opened}
        onToggle={toggle}
        current={current}
        onOpen={(node) => (node.type === 'group' ? toggle([node.id], !opened.has(node.id)) : onOpen(node))}
        // What is filtered out would be passed over.
        {...(onMove !== undefined && !isFiltered && { onMove })}
        renderIcon={renderIcon}
        renderEnd={renderMarks}
      />
      {footer}
    </section>
  )
}

const renderIcon = (node: PageNode) => <PageIcon node={node} />

const renderMarks = (node: PageNode) => (
  <>
    {node.isHidden && <Mark icon="eyeOff" label={text.space.hidden} />}
    {node.condition !== undefined && <Mark icon="split" label={text.space.conditional(node.condition)} />}
  </>
)

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

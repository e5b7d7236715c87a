/** The page tree of a change request: new pages, groups and links, and what can be done with one or several of them. */
import { useEffect, useMemo, useRef, useState } from 'react'
import { type Action, useActions } from '../actions/actions.js'
import type { ChangeSource } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { changePath, spacePath } from '../routes/addresses.js'
import { navigate } from '../routes/navigation.js'
import { type PageNode, hasText, wayTo } from '../space/page-node.js'
import { PageTree } from '../space/page-tree.js'
import { copyPageLink } from '../space/copy-page-link.js'
import { topmostOf } from '../tree/rows.js'
import { IconButton } from '../ui/button.js'
import { AnchoredMenu, Menu, type MenuGroups } from '../ui/menu.js'
import type { PopoverAnchor } from '../ui/popover.js'
import { reportFailure } from '../ui/toast.js'
import { createTreeCommands } from './tree-commands.js'
import { type TreeDialog, TreeDialogs } from './tree-dialogs.js'

const nothing: ReadonlySet<string> = new Set()

export function ChangeTree({
  source,
  nodes,
  current,
  isEditable,
}: {
  readonly source: ChangeSource
  readonly nodes: readonly PageNode[]
  readonly current: PageNode | undefined
  readonly isEditable: boolean
}) {
  const [dialog, setDialog] = useState<TreeDialog>()
  const [menu, setMenu] = useState<{ readonly node: PageNode; readonly anchor: PopoverAnchor }>()
  const [selected, setSelected] = useState<ReadonlySet<string>>(nothing)
  const [renaming, setRenaming] = useState<string>()
  useMovedPage(source, nodes, current)
  const commands = useMemo(() => createTreeCommands(source, nodes), [source, nodes])
  const open = (node: PageNode) => {
    if (hasText(node)) navigate(changePath(source.space, source.change, node.path))
    else if (node.type === 'link') setDialog({ kind: 'editLink', node })
  }
  /** What an action on a page is about: all that are selected, where it is one of them. */
  const targetsOf = (node: PageNode): readonly PageNode[] =>
    selected.has(node.id) ? topmostOf(nodes, selected) : [node]
  const run = (work: Promise<unknown>) => void reportFailure(work)

  useActions(
    useMemo(
      (): Action[] =>
        isEditable
          ? [
              {
                id: 'new-page',
                name: text.space.newPage,
                icon: 'plus',
                run: () => setDialog({ kind: 'new', place: undefined }),
              },
              {
                id: 'new-group',
                name: text.change.newGroup,
                icon: 'folderPlus',
                run: () => setDialog({ kind: 'newGroup', place: undefined }),
              },
              {
                id: 'new-link',
                name: text.change.newLink,
                icon: 'link',
                run: () => setDialog({ kind: 'newLink', place: undefined }),
              },
              {
                id: 'shared-contents',
                name: text.contents.title,
                icon: 'braces',
                keywords: text.contents.keywords,
                run: () => setDialog({ kind: 'shared' }),
              },
            ]
          : [],
      [isEditable],
    ),
  )
  if (!isEditable) {
    const read = (node: PageNode) => {
      if (node.type === 'link') window.open(node.href, '_blank', 'noopener')
      else open(node)
    }
    return <PageTree nodes={nodes} current={current?.id} onOpen={read} />
  }

  const groupsOf = (node: PageNode): MenuGroups => {
    const targets = targetsOf(node)
    const isOne = targets.length === 1
    const areHidden = targets.every(({ isHidden }) => isHidden)
    const after = { target: node.id, place: 'after' } as const
    const below = { target: node.id, place: 'into' } as const
    return [
      isOne
        ? [
            {
              name: text.change.newSubpage,
              icon: 'filePlus',
              run: () => setDialog({ kind: 'new', place: below }),
              ...(node.type === 'link' && { disabledReason: text.change.linkHasNoPages }),
            },
            { name: text.change.newAfter, icon: 'plus', run: () => setDialog({ kind: 'new', place: after }) },
            {
              name: text.change.newGroup,
              icon: 'folderPlus',
              run: () => setDialog({ kind: 'newGroup', place: after }),
            },
            {
              name: text.change.newLink,
              icon: 'link',
              run: () => setDialog({ kind: 'newLink', place: after }),
            },
          ]
        : [],
      [
        ...(isOne
          ? ([
              {
                name: text.change.renamePage,
                icon: 'pencil',
                keys: 'F2',
                run: () => setRenaming(node.id),
              },
              ...(node.type === 'link'
                ? [
                    {
                      name: text.change.editLink,
                      icon: 'externalLink',
                      run: () => setDialog({ kind: 'editLink', node }),
                    } as const,
                  ]
                : []),
              {
                name: text.change.chooseIcon,
                icon: 'smile',
                run: () => setDialog({ kind: 'icon', node }),
              },
            ] as const)
          : []),
        { name: text.change.duplicatePage, icon: 'copy', run: () => run(commands.duplicate(targets)) },
        {
          name: text.change.moveTo,
          icon: 'fileInput',
          run: () => setDialog({ kind: 'move', nodes: targets }),
        },
        {
          name: areHidden ? text.change.showPage : text.change.hidePage,
          icon: areHidden ? 'eye' : 'eyeOff',
          run: () => run(commands.setHidden(targets, !areHidden)),
        },
      ],
      isOne
        ? [
            {
              name: text.space.copyLink,
              icon: 'link',
              run: () => run(copyPageLink(spacePath(source.space, node.path))),
            },
            ...(hasText(node)
              ? [
                  {
                    name: text.space.asReader,
                    icon: 'eye' as const,
                    run: () => run(commands.viewAsReader(node)),
                  },
                ]
              : []),
          ]
        : [],
      [
        {
          name: text.change.deletePage,
          icon: 'trash',
          keys: 'Delete',
          isDanger: true,
          run: () => setDialog({ kind: 'delete', nodes: targets }),
        },
      ],
    ]
  }
  const newEntries: MenuGroups = [
    [
      {
        name: text.space.newPage,
        icon: 'fileText',
        run: () => setDialog({ kind: 'new', place: undefined }),
      },
      {
        name: text.change.newGroup,
        icon: 'folder',
        run: () => setDialog({ kind: 'newGroup', place: undefined }),
      },
      {
        name: text.change.newLink,
        icon: 'link',
        run: () => setDialog({ kind: 'newLink', place: undefined }),
      },
    ],
  ]
  const [first] = topmostOf(nodes, selected)
  return (
    <>
      <PageTree
        nodes={nodes}
        current={current?.id}
        onOpen={open}
        selected={selected}
        onSelect={setSelected}
        onMove={(move) => run(commands.move(move))}
        renaming={renaming}
        onRenaming={setRenaming}
        onRename={(node, title) => run(commands.rename(node, title))}
        onDelete={(node) => setDialog({ kind: 'delete', nodes: targetsOf(node) })}
        onMenu={(node, anchor) => setMenu({ node, anchor })}
        heading={
          <>
            <IconButton
              icon="braces"
              label={text.contents.title}
              onClick={() => setDialog({ kind: 'shared' })}
            />
            <Menu trigger={<IconButton icon="plus" label={text.space.new} />} groups={newEntries} />
          </>
        }
        footer={
          first !== undefined &&
          selected.size > 1 && (
            <div className="page-tree-selection" role="status">
              <span>{text.change.selected(selected.size)}</span>
              <IconButton
                icon="ellipsis"
                label={text.change.groupActions}
                onClick={(event) => setMenu({ node: first, anchor: event.currentTarget })}
              />
              <IconButton icon="x" label={text.change.clearSelection} onClick={() => setSelected(nothing)} />
            </div>
          )
        }
      />
      {menu !== undefined && (
        <AnchoredMenu
          label={text.common.more}
          anchor={menu.anchor}
          groups={groupsOf(menu.node)}
          onClose={() => setMenu(undefined)}
        />
      )}
      {dialog !== undefined && (
        <TreeDialogs
          dialog={dialog}
          source={source}
          commands={commands}
          nodes={nodes}
          onDeleted={(ids) => {
            setSelected(nothing)
            if (current !== undefined && isBelow(nodes, ids, current.id))
              navigate(changePath(source.space, source.change))
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  )
}

/** Goes along with the open page when it moves to another path. */
function useMovedPage(source: ChangeSource, nodes: readonly PageNode[], current: PageNode | undefined): void {
  const last = useRef<{ readonly id: string; readonly address: string }>(undefined)
  useEffect(() => {
    if (current !== undefined) {
      last.current = { id: current.id, address: location.pathname }
    } else if (last.current?.address === location.pathname) {
      const moved = wayTo(nodes, last.current.id).at(-1)
      if (moved !== undefined)
        navigate(changePath(source.space, source.change, moved.path), { replace: true })
    }
  }, [source, nodes, current])
}

/** True when a page is one of these or below one of them. */
function isBelow(nodes: readonly PageNode[], ids: ReadonlySet<string>, page: string): boolean {
  return nodes.some(({ id, children }) =>
    id === page
      ? ids.has(id)
      : isBelow(children, ids.has(id) ? new Set(children.map((child) => child.id)) : ids, page),
  )
}

/** The page tree of a change request: new pages, groups, renaming, moving and deleting. */
import { useId, useMemo, useState } from 'react'
import type { Change } from '../../contract/changes.js'
import { type Action, useActions } from '../actions/actions.js'
import { changePages } from '../api/change-pages.js'
import { type ChangeSource, contentKey, pagesQuery, queryClient, refresh } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { changePath } from '../routes/addresses.js'
import { navigate } from '../routes/navigation.js'
import { type PageNode, pageNodeOf, wayTo } from '../space/page-node.js'
import { PageTree } from '../space/page-tree.js'
import type { TreeMove } from '../tree/tree-view.js'
import { Button, IconButton } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { TextField } from '../ui/field.js'
import { Menu } from '../ui/menu.js'
import { ConfirmDialog, PromptDialog, useSubmission } from '../ui/prompts.js'
import { reportFailure } from '../ui/toast.js'

type TreeDialog =
  | { readonly kind: 'new' | 'newGroup' | 'newLink'; readonly into: PageNode | undefined }
  | { readonly kind: 'rename' | 'delete'; readonly node: PageNode }

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
  const close = () => setDialog(undefined)
  const apply = async (change: Change) => {
    const outcomes = await changePages(source, change)
    await refresh(...contentKey(source))
    return outcomes
  }
  const open = (node: PageNode) => {
    if (node.type === 'document' || node.type === 'computed')
      navigate(changePath(source.space, source.change, node.path))
  }
  const move = async ({ id, target, place }: TreeMove) => {
    const change = moveChange(nodes, id, target, place)
    if (change !== undefined) await reportFailure(apply(change))
  }
  useActions(
    useMemo(
      (): Action[] =>
        isEditable
          ? [
              {
                id: 'new-page',
                name: text.space.newPage,
                icon: 'plus',
                run: () => setDialog({ kind: 'new', into: undefined }),
              },
            ]
          : [],
      [isEditable],
    ),
  )
  if (!isEditable) return <PageTree nodes={nodes} current={current?.id} onOpen={open} />
  return (
    <>
      <PageTree
        nodes={nodes}
        current={current?.id}
        onOpen={open}
        onMove={(one) => void move(one)}
        onRename={(node) => setDialog({ kind: 'rename', node })}
        onDelete={(node) => setDialog({ kind: 'delete', node })}
        heading={
          <Menu
            trigger={<IconButton icon="plus" label={text.space.new} />}
            groups={[
              [
                {
                  name: text.space.newPage,
                  icon: 'fileText',
                  run: () => setDialog({ kind: 'new', into: undefined }),
                },
                {
                  name: text.change.newGroup,
                  icon: 'folder',
                  run: () => setDialog({ kind: 'newGroup', into: undefined }),
                },
                {
                  name: text.change.newLink,
                  icon: 'link',
                  run: () => setDialog({ kind: 'newLink', into: undefined }),
                },
              ],
            ]}
          />
        }
        renderEnd={(node) => (
          // The row opens the page; its menu does not.
          <span onClick={(event) => event.stopPropagation()}>
            <Menu
              trigger={
                <IconButton icon="ellipsis" label={`${text.common.more}: ${node.title}`} tabIndex={-1} />
              }
              align="end"
              groups={[
                [
                  {
                    name: text.change.newSubpage,
                    icon: 'plus',
                    run: () => setDialog({ kind: 'new', into: node }),
                  },
                ],
                [
                  {
                    name: text.change.renamePage,
                    icon: 'pencil',
                    keys: 'F2',
                    run: () => setDialog({ kind: 'rename', node }),
                  },
                ],
                [
                  {
                    name: text.change.deletePage,
                    icon: 'trash',
                    keys: 'Delete',
                    isDanger: true,
                    run: () => setDialog({ kind: 'delete', node }),
                  },
                ],
              ]}
            />
          </span>
        )}
      />
      {dialog?.kind === 'new' && (
        <PromptDialog
          title={dialog.into === undefined ? text.space.newPage : text.change.newSubpage}
          label={text.space.pageTitle}
          submit={text.common.create}
          onClose={close}
          onSubmit={async (title) => {
            const outcomes = await apply({
              operation: 'insert_page',
              title,
              document: { markdown: '' },
              ...(dialog.into !== undefined && { into: dialog.into.id }),
            })
            const page = outcomes[0]?.page
            const id = typeof page === 'object' ? page.id : page
            if (id !== undefined) await openCreated(source, id)
          }}
        />
      )}
      {dialog?.kind === 'newGroup' && (
        <PromptDialog
          title={text.change.newGroup}
          label={text.change.groupTitle}
          submit={text.common.create}
          onClose={close}
          onSubmit={async (title) => void (await apply({ operation: 'insert_page', type: 'group', title }))}
        />
      )}
      {dialog?.kind === 'newLink' && (
        <NewLinkDialog
          onClose={close}
          onSubmit={async (title, url) =>
            void (await apply({
              operation: 'insert_page',
              type: 'link',
              title,
              target: { kind: 'url', url },
            }))
          }
        />
      )}
      {dialog?.kind === 'rename' && (
        <PromptDialog
          title={text.change.renamePage}
          label={text.space.pageTitle}
          value={dialog.node.title}
          submit={text.common.rename}
          onClose={close}
          onSubmit={async (title) =>
            void (await apply({ operation: 'update_page', page: dialog.node.id, title }))
          }
        />
      )}
      {dialog?.kind === 'delete' && (
        <ConfirmDialog
          title={text.change.deletePageQuestion(dialog.node.title)}
          description={text.change.deletePageText}
          submit={text.change.deletePage}
          isDanger
          onClose={close}
          onSubmit={async () => {
            await apply({ operation: 'delete_page', page: dialog.node.id })
            if (dialog.node.id === current?.id) navigate(changePath(source.space, source.change))
          }}
        />
      )}
    </>
  )
}

function NewLinkDialog({
  onClose,
  onSubmit,
}: {
  readonly onClose: () => void
  readonly onSubmit: (title: string, url: string) => Promise<void>
}) {
  const [title, setTitle] = useState('')
  const [url, setUrl] = useState('')
  const { error, isBusy, submit } = useSubmission(onClose)
  const formId = useId()
  return (
    <Dialog
      title={text.change.newLink}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text.common.cancel}</Button>
          <Button variant="primary" type="submit" form={formId} isBusy={isBusy}>
            {text.common.create}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          void submit(() => onSubmit(title.trim(), url.trim()))
        }}
      >
        <TextField
          label={text.change.linkTitle}
          value={title}
          onChange={setTitle}
          maxLength={255}
          required
          autoFocus
        />
        <TextField
          label={text.change.linkAddress}
          type="url"
          value={url}
          onChange={setUrl}
          required
          error={error?.message}
        />
      </form>
    </Dialog>
  )
}

/** Opens a page that was created: its path is known with the next list of pages. */
async function openCreated(source: ChangeSource, id: string): Promise<void> {
  const pages = await queryClient.fetchQuery({ ...pagesQuery(source), staleTime: 0 })
  const node = wayTo(pages.map(pageNodeOf), id).at(-1)
  if (node !== undefined) navigate(changePath(source.space, source.change, node.path))
}

/** Returns the change that moves a page before, after or into another one; undefined when it would be below itself. */
function moveChange(
  nodes: readonly PageNode[],
  id: string,
  target: string,
  place: TreeMove['place'],
): Change | undefined {
  const way = wayTo(nodes, target)
  if (id === target || way.some((node) => node.id === id)) return undefined
  if (place === 'into') return { operation: 'update_page', page: id, into: target }
  const parent = way.at(-2)
  // Positions count the siblings without the page that moves.
  const siblings = (parent?.children ?? nodes).filter((node) => node.id !== id)
  const at = siblings.findIndex((node) => node.id === target) + (place === 'after' ? 1 : 0)
  return { operation: 'update_page', page: id, into: parent?.id ?? null, at }
}

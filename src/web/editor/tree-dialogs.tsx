/** Dialogs of the page tree: a new page, group or link, an icon, another place, a deletion. */
import { Suspense, lazy, useState } from 'react'
import type { ChangeSource } from '../api/queries.js'
import { text } from '../i18n/text.js'
import type { PageNode } from '../space/page-node.js'
import { PagePicker } from '../space/page-picker.js'
import { TextField } from '../ui/field.js'
import { ConfirmDialog, FormDialog, PromptDialog, NameField } from '../ui/prompts.js'
import type { NewPlace, TreeCommands } from './tree-commands.js'

const SharedContents = lazy(() => import('../space/shared-contents.js'))
const IconDialog = lazy(() => import('./icon-dialog.js'))

export type TreeDialog =
  | { readonly kind: 'new' | 'newGroup' | 'newLink'; readonly place: NewPlace }
  | { readonly kind: 'editLink' | 'icon'; readonly node: PageNode }
  | { readonly kind: 'move' | 'delete'; readonly nodes: readonly PageNode[] }
  | { readonly kind: 'shared' }

export function TreeDialogs({
  dialog,
  source,
  commands,
  nodes,
  onDeleted,
  onClose,
}: {
  readonly dialog: TreeDialog
  readonly source: ChangeSource
  readonly commands: TreeCommands
  readonly nodes: readonly PageNode[]
  readonly onDeleted: (ids: ReadonlySet<string>) => void
  readonly onClose: () => void
}) {
  switch (dialog.kind) {
    case 'new':
      return (
        <PromptDialog
          title={dialog.place?.place === 'into' ? text.change.newSubpage : text.space.newPage}
          label={text.space.pageTitle}
          submit={text.common.create}
          onClose={onClose}
          onSubmit={(title) => commands.insertPage(title, dialog.place)}
        />
      )
    case 'newGroup':
      return (
        <PromptDialog
          title={text.change.newGroup}
          label={text.change.groupTitle}
          submit={text.common.create}
          onClose={onClose}
          onSubmit={(title) => commands.insertGroup(title, dialog.place)}
        />
      )
    case 'newLink':
      return (
        <LinkPageDialog
          title={text.change.newLink}
          submit={text.common.create}
          onClose={onClose}
          onSubmit={(title, url) => commands.insertLink(title, url, dialog.place)}
        />
      )
    case 'editLink':
      return (
        <LinkPageDialog
          title={text.change.editLink}
          submit={text.common.save}
          name={dialog.node.title}
          url={dialog.node.href ?? ''}
          onClose={onClose}
          onSubmit={(title, url) => commands.editLink(dialog.node.id, title, url)}
        />
      )
    case 'icon':
      return (
        <Suspense>
          <IconDialog node={dialog.node} commands={commands} onClose={onClose} />
        </Suspense>
      )
    case 'shared':
      return (
        <Suspense>
          <SharedContents source={source} onClose={onClose} />
        </Suspense>
      )
    case 'move':
      return <MoveDialog moved={dialog.nodes} nodes={nodes} commands={commands} onClose={onClose} />
    case 'delete':
      return (
        <ConfirmDialog
          title={
            dialog.nodes.length === 1
              ? text.change.deletePageQuestion(dialog.nodes[0]!.title)
              : text.change.deletePagesQuestion(dialog.nodes.length)
          }
          description={text.change.deletePageText}
          submit={text.change.deletePage}
          isDanger
          onClose={onClose}
          onSubmit={async () => {
            await commands.remove(dialog.nodes)
            onDeleted(new Set(dialog.nodes.map(({ id }) => id)))
          }}
        />
      )
  }
}

function LinkPageDialog({
  title: heading,
  submit,
  name = '',
  url: address = '',
  onClose,
  onSubmit,
}: {
  readonly title: string
  readonly submit: string
  readonly name?: string
  readonly url?: string
  readonly onClose: () => void
  readonly onSubmit: (title: string, url: string) => Promise<void>
}) {
  const [title, setTitle] = useState(name)
  const [url, setUrl] = useState(address)
  return (
    <FormDialog
      title={heading}
      submit={submit}
      members={['title', 'url']}
      onClose={onClose}
      onSubmit={() => onSubmit(title.trim(), url.trim())}
    >
      {(errorAt) => (
        <>
          <NameField
            label={text.change.linkTitle}
            value={title}
            onChange={setTitle}
            maxLength={255}
            error={errorAt('title')}
          />
          <TextField
            label={text.change.linkAddress}
            type="url"
            value={url}
            onChange={setUrl}
            maxLength={2048}
            required
            error={errorAt('url')}
          />
        </>
      )}
    </FormDialog>
  )
}

function MoveDialog({
  moved,
  nodes,
  commands,
  onClose,
}: {
  readonly moved: readonly PageNode[]
  readonly nodes: readonly PageNode[]
  readonly commands: TreeCommands
  readonly onClose: () => void
}) {
  const [target, setTarget] = useState<string>()
  const ids = moved.map(({ id }) => id)
  return (
    <FormDialog
      title={text.change.moveTitle(moved.length)}
      submit={text.space.move}
      onClose={onClose}
      onSubmit={async () => {
        if (!(await commands.move({ ids, target, place: 'into' }))) throw new Error(text.change.cannotMove)
      }}
    >
      {() => (
        <PagePicker
          label={text.change.moveInto}
          nodes={nodes}
          top={text.change.moveTop}
          value={target}
          canTake={(node) => node.type !== 'link' && !ids.includes(node.id)}
          onChange={setTarget}
        />
      )}
    </FormDialog>
  )
}

/** Dialogs of a space: its settings, its collection, the trash, and what its pages share. */
import { useQuery } from '@tanstack/react-query'
import { Suspense, lazy, useState } from 'react'
import { moveSpace } from '../../contract/collections.js'
import { type Space, deleteSpace, restoreSpace, updateSpace } from '../../contract/spaces.js'
import { api } from '../api/client.js'
import { collectionsQuery, queryClient, refresh } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { homePath, spacePath } from '../routes/addresses.js'
import { navigate } from '../routes/navigation.js'
import { SelectField, TextField } from '../ui/field.js'
import { ConfirmDialog, FormDialog, NameField } from '../ui/prompts.js'
import { reportFailure, showToast } from '../ui/toast.js'
import { EmojiField } from './emoji-field.js'

const SharedContents = lazy(() => import('./shared-contents.js'))

export type SpaceDialog = 'settings' | 'move' | 'trash' | 'contents'

export function SpaceDialogs({
  space,
  dialog,
  onClose,
}: {
  readonly space: Space
  readonly dialog: SpaceDialog
  readonly onClose: () => void
}) {
  switch (dialog) {
    case 'settings':
      return <SettingsDialog space={space} onClose={onClose} />
    case 'move':
      return <CollectionDialog space={space} onClose={onClose} />
    case 'trash':
      return <TrashDialog space={space} onClose={onClose} />
    case 'contents':
      return (
        <Suspense>
          <SharedContents
            source={{ space: space.id, change: undefined }}
            readOnlyReason={text.contents.readOnly}
            onClose={onClose}
          />
        </Suspense>
      )
  }
}

const refreshSpace = ({ id, organization }: Space) =>
  Promise.all([refresh('space', id), refresh('organization', organization)])

function SettingsDialog({ space, onClose }: { readonly space: Space; readonly onClose: () => void }) {
  const [title, setTitle] = useState(space.title)
  const [emoji, setEmoji] = useState(space.emoji)
  const [editMode, setEditMode] = useState(space.editMode)
  const [language, setLanguage] = useState(space.language ?? '')
  return (
    <FormDialog
      title={text.space.settings}
      submit={text.common.save}
      members={['title', 'emoji', 'language', 'editMode']}
      onClose={onClose}
      onSubmit={async () => {
        await api.call(updateSpace, {
          params: { spaceId: space.id },
          body: {
            ...(title.trim() !== space.title && { title: title.trim() }),
            ...(emoji !== space.emoji && { emoji }),
            ...(editMode !== space.editMode && { editMode }),
            ...(language.trim() !== (space.language ?? '') && {
              language: language.trim() === '' ? null : language.trim(),
            }),
          },
        })
        await refreshSpace(space)
      }}
    >
      {(errorAt) => (
        <>
          <NameField
            label={text.newSpace.name}
            value={title}
            onChange={setTitle}
            maxLength={50}
            error={errorAt('title')}
          />
          <EmojiField
            label={text.newSpace.emoji}
            value={emoji}
            error={errorAt('emoji')}
            onChange={setEmoji}
          />
          <SelectField
            label={text.space.editMode}
            hint={text.space.editModes[editMode].hint}
            value={editMode}
            choices={(['locked', 'live'] as const).map((value) => ({
              value,
              name: text.space.editModes[value].name,
            }))}
            onChange={setEditMode}
          />
          <TextField
            label={text.space.language}
            hint={text.space.languageHint}
            value={language}
            onChange={setLanguage}
            maxLength={16}
            error={errorAt('language') === undefined ? undefined : text.space.languageWrong}
          />
        </>
      )}
    </FormDialog>
  )
}

function CollectionDialog({ space, onClose }: { readonly space: Space; readonly onClose: () => void }) {
  const { data: collections = [] } = useQuery(collectionsQuery(space.organization))
  const [parent, setParent] = useState(space.parent ?? '')
  const usable = collections.filter(({ id, permissions }) => permissions.create || id === space.parent)
  return (
    <FormDialog
      title={text.space.moveToCollection}
      submit={text.space.move}
      members={['parent']}
      onClose={onClose}
      onSubmit={async () => {
        if (parent !== (space.parent ?? '')) {
          await api.call(moveSpace, {
            params: { spaceId: space.id },
            body: { parent: parent === '' ? null : parent },
          })
          await refreshSpace(space)
        }
      }}
    >
      {(errorAt) => (
        <SelectField
          label={text.newSpace.collection}
          hint={usable.length === 0 ? text.space.noCollections : undefined}
          error={errorAt('parent')}
          value={parent}
          onChange={setParent}
          choices={[
            { value: '', name: text.space.outsideCollections },
            ...usable.map(({ id, title }) => ({ value: id, name: title || text.common.untitled })),
          ]}
        />
      )}
    </FormDialog>
  )
}

function TrashDialog({ space, onClose }: { readonly space: Space; readonly onClose: () => void }) {
  const restore = async () => {
    await api.call(restoreSpace, { params: { spaceId: space.id } })
    await refresh('organization', space.organization)
    navigate(spacePath(space.id))
  }
  return (
    <ConfirmDialog
      title={text.space.trashQuestion(space.title)}
      description={text.space.trashText}
      submit={text.space.moveToTrash}
      isDanger
      onClose={onClose}
      onSubmit={async () => {
        await api.call(deleteSpace, { params: { spaceId: space.id } })
        await refresh('organization', space.organization)
        queryClient.removeQueries({ queryKey: ['space', space.id] })
        navigate(homePath)
        showToast(text.space.trashed, {
          action: { name: text.common.undo, run: () => void reportFailure(restore()) },
        })
      }}
    />
  )
}

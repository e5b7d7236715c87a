/** Dialog that creates a space: title, emoji, collection; empty, or with the pages of a template. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { importSpaceArchive } from '../../contract/imports.js'
import { createSpace, deleteSpace } from '../../contract/spaces.js'
import { api } from '../api/client.js'
import { collectionsQuery, refresh } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { upload } from '../imports/upload.js'
import { spacePath } from '../routes/addresses.js'
import { navigate } from '../routes/navigation.js'
import { EmojiField } from '../space/emoji-field.js'
import { type TemplateName, templateNames } from '../templates/template-names.js'
import { Button } from '../ui/button.js'
import { SelectField } from '../ui/field.js'
import { Icon, type IconName } from '../ui/icon.js'
import { FormDialog, NameField } from '../ui/prompts.js'
import './new-space.css'

type Start = 'empty' | TemplateName

const icons: Readonly<Record<Start, IconName>> = {
  empty: 'file',
  product: 'book',
  api: 'code',
  handbook: 'users',
  help: 'circleCheck',
}

export default function NewSpace({
  organization,
  start: initial = 'empty',
  onImport,
  onClose,
}: {
  readonly organization: string
  readonly start?: Start
  /** Opens the import in place of this dialog. */
  readonly onImport: () => void
  readonly onClose: () => void
}) {
  const { data: collections = [] } = useQuery(collectionsQuery(organization))
  const usable = collections.filter(({ permissions }) => permissions.create)
  const [start, setStart] = useState<Start>(initial)
  const [title, setTitle] = useState<string>()
  const [emoji, setEmoji] = useState('')
  const [parent, setParent] = useState('')
  const name = title ?? (start === 'empty' ? '' : text.templates[start].space)

  async function create() {
    const space = await api.call(createSpace, {
      params: { organizationId: organization },
      body: {
        title: name.trim(),
        ...(emoji !== '' && { emoji }),
        ...(parent !== '' && { parent }),
        ...(start !== 'empty' && { empty: true }),
      },
    })
    if (start !== 'empty') {
      try {
        await importTemplate(space.id, start)
      } catch (failure) {
        // An empty space that nobody asked for is of no use.
        await api.call(deleteSpace, { params: { spaceId: space.id } }).catch(() => {})
        throw failure
      }
    }
    await refresh('organization', organization)
    navigate(spacePath(space.id))
  }

  return (
    <FormDialog
      title={text.newSpace.title}
      submit={text.newSpace.submit}
      members={['title', 'emoji', 'parent']}
      onClose={onClose}
      onSubmit={create}
    >
      {(errorAt) => (
        <>
          <NameField
            label={text.newSpace.name}
            value={name}
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
          {usable.length > 0 && (
            <SelectField
              label={text.newSpace.collection}
              error={errorAt('parent')}
              value={parent}
              onChange={setParent}
              choices={[
                { value: '', name: text.newSpace.noCollection },
                ...usable.map(({ id, title: label }) => ({ value: id, name: label || text.common.untitled })),
              ]}
            />
          )}
          <fieldset className="starts">
            <legend>{text.newSpace.startWith}</legend>
            {(['empty', ...templateNames] as const).map((value) => (
              <label key={value} className="start">
                <input type="radio" name="start" checked={start === value} onChange={() => setStart(value)} />
                <Icon name={icons[value]} />
                <span>
                  <strong>{text.templates[value].name}</strong>
                  <span className="start-detail">{text.templates[value].detail}</span>
                </span>
              </label>
            ))}
          </fieldset>
          <div>
            <Button
              variant="quiet"
              icon="upload"
              onClick={() => {
                onClose()
                onImport()
              }}
            >
              {text.newSpace.importInstead}
            </Button>
          </div>
        </>
      )}
    </FormDialog>
  )
}

/** Imports the files of a template as an archive. */
async function importTemplate(spaceId: string, name: TemplateName): Promise<void> {
  const [{ templates }, { strToU8, zipSync }] = await Promise.all([
    import('../templates/templates.js'),
    import('fflate'),
  ])
  const files = Object.entries(templates[name]).map(([path, markdown]) => [path, strToU8(markdown)] as const)
  const archive = new Blob([zipSync(Object.fromEntries(files)) as Uint8Array<ArrayBuffer>], {
    type: 'application/zip',
  })
  await upload(`/v1${importSpaceArchive.path.replace(':spaceId', spaceId)}`, archive, {
    contentType: 'application/zip',
  })
}

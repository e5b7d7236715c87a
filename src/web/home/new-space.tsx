/** Dialog that creates a space: title, emoji, collection. */
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { createSpace } from '../../contract/spaces.js'
import { ApiRequestError, api } from '../api/client.js'
import { collectionsQuery, refresh } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { spacePath } from '../routes/addresses.js'
import { navigate } from '../routes/navigation.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { ErrorNotice } from '../ui/display.js'
import { SelectField, TextField } from '../ui/field.js'

export default function NewSpace({
  organization,
  onClose,
}: {
  readonly organization: string
  readonly onClose: () => void
}) {
  const { data: collections = [] } = useQuery(collectionsQuery(organization))
  const usable = collections.filter(({ permissions }) => permissions.create)
  const [title, setTitle] = useState('')
  const [emoji, setEmoji] = useState('')
  const [parent, setParent] = useState('')
  const [error, setError] = useState<Error>()
  const [isBusy, setBusy] = useState(false)
  const formId = useId()
  const fieldError = (member: string) => {
    const detail = error instanceof ApiRequestError && error.details.find(({ path }) => path.endsWith(member))
    return detail ? detail.message : undefined
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (title.trim() === '' || isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      const space = await api.call(createSpace, {
        params: { organizationId: organization },
        body: { title: title.trim(), ...(emoji !== '' && { emoji }), ...(parent !== '' && { parent }) },
      })
      await refresh('organization', organization)
      onClose()
      navigate(spacePath(space.id))
    } catch (failure) {
      setError(failure as Error)
      setBusy(false)
    }
  }

  return (
    <Dialog
      title={text.newSpace.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text.common.cancel}</Button>
          <Button variant="primary" type="submit" form={formId} isBusy={isBusy}>
            {text.newSpace.submit}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="form">
        <TextField
          label={text.newSpace.name}
          value={title}
          onChange={setTitle}
          maxLength={50}
          required
          autoFocus
          error={fieldError('title')}
        />
        <TextField
          label={text.newSpace.emoji}
          hint={text.newSpace.emojiHint}
          value={emoji}
          onChange={setEmoji}
          maxLength={16}
          error={fieldError('emoji')}
        />
        {usable.length > 0 && (
          <SelectField
            label={text.newSpace.collection}
            value={parent}
            onChange={setParent}
            choices={[
              { value: '', name: text.newSpace.noCollection },
              ...usable.map(({ id, title }) => ({ value: id, name: title || text.common.untitled })),
            ]}
          />
        )}
        {error !== undefined && <ErrorNotice error={error} />}
      </form>
    </Dialog>
  )
}

/** The description of a change request, written in Markdown in its place. */
import { useState } from 'react'
import { type ChangeRequest, updateChangeRequest } from '../../contract/change-requests.js'
import { api } from '../api/client.js'
import { refresh } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { Button, IconButton } from '../ui/button.js'
import { ErrorNotice } from '../ui/display.js'
import { TextAreaField } from '../ui/field.js'
import { CommentText } from './comment-text.js'
import './review.css'

export function ChangeDescription({ change }: { readonly change: ChangeRequest }) {
  const [edited, setEdited] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<Error>()
  const mayEdit = change.permissions?.update === true && change.status !== 'merged'
  const stored = change.descriptionMarkdown ?? ''

  async function save() {
    setBusy(true)
    setError(undefined)
    try {
      await api.call(updateChangeRequest, {
        params: { spaceId: change.space, changeRequestId: change.number },
        body: { description: { markdown: edited ?? '' } },
      })
      await refresh('space', change.space)
      setEdited(undefined)
    } catch (failure) {
      setError(failure as Error)
    }
    setBusy(false)
  }
  if (edited !== undefined) {
    return (
      <form
        className="change-description review-form"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Escape' && edited === stored) setEdited(undefined)
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          void save()
        }}
      >
        <TextAreaField
          label={text.review.description}
          hint={text.review.descriptionHint}
          value={edited}
          maxLength={10_000}
          onChange={setEdited}
        />
        {error !== undefined && <ErrorNotice error={error} />}
        <div className="change-description-actions">
          <Button onClick={() => setEdited(undefined)}>{text.common.cancel}</Button>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {text.review.save}
          </Button>
        </div>
      </form>
    )
  }
  if (stored === '') {
    return mayEdit ? (
      <p className="change-description">
        <Button variant="quiet" icon="pencil" onClick={() => setEdited('')}>
          {text.review.addDescription}
        </Button>
      </p>
    ) : null
  }
  return (
    <section className="change-description is-written" aria-label={text.review.description}>
      <CommentText document={change.description} />
      {mayEdit && (
        <IconButton icon="pencil" label={text.review.editDescription} onClick={() => setEdited(stored)} />
      )}
    </section>
  )
}

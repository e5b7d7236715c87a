/** The title of a page, edited in place above its text. */
import { useState } from 'react'
import { changeContent } from '../../contract/change-requests.js'
import { api } from '../api/client.js'
import type { ContentSource } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { showToast } from '../ui/toast.js'

export function TitleField({
  source,
  page,
  title,
  onTitle,
}: {
  readonly source: ContentSource & { readonly change: number }
  readonly page: string
  readonly title: string
  readonly onTitle: () => void
}) {
  const [value, setValue] = useState(title)
  async function save() {
    const next = value.trim()
    if (next === title) return
    if (next === '') return setValue(title)
    try {
      await api.call(changeContent, {
        params: { spaceId: source.space, changeRequestId: source.change },
        query: {},
        body: { changes: [{ operation: 'update_page', page, title: next }] },
      })
      onTitle()
    } catch (error) {
      showToast((error as Error).message, { kind: 'error' })
    }
  }
  return (
    <textarea
      className="title-field"
      aria-label={text.editor.title}
      rows={1}
      maxLength={255}
      value={value}
      onChange={({ currentTarget }) => setValue(currentTarget.value.replace(/\n/g, ' '))}
      onBlur={() => void save()}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Escape') setValue(title)
        if (event.key !== 'Enter') return
        event.preventDefault()
        event.currentTarget.blur()
        document.querySelector<HTMLElement>('.document-editor')?.focus()
      }}
    />
  )
}

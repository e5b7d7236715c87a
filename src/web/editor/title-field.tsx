/** The title of a page, edited in place above its text. */
import { useState } from 'react'
import { changePages } from '../api/change-pages.js'
import type { ChangeSource } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { reportFailure } from '../ui/toast.js'

export function TitleField({
  source,
  page,
  title,
  onTitle,
}: {
  readonly source: ChangeSource
  readonly page: string
  readonly title: string
  readonly onTitle: () => void
}) {
  const [value, setValue] = useState(title)
  async function save() {
    const next = value.trim()
    if (next === title) return
    if (next === '') return setValue(title)
    await reportFailure(changePages(source, { operation: 'update_page', page, title: next }).then(onTitle))
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

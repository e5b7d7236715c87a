/** Settings of a page beside its text: description, names, visibility, condition and layout. Each is saved when it is changed. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ChangeOf } from '../../contract/changes.js'
import { changeRequestContent } from '../../contract/content.js'
import type { Page } from '../../contract/pages.js'
import { changePages } from '../api/change-pages.js'
import { api } from '../api/client.js'
import { type ChangeSource, contentKey, refresh } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { IconButton } from '../ui/button.js'
import { ErrorNotice, Skeleton, readEmoji } from '../ui/display.js'
import { TextField } from '../ui/field.js'
import './page-panel.css'

type PageSettings = Omit<ChangeOf<'update_page'>, 'operation' | 'page'>
type Layout = NonNullable<PageSettings['layout']>

const pageSettingsQuery = (source: ChangeSource, pageId: string) =>
  queryOptions({
    queryKey: [...contentKey(source), 'page', pageId, 'settings'],
    queryFn: ({ signal }) =>
      api.call(changeRequestContent.page, {
        params: { spaceId: source.space, changeRequestId: source.change, pageId },
        query: { format: 'markdown', metadata: false },
        signal,
      }),
  })

export function PagePanel({
  source,
  page: pageId,
  onClose,
}: {
  readonly source: ChangeSource
  readonly page: string
  readonly onClose: () => void
}) {
  const { data: page, error } = useQuery(pageSettingsQuery(source, pageId))
  return (
    <aside className="page-panel" aria-label={text.panel.title}>
      <header className="page-panel-header">
        <h2>{text.panel.title}</h2>
        <IconButton icon="x" label={text.common.close} onClick={onClose} />
      </header>
      {error !== null && <ErrorNotice error={error} />}
      {page === undefined ? <Skeleton lines={6} /> : <Settings source={source} page={page} />}
    </aside>
  )
}

function Settings({ source, page }: { readonly source: ChangeSource; readonly page: Page }) {
  const [failed, setFailed] = useState<{ readonly member: keyof PageSettings; readonly message: string }>()
  async function save(settings: PageSettings) {
    const [member] = Object.keys(settings) as (keyof PageSettings)[]
    try {
      await changePages(source, { operation: 'update_page', page: page.id, ...settings })
      setFailed(undefined)
      await refresh(...contentKey(source))
    } catch (error) {
      setFailed({ member: member!, message: (error as Error).message })
    }
  }
  const errorAt = (member: keyof PageSettings) => (failed?.member === member ? failed.message : undefined)
  const layout = (part: keyof Layout) => ({
    label: text.panel.layout[part] ?? part,
    isOn: page.layout?.[part] !== false,
    onChange: (isOn: boolean) => void save({ layout: { [part]: isOn } }),
  })
  return (
    <div className="form page-panel-form">
      <SavedField
        label={text.panel.description}
        value={page.description ?? ''}
        maxLength={300}
        error={errorAt('description')}
        onSave={(description) => void save({ description })}
      />
      <SavedField
        label={text.panel.linkTitle}
        hint={text.panel.linkTitleHint}
        value={page.linkTitle ?? ''}
        maxLength={100}
        error={errorAt('linkTitle')}
        onSave={(linkTitle) => void save({ linkTitle })}
      />
      <SavedField
        label={text.panel.slug}
        hint={text.panel.slugHint}
        value={page.slug ?? ''}
        maxLength={100}
        error={errorAt('slug')}
        onSave={(slug) => void (slug !== '' && save({ slug }))}
      />
      <SavedField
        label={text.panel.emoji}
        value={page.emoji === undefined ? '' : readEmoji(page.emoji)}
        maxLength={16}
        error={errorAt('emoji')}
        onSave={(emoji) => void save({ emoji })}
      />
      <SavedField
        label={text.panel.icon}
        hint={text.panel.iconHint}
        value={page.icon ?? ''}
        maxLength={50}
        error={errorAt('icon')}
        onSave={(icon) => void save({ icon })}
      />
      <SavedField
        label={text.panel.condition}
        hint={text.panel.conditionHint}
        value={page.condition ?? ''}
        maxLength={1024}
        error={errorAt('condition')}
        onSave={(condition) => void save({ condition })}
      />
      <fieldset className="page-panel-group">
        <legend>{text.panel.visibility}</legend>
        <CheckField
          label={text.panel.hidden}
          isOn={page.hidden === true}
          onChange={(hidden) => void save({ hidden })}
        />
        <CheckField
          label={text.panel.noIndex}
          isOn={page.noIndex === true}
          onChange={(noIndex) => void save({ noIndex })}
        />
        <CheckField
          label={text.panel.noRobotsIndex}
          isOn={page.noRobotsIndex === true}
          onChange={(noRobotsIndex) => void save({ noRobotsIndex })}
        />
      </fieldset>
      <fieldset className="page-panel-group">
        <legend>{text.panel.shown}</legend>
        {(['title', 'description', 'tableOfContents', 'outline', 'pagination', 'metadata'] as const).map(
          (part) => (
            <CheckField key={part} {...layout(part)} />
          ),
        )}
      </fieldset>
    </div>
  )
}

/** A field that is saved when it is left, or by Enter; Escape takes the change back. */
function SavedField({
  label,
  hint,
  value: stored,
  maxLength,
  error,
  onSave,
}: {
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly maxLength: number
  readonly error: string | undefined
  readonly onSave: (value: string) => void
}) {
  const [edited, setEdited] = useState<string>()
  return (
    <TextField
      label={label}
      hint={hint}
      value={edited ?? stored}
      maxLength={maxLength}
      error={error}
      onChange={setEdited}
      onBlur={() => {
        if (edited !== undefined && edited.trim() !== stored) onSave(edited.trim())
        setEdited(undefined)
      }}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Escape') setEdited(undefined)
        if (event.key === 'Enter') event.currentTarget.blur()
      }}
    />
  )
}

function CheckField({
  label,
  isOn,
  onChange,
}: {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}) {
  return (
    <label className="check-field">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {label}
    </label>
  )
}

/** Settings of a page beside its text, a form over its front matter. Each is saved when it is changed. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, lazy, useMemo, useRef, useState } from 'react'
import type { ChangeOf } from '../../contract/changes.js'
import { changeRequestContent } from '../../contract/content.js'
import { changeRequestLinks } from '../../contract/links.js'
import type { Page } from '../../contract/pages.js'
import { useRegisteredActions } from '../actions/actions.js'
import { changePages } from '../api/change-pages.js'
import { api } from '../api/client.js'
import { type ChangeSource, contentKey, refresh } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { changePath } from '../routes/addresses.js'
import { Link } from '../routes/navigation.js'
import { PageIcon } from '../space/page-icon.js'
import { sharedContentsQuery } from '../space/shared-contents-query.js'
import { Button, IconButton } from '../ui/button.js'
import { ErrorNotice, Skeleton } from '../ui/display.js'
import { useEditedValue } from '../ui/edited-value.js'
import { SelectField, TextField } from '../ui/field.js'
import { ConditionField } from './condition-field.js'
import { CoverField } from './cover-field.js'
import { countWords, readingMinutes } from './reading-time.js'
import './page-panel.css'

const IconDialog = lazy(() => import('./icon-dialog.js'))
const SharedContents = lazy(() => import('../space/shared-contents.js'))

export type PageSettings = Omit<ChangeOf<'update_page'>, 'operation' | 'page'>
type Layout = NonNullable<PageSettings['layout']>

/** The parts of a page that can be switched off. */
const layoutParts = [
  'cover',
  'title',
  'description',
  'tableOfContents',
  'outline',
  'pagination',
  'metadata',
  'tags',
  'actions',
  'anchors',
] as const satisfies readonly (keyof Layout)[]

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

const backlinksQuery = (source: ChangeSource, pageId: string) =>
  queryOptions({
    queryKey: [...contentKey(source), 'backlinks', pageId],
    queryFn: ({ signal }) =>
      api.call(changeRequestLinks.toPage, {
        params: { spaceId: source.space, changeRequestId: source.change, pageId },
        query: { limit: 50 },
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
  const [dialog, setDialog] = useState<'icon' | 'tags'>()
  async function save(settings: PageSettings): Promise<void> {
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
  const hasCover = page.cover?.ref !== undefined
  return (
    <div className="form page-panel-form">
      <Facts source={source} page={page} />
      <SavedField
        label={text.editor.title}
        value={page.title}
        maxLength={255}
        isRequired
        error={errorAt('title')}
        onSave={(title) => save({ title })}
      />
      <SavedField
        label={text.panel.description}
        value={page.description ?? ''}
        maxLength={300}
        error={errorAt('description')}
        onSave={(description) => save({ description })}
      />
      <div className="field">
        <span className="field-label">{text.change.chooseIcon}</span>
        <div className="page-panel-icon">
          <Button onClick={() => setDialog('icon')} aria-haspopup="dialog">
            {(page.emoji ?? page.icon) === undefined ? (
              text.newSpace.chooseEmoji
            ) : (
              <>
                <PageIcon node={{ emoji: page.emoji, icon: page.icon, type: page.type }} />
                {page.emoji === undefined ? page.icon : text.panel.emoji}
              </>
            )}
          </Button>
        </div>
        {(errorAt('emoji') ?? errorAt('icon')) !== undefined && (
          <span className="field-error">{errorAt('emoji') ?? errorAt('icon')}</span>
        )}
      </div>
      {(['ref', 'refDark'] as const)
        .filter((member) => member === 'ref' || hasCover)
        .map((member) => (
          <CoverField
            key={member}
            source={source}
            member={member}
            cover={page.cover}
            error={errorAt('cover')}
            onSave={(cover) => save({ cover })}
          />
        ))}
      <Tags
        source={source}
        page={page}
        error={errorAt('tags')}
        onSave={(tags) => save({ tags })}
        onManage={() => setDialog('tags')}
      />
      <SavedField
        label={text.panel.linkTitle}
        hint={text.panel.linkTitleHint}
        value={page.linkTitle ?? ''}
        maxLength={100}
        error={errorAt('linkTitle')}
        onSave={(linkTitle) => save({ linkTitle })}
      />
      <SavedField
        label={text.panel.slug}
        hint={text.panel.slugHint}
        value={page.slug ?? ''}
        maxLength={100}
        isRequired
        error={errorAt('slug')}
        onSave={(slug) => save({ slug })}
      />
      <Group title={text.panel.visibility}>
        <CheckField
          label={text.panel.hidden}
          isOn={page.hidden === true}
          onChange={(hidden) => save({ hidden })}
        />
        <CheckField
          label={text.panel.noIndex}
          isOn={page.noIndex === true}
          onChange={(noIndex) => save({ noIndex })}
        />
        <CheckField
          label={text.panel.noRobotsIndex}
          isOn={page.noRobotsIndex === true}
          onChange={(noRobotsIndex) => save({ noRobotsIndex })}
        />
        <ConditionField
          key={page.condition ?? ''}
          condition={page.condition ?? ''}
          error={errorAt('condition')}
          onSave={(condition) => save({ condition })}
        />
      </Group>
      <Group title={text.panel.shown}>
        <SelectField
          label={text.panel.width}
          value={page.layout?.width ?? 'default'}
          choices={(['default', 'wide'] as const).map((value) => ({
            value,
            name: text.panel.widths[value],
          }))}
          onChange={(width) => void save({ layout: { width } })}
        />
        {hasCover && (
          <SelectField
            label={text.panel.coverSize}
            value={page.layout?.coverSize ?? 'hero'}
            choices={(['hero', 'full'] as const).map((value) => ({
              value,
              name: text.panel.coverSizes[value],
            }))}
            onChange={(coverSize) => void save({ layout: { coverSize } })}
          />
        )}
        {layoutParts
          .filter((part) => part !== 'cover' || hasCover)
          .map((part) => (
            <CheckField
              key={part}
              label={text.panel.layout[part] ?? part}
              isOn={page.layout?.[part] !== false}
              onChange={(isOn) => save({ layout: { [part]: isOn } })}
            />
          ))}
        {errorAt('layout') !== undefined && <span className="field-error">{errorAt('layout')}</span>}
      </Group>
      <Backlinks source={source} page={page.id} />
      <Suspense>
        {dialog === 'icon' && (
          <IconDialog
            node={{ id: page.id, emoji: page.emoji, icon: page.icon }}
            commands={{ setIcon: (_, icon) => save(icon) }}
            onClose={() => setDialog(undefined)}
          />
        )}
        {dialog === 'tags' && <SharedContents source={source} onClose={() => setDialog(undefined)} />}
      </Suspense>
    </div>
  )
}

/** Words, reading time, and where the source is. */
function Facts({ source, page }: { readonly source: ChangeSource; readonly page: Page }) {
  const words = useMemo(() => countWords(page.markdown ?? ''), [page.markdown])
  const showSource = useRegisteredActions().find(({ id }) => id === 'source')
  const below = changeRequestContent.page.path
    .replace(':spaceId', source.space)
    .replace(':changeRequestId', String(source.change))
    .replace(':pageId', page.id)
  return (
    <div className="page-panel-facts">
      <span>
        {text.panel.words(words)} · {text.panel.minutes(readingMinutes(words))}
      </span>
      <span>
        {showSource !== undefined && (
          <Button variant="quiet" icon="code" onClick={() => showSource.run()}>
            {text.panel.showSource}
          </Button>
        )}
        <a className="page-panel-link" href={`/v1${below}`} target="_blank" rel="noopener">
          {text.panel.asJson}
        </a>
      </span>
    </div>
  )
}

function Tags({
  source,
  page,
  error,
  onSave,
  onManage,
}: {
  readonly source: ChangeSource
  readonly page: Page
  readonly error: string | undefined
  readonly onSave: (slugs: string[]) => Promise<void>
  readonly onManage: () => void
}) {
  const { data } = useQuery(sharedContentsQuery(source))
  /** What the next change is made on, while others are being saved. */
  const own = useRef<readonly string[]>([])
  own.current = (page.tags ?? []).map(({ tag }) => tag.tag)
  return (
    <Group title={text.contents.parts.tags}>
      {data?.tags.map(({ slug, label }) => (
        <CheckField
          key={slug}
          label={label}
          isOn={own.current.includes(slug)}
          onChange={(isOn) => {
            const others = own.current.filter((one) => one !== slug)
            own.current = isOn ? [...others, slug] : others
            return onSave([...own.current])
          }}
        />
      ))}
      {error !== undefined && <span className="field-error">{error}</span>}
      <div>
        <Button variant="quiet" icon="tag" onClick={onManage}>
          {text.panel.manageTags}
        </Button>
      </div>
    </Group>
  )
}

/** Where the page is linked from. */
function Backlinks({ source, page }: { readonly source: ChangeSource; readonly page: string }) {
  const { data, error } = useQuery(backlinksQuery(source, page))
  const places = data?.items ?? []
  const pages = new Map(
    places.flatMap((place) => (place.kind === 'page' ? [[place.page.id, place] as const] : [])),
  )
  const others = places.filter((place) => place.kind === 'reusable-content')
  return (
    <Group title={text.panel.linkedFrom}>
      {error !== null && <ErrorNotice error={error} />}
      {data !== undefined && places.length === 0 && (
        <p className="page-panel-nothing">{text.panel.notLinked}</p>
      )}
      <ul className="page-panel-backlinks">
        {[...pages.values()].map(({ space, page: from }) => (
          <li key={from.id}>
            {space.id === source.space ? (
              <Link href={changePath(source.space, source.change, from.path ?? '')}>{from.title}</Link>
            ) : (
              <Link href={`/s/${space.id}/${from.path ?? ''}`}>
                {space.title} › {from.title}
              </Link>
            )}
          </li>
        ))}
        {others.map((place, at) => (
          <li key={at}>{place.kind === 'reusable-content' && place.reusableContent.title}</li>
        ))}
      </ul>
      {data?.next !== undefined && <p className="page-panel-nothing">{text.panel.moreLinks}</p>}
    </Group>
  )
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <fieldset className="page-panel-group">
      <legend>{title}</legend>
      <div className="page-panel-fields">{children}</div>
    </fieldset>
  )
}

/** A field that is saved when it is left, or by Enter; Escape takes the change back. */
function SavedField({
  label,
  hint,
  value,
  maxLength,
  isRequired = false,
  error,
  onSave,
}: {
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly maxLength: number
  readonly isRequired?: boolean
  readonly error: string | undefined
  readonly onSave: (value: string) => Promise<void>
}) {
  const field = useEditedValue(value, onSave, { isRequired })
  return <TextField label={label} hint={hint} maxLength={maxLength} error={error} {...field} />
}

/** A checkbox that is saved when it changes; it displays the change at once, and takes it back where it is refused. */
function CheckField({
  label,
  isOn,
  onChange,
}: {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => Promise<void>
}) {
  const [chosen, setChosen] = useState<boolean>()
  return (
    <label className="check-field">
      <input
        type="checkbox"
        checked={chosen ?? isOn}
        onChange={({ currentTarget: { checked } }) => {
          setChosen(checked)
          void onChange(checked).finally(() => setChosen(undefined))
        }}
      />
      {label}
    </label>
  )
}

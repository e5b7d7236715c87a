/** What a change request changes, in words: pages, files and settings. */
import { queryOptions } from '@tanstack/react-query'
import { type SemanticChange, getChangeRequestChanges } from '../../contract/semantic-changes.js'
import { api } from '../api/client.js'
import { type ChangeSource, contentKey } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { changePath } from '../routes/addresses.js'
import { Link } from '../routes/navigation.js'
import { Icon, type IconName } from '../ui/icon.js'
import './changed-pages.css'

export const changedPagesQuery = (source: ChangeSource) =>
  queryOptions({
    queryKey: [...contentKey(source), 'changed'],
    queryFn: ({ signal }) =>
      api.call(getChangeRequestChanges, {
        params: { spaceId: source.space, changeRequestId: source.change },
        query: { limit: 200 },
        signal,
      }),
    staleTime: 0,
  })

const icons: Readonly<Record<string, IconName>> = {
  page_created: 'plus',
  page_deleted: 'trash',
  page_edited: 'pencil',
  page_moved: 'gripVertical',
  file_created: 'image',
  file_deleted: 'trash',
  file_edited: 'image',
}

/** One line of the list of changes: what kind, of what. */
export function ChangeTitle({
  change,
  source,
}: {
  readonly change: SemanticChange
  readonly source: ChangeSource
}) {
  const kind = text.change.kinds[change.type]
  return (
    <h3 className="changed-title">
      <Icon name={icons[change.type] ?? 'pencil'} />
      {'page' in change && change.type !== 'page_deleted' ? (
        <Link href={changePath(source.space, source.change, change.page.path ?? '')}>
          {change.page.title}
        </Link>
      ) : (
        <span>{nameOf(change)}</span>
      )}
      <span className="changed-kind">{kind ?? change.summary}</span>
    </h3>
  )
}

function nameOf(change: SemanticChange): string {
  if ('page' in change) return change.page.title
  if ('file' in change) return change.file.name
  return 'reusableContent' in change ? change.reusableContent.title : ''
}

/** A change of what is no text: its attributes before and after. */
export function ChangedItem({ change }: { readonly change: SemanticChange }) {
  return (
    <section className="changed-item">
      <p className="changed-kind">{change.summary}</p>
      {'attributes' in change && (
        <dl className="changed-attributes">
          {Object.entries(change.attributes)
            // The id of the text says nothing to people: its blocks follow.
            .filter(([name]) => name !== 'document')
            .map(([name, { before, after }]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  {before !== undefined && <del className="diff-removed">{printValue(before)}</del>}{' '}
                  {after !== undefined && <ins className="diff-added">{printValue(after)}</ins>}
                </dd>
              </div>
            ))}
        </dl>
      )}
    </section>
  )
}

/** A value of an attribute as a line of text. */
export const printValue = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

/** The title and the description of a page, edited in place above its text. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { changeRequestContent } from '../../contract/content.js'
import { changePages } from '../api/change-pages.js'
import { api } from '../api/client.js'
import { type ChangeSource, contentKey, refresh } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { useEditedValue } from '../ui/edited-value.js'
import { reportFailure } from '../ui/toast.js'

export function TitleField({
  source,
  page,
  title,
  sign,
  onTitle,
}: {
  readonly source: ChangeSource
  readonly page: string
  readonly title: string
  /** The emoji or icon of the page. */
  readonly sign: ReactNode
  readonly onTitle: () => void
}) {
  const { onChange, ...field } = useEditedValue(
    title,
    (next) =>
      reportFailure(changePages(source, { operation: 'update_page', page, title: next }).then(onTitle)),
    {
      isRequired: true,
      onEnter: () => document.querySelector<HTMLElement>('.document-editor')?.focus(),
    },
  )
  return (
    <div className="title-line">
      {sign !== undefined && <span className="title-sign">{sign}</span>}
      <textarea
        className="title-field"
        aria-label={text.editor.title}
        rows={1}
        maxLength={255}
        {...field}
        onChange={({ currentTarget }) => onChange(currentTarget.value.replace(/\n/g, ' '))}
      />
    </div>
  )
}

/** The description of a page, edited in place below its title. */
export function DescriptionField({
  source,
  page,
  parent,
}: {
  readonly source: ChangeSource
  readonly page: string
  /** The page above; undefined at the top level. */
  readonly parent: string | undefined
}) {
  const { data } = useQuery(descriptionsQuery(source, parent))
  const { onChange, ...field } = useEditedValue(data?.get(page) ?? '', (description) =>
    reportFailure(
      changePages(source, { operation: 'update_page', page, description }).then(() =>
        refresh(...contentKey(source)),
      ),
    ),
  )
  return (
    <textarea
      className="description-field"
      aria-label={text.panel.description}
      placeholder={text.panel.addDescription}
      rows={1}
      maxLength={300}
      {...field}
      onChange={({ currentTarget }) => onChange(currentTarget.value.replace(/\n/g, ' '))}
    />
  )
}

/** Descriptions of the pages of one level of the tree, by id: without their texts, which may be long. */
const descriptionsQuery = (source: ChangeSource, parent: string | undefined) =>
  queryOptions({
    queryKey: [...contentKey(source), 'pages', 'descriptions', parent],
    queryFn: async ({ signal }) => {
      const { pages } = await api.call(changeRequestContent.pages, {
        params: { spaceId: source.space, changeRequestId: source.change },
        query: {
          metadata: false,
          fields: 'description',
          depth: 1,
          ...(parent !== undefined && { below: parent }),
        },
        signal,
      })
      return new Map(pages.map(({ id, description = '' }) => [id, description]))
    },
  })

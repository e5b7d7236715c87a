/** A piece of Markdown as readers of its page would see it, rendered by the server. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { previewChangeRequestContent } from '../../contract/previews.js'
import { api } from '../api/client.js'
import type { ChangeSource } from '../api/queries.js'
import { Skeleton } from '../ui/display.js'
import '../space/reader-page.css'

const renderedQuery = (source: ChangeSource, page: string, markdown: string) =>
  queryOptions({
    queryKey: ['space', source.space, 'change', source.change, 'rendered', page, markdown],
    queryFn: async ({ signal }) => {
      const response = await api.send(previewChangeRequestContent, {
        params: { spaceId: source.space, changeRequestId: source.change },
        body: { page, markdown },
        signal,
      })
      return bodyOf(await response.text())
    },
    staleTime: Infinity,
    retry: false,
  })

/** Takes the text from a document; a parsed document runs no scripts and loads nothing. */
function bodyOf(html: string): string {
  const document = new DOMParser().parseFromString(html, 'text/html')
  const article = document.querySelector('main article') ?? document.querySelector('main')
  for (const element of article?.querySelectorAll(
    '.breadcrumbs, .small-outline, .feedback, script, .page-actions',
  ) ?? [])
    element.remove()
  const body = article?.querySelector('.body')
  const icons = document.querySelector('svg symbol')?.closest('svg')?.outerHTML ?? ''
  // A heading of level 1 is the title, above the text.
  const isTitle = body == null || body.textContent.trim() === ''
  return ((isTitle ? article : body)?.innerHTML ?? '') + icons
}

/** The source is displayed where it cannot be rendered, and before it is. */
export function RenderedText({
  source,
  page,
  markdown,
}: {
  readonly source: ChangeSource
  /** Undefined for a text that is of no page. */
  readonly page: string | undefined
  readonly markdown: string
}) {
  const { data, isPending } = useQuery({
    ...renderedQuery(source, page ?? '', markdown),
    enabled: page !== undefined,
    placeholderData: (before) => before,
  })
  const html = useMemo(() => ({ __html: data ?? '' }), [data])
  if (data === undefined)
    return isPending && page !== undefined ? <Skeleton lines={2} /> : <pre dir="auto">{markdown}</pre>
  return (
    // The server has sanitized it, and the content security policy runs no script of it.
    <div className="reader-article rendered-text" dangerouslySetInnerHTML={html} />
  )
}

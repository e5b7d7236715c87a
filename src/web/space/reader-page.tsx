/** A page for reading. */
import { useQuery } from '@tanstack/react-query'
import type { ContentSource } from '../api/queries.js'
import { queryClient } from '../api/queries.js'
import { ErrorNotice, Skeleton } from '../ui/display.js'
import { pageHtmlQuery } from './page-html.js'
import './reader-page.css'

/** Fetches a page that is likely to be opened next. */
export function prefetchPage(source: ContentSource, page: string): void {
  void queryClient.prefetchQuery(pageHtmlQuery(source, page))
}

export function ReaderPage({
  source,
  page,
}: {
  readonly source: ContentSource
  readonly page: string
  readonly base: string
}) {
  const { data, error, refetch } = useQuery(pageHtmlQuery(source, page))
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={10} />
  return <pre className="reader">{data}</pre>
}

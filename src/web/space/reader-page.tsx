/** A page for reading, rendered by the server, with its outline beside it. */
import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { type ContentSource, queryClient } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { parseAddress } from '../routes/addresses.js'
import { navigate } from '../routes/navigation.js'
import { copyText } from '../ui/clipboard.js'
import { ErrorNotice, Skeleton } from '../ui/display.js'
import { reportFailure, showToast } from '../ui/toast.js'
import type { PageNode } from './page-node.js'
import { pageHtmlQuery } from './page-html.js'
import './reader-page.css'

/** Fetches a page that is likely to be opened next. */
export function prefetchPage(source: ContentSource, page: PageNode): void {
  if (page.type === 'document' || page.type === 'computed')
    void queryClient.prefetchQuery(pageHtmlQuery(source, page))
}

export function ReaderPage({
  source,
  page,
  mayComment,
  margin,
}: {
  readonly source: ContentSource
  readonly page: PageNode
  /** Whether the reader may comment; undefined where comments are not displayed. */
  readonly mayComment?: boolean
  /** Beside the text. */
  readonly margin?: ReactNode
}) {
  const { data, error, refetch } = useQuery(pageHtmlQuery(source, page))
  const article = useRef<HTMLElement>(null)
  const html = useMemo(() => ({ __html: data?.article ?? '' }), [data?.article])
  useEffect(() => {
    const element = article.current
    if (element === null || mayComment === undefined) return undefined
    let isGone = false
    let stop: (() => void) | undefined
    void import('../review/article-comments.js').then(({ followArticle }) => {
      if (!isGone) stop = followArticle(element, mayComment)
    })
    return () => {
      isGone = true
      stop?.()
    }
  }, [html, mayComment])
  // The screen has one heading of level 1: that of the article, where there is one.
  const heading = <h1 className="visually-hidden">{page.title}</h1>
  if (error !== null || data === undefined)
    return (
      <>
        {heading}
        {error === null ? (
          <Skeleton lines={10} />
        ) : (
          <ErrorNotice error={error} onRetry={() => void refetch()} />
        )}
      </>
    )
  return (
    <div className="reader">
      {!data.hasTitle && heading}
      {/* The server has sanitized it, and the content security policy runs no script of it. */}
      <article ref={article} className="reader-article" onClick={followLink} dangerouslySetInnerHTML={html} />
      {margin}
      {data.headings.length > 1 && (
        <nav className="reader-outline" aria-label={text.space.outline}>
          <p>{text.space.outline}</p>
          <ul>
            {data.headings.map(({ id, title, level }) => (
              <li key={id} className={`reader-level-${level}`}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  )
}

/** Links to pages of the app open in it; the button of code copies it. */
function followLink(event: MouseEvent<HTMLElement>): void {
  const target = event.target as Element
  const copy = target.closest('[data-copy]')
  if (copy !== null) {
    const code = copy.closest('figure')?.querySelector('pre')?.textContent ?? ''
    void reportFailure(copyText(code).then(() => showToast(text.common.copied)))
    return
  }
  const link = target.closest('a')
  if (link === null || event.metaKey || event.ctrlKey || event.shiftKey || link.target === '_blank') return
  const { origin, pathname, hash } = new URL(link.href)
  if (origin !== location.origin || (hash !== '' && pathname === location.pathname)) return
  if (parseAddress(pathname).screen === 'unknown' || /\.\w+$/.test(pathname)) return
  event.preventDefault()
  navigate(pathname + hash)
}

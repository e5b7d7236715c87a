/** A page for reading, rendered by the server, with its outline beside it. */
import { useQuery } from '@tanstack/react-query'
import type { MouseEvent } from 'react'
import { type ContentSource, queryClient } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { parseAddress } from '../routes/addresses.js'
import { navigate } from '../routes/navigation.js'
import { ErrorNotice, Skeleton } from '../ui/display.js'
import { showToast } from '../ui/toast.js'
import type { PageNode } from './page-node.js'
import { pageHtmlQuery } from './page-html.js'
import './reader-page.css'

/** Fetches a page that is likely to be opened next. */
export function prefetchPage(source: ContentSource, page: PageNode): void {
  if (page.type === 'document' || page.type === 'computed')
    void queryClient.prefetchQuery(pageHtmlQuery(source, page))
}

export function ReaderPage({ source, page }: { readonly source: ContentSource; readonly page: PageNode }) {
  const { data, error, refetch } = useQuery(pageHtmlQuery(source, page))
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={10} />
  return (
    <div className="reader">
      {/* The server has sanitized it, and the content security policy runs no script of it. */}
      <article
        className="reader-article"
        onClick={followLink}
        dangerouslySetInnerHTML={{ __html: data.article }}
      />
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
    void navigator.clipboard.writeText(code).then(() => showToast(text.common.copied))
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

/**
 * A page as its readers see it: the document that the server renders at the page's address, of which the app displays the
 * article. What was seen before is displayed at once and revalidated by its `ETag`.
 */
import { queryOptions } from '@tanstack/react-query'
import { ApiRequestError } from '../api/client.js'
import { type ContentSource, contentKey } from '../api/queries.js'
import { changePath, spacePath } from '../routes/addresses.js'

export interface ReaderHtml {
  /** Title, description and text. */
  readonly article: string
  /** Whether the article begins with the title; pages may be displayed without it. */
  readonly hasTitle: boolean
  readonly headings: readonly { readonly id: string; readonly title: string; readonly level: number }[]
}

const readerPath = ({ space, change }: ContentSource, path: string): string =>
  change === undefined ? spacePath(space, path) : changePath(space, change, path)

export const pageHtmlQuery = (source: ContentSource, page: { readonly id: string; readonly path: string }) =>
  queryOptions({
    queryKey: [...contentKey(source), 'page', page.id, 'html', page.path],
    queryFn: async ({ signal }): Promise<ReaderHtml> => {
      const response = await fetch(readerPath(source, page.path), {
        headers: { accept: 'text/html' },
        signal,
      })
      if (!response.ok)
        throw new ApiRequestError(response.status, 0, `The page could not be read (${response.status}).`)
      return readDocument(await response.text())
    },
  })

/** Takes the article from the document; a parsed document runs no scripts and loads nothing. */
function readDocument(html: string): ReaderHtml {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const article = page.querySelector('main article') ?? page.querySelector('main')
  const headings = [...page.querySelectorAll<HTMLElement>('main [data-outline] li')].flatMap((item) => {
    const link = item.querySelector('a')
    const level = Number(/outline-(\d)/.exec(item.className)?.[1] ?? 1)
    const id = link?.getAttribute('href')?.slice(1)
    return id === undefined ? [] : [{ id: decodeURIComponent(id), title: link!.textContent, level }]
  })
  // The app has its own, and its own lists of pages.
  for (const element of article?.querySelectorAll('.breadcrumbs, .small-outline, .feedback, script') ?? [])
    element.remove()
  const icons = page.querySelector('svg symbol')?.closest('svg')?.outerHTML ?? ''
  const hasTitle = article?.querySelector('h1') != null
  return { article: (article?.innerHTML ?? '') + icons, hasTitle, headings }
}

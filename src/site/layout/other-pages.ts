/** Pages of a site that are no pages of its content: search results, "not found", errors. */
import { icon } from '../blocks/icons.js'
import { safeUrl } from '../blocks/safe-url.js'
import { attributes, html, type Html } from '../html.js'
import { renderFrame } from './chrome.js'
import { renderNavigation } from './navigation.js'
import type { NavigationNode, SiteView } from './view.js'

/** An excerpt, and which parts of it (UTF-16 offsets, in order, not overlapping) met the query. */
export interface Excerpt {
  readonly text: string
  readonly marks: readonly (readonly [start: number, end: number])[]
}

/** One result, in the page and in the JSON that the search dialog reads. */
export interface SearchItem {
  readonly title: string
  readonly href: string
  /** Heading of the part of the page that was found. */
  readonly section?: string
  readonly excerpt?: Excerpt
  readonly breadcrumbs?: readonly string[]
}

export interface SearchResults {
  readonly query: string
  readonly items: readonly SearchItem[]
  /** Of all results; `more` leads to the next ones. */
  readonly count?: number
  readonly more?: string
}

/** The results of a query as a page; an empty query shows the field alone. */
export function searchPage(site: SiteView, results: SearchResults): string {
  const { query, items } = results
  return renderFrame(site, {
    head: { title: query === '' ? 'Search' : `Search: ${query}`, indexed: false },
    query,
    main: html`<main class="main plain" id="octavo-content" tabindex="-1">
      <div class="content">
        <header class="title"><h1>Search</h1></header>
        ${
          site.search !== undefined &&
          html`<form
            class="search-large"
            role="search"
            method="get"
           ${attributes({ action: safeUrl(site.search.href) })}
          >
            <input
              type="search"
              name="q"
              value="${query}"
              aria-label="Search"
              autocomplete="off"
              maxlength="512"><button type="submit" class="button primary">Search</button>
          </form>`
        }
        ${query !== '' && html`<p class="result-count" role="status">${countText(results)}</p>`}
        <ol class="results" role="list">
          ${items.map(renderItem)}
        </ol>
        ${results.more !== undefined && html`<p><a class="button secondary"${attributes({ href: safeUrl(results.more) })}>More results</a></p>`}
      </div>
    </main>`,
  })
}

function countText({ query, items, count = items.length }: SearchResults): string {
  if (count === 0) return `Nothing was found for “${query}”.`
  return `${count} ${count === 1 ? 'result' : 'results'} for “${query}”`
}

function renderItem(item: SearchItem): Html {
  return html`<li><a${attributes({ href: safeUrl(item.href) })}>${item.title}${item.section !== undefined && html`<span class="result-section"> › ${item.section}</span>`}</a>${
    item.breadcrumbs !== undefined &&
    item.breadcrumbs.length > 0 &&
    html`<p class="result-path">${item.breadcrumbs.join(' / ')}</p>`
  }${item.excerpt !== undefined && html`<p class="result-excerpt">${renderExcerpt(item.excerpt)}</p>`}</li>\n`
}

function renderExcerpt({ text, marks }: Excerpt): readonly (Html | string)[] {
  const parts: (Html | string)[] = []
  let from = 0
  for (const [start, end] of marks) {
    if (start < from || end <= start) continue
    parts.push(text.slice(from, start), html`<mark>${text.slice(start, end)}</mark>`)
    from = end
  }
  return [...parts, text.slice(from)]
}

/** The page for an address that names nothing, with the tree of pages so that the reader can go on. */
export function notFoundPage(site: SiteView, navigation: readonly NavigationNode[] = []): string {
  return messagePage(site, navigation, {
    title: 'Page not found',
    message: 'There is no page at this address. It may have been moved or deleted.',
    sign: 'compass',
  })
}

/** The page for a failure of ours, or for a refusal; `message` says in plain words what the reader can do. */
export function errorPage(
  site: SiteView,
  error: { readonly title: string; readonly message: string },
): string {
  return messagePage(site, [], { ...error, sign: 'circle-alert' })
}

function messagePage(
  site: SiteView,
  navigation: readonly NavigationNode[],
  { title, message, sign }: { readonly title: string; readonly message: string; readonly sign: string },
): string {
  return renderFrame(site, {
    head: { title, indexed: false },
    ...(navigation.length === 0 ? {} : { navigation: renderNavigation(navigation) }),
    main: html`<main class="main plain" id="octavo-content" tabindex="-1">
      <div class="content message">
        ${icon(sign)}
        <h1>${title}</h1>
        <p class="lead">${message}</p>
        <p><a class="button primary"${attributes({ href: safeUrl(site.href) })}>Go to the first page</a></p>
      </div>
    </main>`,
  })
}

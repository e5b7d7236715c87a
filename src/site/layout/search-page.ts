/** Search results: as a page that works without JavaScript, and as the response to the search dialog. */
import { groupBy } from '../../core/group.js'
import { safeUrl } from '../blocks/safe-url.js'
import { attributes, html, type Html } from '../html.js'
import type { Words } from '../words/en.js'
import { fill, wordsIn } from '../words/words.js'
import { renderPageShell } from './page-shell.js'
import type { SiteView } from './view.js'

/** A text, and its ranges that match the query (UTF-16 offsets, in order, not overlapping). */
export interface MarkedText {
  readonly text: string
  readonly marks: readonly (readonly [start: number, end: number])[]
}

/** A found page, with its matching sections. */
export interface SearchItem {
  readonly title: MarkedText
  readonly href: string
  /** URL to which the browser reports that the result was opened, if clicks are counted. */
  readonly counted?: string
  /** Title of the site section by which results are grouped. */
  readonly section?: string
  /** Breadcrumbs of the page inside its section. */
  readonly breadcrumbs?: readonly string[]
  /** The text directly below the title first, then the best first. */
  readonly sections: readonly SearchSection[]
}

/** A section of the page; without heading and URL for the text directly below the title. */
export interface SearchSection {
  readonly heading?: MarkedText
  readonly href?: string
  readonly excerpt?: MarkedText
}

export interface SearchResults {
  readonly query: string
  readonly items: readonly SearchItem[]
  /** Number of all results; `more` is the URL of the next ones. */
  readonly count?: number
  readonly more?: string
}

/** Returns the results page of a query; without a query only the search field. */
export function searchPage(site: SiteView, results: SearchResults): string {
  const { query, items } = results
  const words = wordsIn(site.language)
  return renderPageShell(site, {
    isPlain: true,
    head: { title: query === '' ? words.search : fill(words.searchFor, query), indexed: false },
    query,
    main: html`<main class="main plain" id="octavo-content" tabindex="-1">
      <div class="content">
        <header class="title"><h1>${words.search}</h1></header>
        ${
          site.search !== undefined &&
          html`<form
            class="search-large"
            role="search"
            aria-label="${words.search}"
            method="get"
           ${attributes({ action: safeUrl(site.search.href) })}
          >
            <input
              type="search"
              name="q"
              value="${query}"
              aria-label="${words.search}"
              autocomplete="off"
              maxlength="512"><button type="submit" class="button primary">${words.search}</button>
          </form>`
        }
        ${query !== '' && html`<p class="result-count" role="status">${countText(results, words)}</p>`}
        ${renderGroups(items)}
        ${results.more !== undefined && html`<p><a class="button secondary"${attributes({ href: safeUrl(results.more) })}>${words.moreResults}</a></p>`}
      </div>
    </main>`,
  })
}

function countText({ query, items, count = items.length }: SearchResults, words: Words): string {
  if (count === 0) return fill(words.nothingFound, query)
  return fill(words.foundFor, words.pagesFound(count), query)
}

/** Without results the list is empty: in a static export, the client script fills it. */
function renderGroups(items: readonly SearchItem[]): readonly Html[] {
  const groups = groupBy(items, ({ section }) => section)
  return groups.size === 0 ? [renderList([], 2)] : [...groups].map(renderGroup)
}

/** The group with the best result is first; results without a section have no heading. */
function renderGroup([section, items]: readonly [string | undefined, readonly SearchItem[]]): Html {
  if (section === undefined) return renderList(items, 2)
  return html`<section><h2 class="result-group" dir="auto">${section}</h2>${renderList(items, 3)}</section>`
}

function renderList(items: readonly SearchItem[], level: 2 | 3): Html {
  return html`<ol class="results" role="list">
    ${items.map((item) => renderItem(item, level))}
  </ol>`
}

function renderItem({ title, href, breadcrumbs = [], sections }: SearchItem, level: 2 | 3): Html {
  const link = html`<a${attributes({ href: safeUrl(href) })} dir="auto">${renderMarked(title)}</a>`
  return html`<li>${
    breadcrumbs.length > 0 && html`<p class="result-path" dir="auto">${breadcrumbs.join(' / ')}</p>`
  }${level === 2 ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`}${sections.map(renderSection)}</li>\n`
}

function renderSection({ heading, href, excerpt }: SearchSection): Html {
  const content =
    excerpt !== undefined && html`<p class="result-excerpt" dir="auto">${renderMarked(excerpt)}</p>`
  if (heading === undefined || href === undefined) return html`${content}`
  return html`<div class="result-section"><a${attributes({ href: safeUrl(href) })} dir="auto">${renderMarked(heading)}</a>${content}</div>`
}

function renderMarked({ text, marks }: MarkedText): readonly (Html | string)[] {
  const parts: (Html | string)[] = []
  let from = 0
  for (const [start, end] of marks) {
    if (start < from || end <= start) continue
    parts.push(text.slice(from, start), html`<mark>${text.slice(start, end)}</mark>`)
    from = end
  }
  return [...parts, text.slice(from)]
}

/** The results of a search: as a page that reads without JavaScript, and as what the search dialog is sent. */
import { groupBy } from '../../core/group.js'
import { safeUrl } from '../blocks/safe-url.js'
import { attributes, html, type Html } from '../html.js'
import type { Words } from '../words/en.js'
import { fill, wordsIn } from '../words/words.js'
import { renderPageShell } from './page-shell.js'
import type { SiteView } from './view.js'

/** A text, and which parts of it (UTF-16 offsets, in order, not overlapping) met the query. */
export interface MarkedText {
  readonly text: string
  readonly marks: readonly (readonly [start: number, end: number])[]
}

/** One page that was found, with what was found in it. */
export interface SearchItem {
  readonly title: MarkedText
  readonly href: string
  /** Where a browser tells that it is opened, where that is counted. */
  readonly counted?: string
  /** What is found in one section of the site stands together, under its name. */
  readonly section?: string
  /** The way to the page inside its section. */
  readonly breadcrumbs?: readonly string[]
  /** What stands under the title itself first, then the best first. */
  readonly sections: readonly SearchSection[]
}

/** A section of the page; without heading and address what stands under its title. */
export interface SearchSection {
  readonly heading?: MarkedText
  readonly href?: string
  readonly excerpt?: MarkedText
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

/** Where nothing was found stands an empty list: the program of a static twin fills it. */
function renderGroups(items: readonly SearchItem[]): readonly Html[] {
  const groups = groupBy(items, ({ section }) => section)
  return groups.size === 0 ? [renderList([], 2)] : [...groups].map(renderGroup)
}

/** The group with the best result comes first; what stands in no section has no heading. */
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

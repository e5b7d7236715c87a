/** Message pages of a site: "not found" and errors. */
import { icon } from '../blocks/icons.js'
import { safeUrl } from '../blocks/safe-url.js'
import { type Html, attributes, html } from '../html.js'
import type { Words } from '../words/en.js'
import { wordsIn } from '../words/words.js'
import { renderPageShell } from './page-shell.js'
import { renderNavigation } from './navigation.js'
import type { NavigationNode, SiteView } from './view.js'

/** A similar page, and its position in the site. */
export interface Suggestion {
  readonly title: string
  readonly href: string
  readonly path: readonly string[]
}

/**
 * The page for an unknown URL (404), with similar pages and the navigation tree.
 */
export function notFoundPage(
  site: SiteView,
  navigation: readonly NavigationNode[] = [],
  suggestions: readonly Suggestion[] = [],
): string {
  const words = wordsIn(site.language)
  return messagePage(site, navigation, {
    more: suggestions.length > 0 && renderSuggestions(suggestions, words),
    title: words.notFound,
    message: words.notFoundMessage,
    sign: 'compass',
  })
}

/** The page for internal errors and refusals; `message` says in plain words what the reader can do. */
export function errorPage(
  site: SiteView,
  error: { readonly title: string; readonly message: string },
): string {
  return messagePage(site, [], { ...error, sign: 'circle-alert' })
}

function messagePage(
  site: SiteView,
  navigation: readonly NavigationNode[],
  {
    title,
    message,
    sign,
    more = false,
  }: {
    readonly title: string
    readonly message: string
    readonly sign: string
    readonly more?: Html | false
  },
): string {
  return renderPageShell(site, {
    isPlain: true,
    head: { title, indexed: false },
    ...(navigation.length === 0 ? {} : { navigation: renderNavigation(navigation, site.language) }),
    main: html`<main class="main plain" id="octavo-content" tabindex="-1">
      <div class="content message">
        ${icon(sign)}
        <h1>${title}</h1>
        <p class="lead">${message}</p>
        ${more}
        <p><a class="button primary"${attributes({ href: safeUrl(site.href) })}>${wordsIn(site.language).toFirstPage}</a></p>
      </div>
    </main>`,
  })
}

function renderSuggestions(suggestions: readonly Suggestion[], words: Words): Html {
  return html`<nav class="suggestions" aria-labelledby="octavo-suggestions">
    <h2 id="octavo-suggestions">${words.suggestions}</h2>
    <ul role="list">
      ${suggestions.map(
        ({ title, href, path }) =>
          html`<li><a${attributes({ href: safeUrl(href) })} dir="auto">${title}</a>${path.length > 0 && html`<small dir="auto">${path.join(' / ')}</small>`}</li>\n`,
      )}
    </ul>
  </nav>\n`
}

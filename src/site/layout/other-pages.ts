/** Pages of a site that are no pages of its content: "not found", errors. */
import { icon } from '../blocks/icons.js'
import { safeUrl } from '../blocks/safe-url.js'
import { attributes, html } from '../html.js'
import { renderFrame } from './chrome.js'
import { renderNavigation } from './navigation.js'
import type { NavigationNode, SiteView } from './view.js'

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
    isPlain: true,
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

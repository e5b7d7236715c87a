/** Pages of one narrow column in the layout of a site: the progress of a PDF. */
import { html, type Html } from '../html.js'
import { renderPageShell } from './page-shell.js'
import type { SiteView } from './view.js'

export function narrowPage(site: SiteView, title: string, parts: readonly (Html | false)[]): string {
  return renderPageShell(site, {
    isPlain: true,
    head: { title, indexed: false },
    main: html`<main class="main plain" id="octavo-content" tabindex="-1">
      <div class="content"><div class="door">${parts}</div></div>
    </main>`,
  })
}

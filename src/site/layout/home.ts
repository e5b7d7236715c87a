/** Home page of the server: the sites and spaces that the visitor can read. */
import { safeUrl } from '../blocks/safe-url.js'
import { attributes, html, type Html } from '../html.js'
import { renderPageShell } from './page-shell.js'
import { renderEntryIcon } from './navigation.js'
import type { SiteView } from './view.js'

export interface HomeEntry {
  readonly title: string
  readonly href: string
  readonly detail?: string
  readonly emoji?: string
  readonly icon?: string
}

export interface HomeGroup {
  readonly title: string
  readonly entries: readonly HomeEntry[]
}

/** A pending invitation to an organization. */
export interface HomeInvitation {
  readonly id: string
  readonly title: string
}

export interface HomeView {
  readonly groups: readonly HomeGroup[]
  readonly invitations?: readonly HomeInvitation[]
  /** Name of the signed-in user; undefined for anonymous visitors. */
  readonly reader?: string | undefined
}

/** Returns the home page. */
export function homePage(site: SiteView, { groups, reader, invitations = [] }: HomeView): string {
  return renderPageShell(site, {
    isPlain: true,
    head: { title: site.title, description: 'Documentation published with Octavo.' },
    main: html`<main class="main plain" id="octavo-content" tabindex="-1">
      <div class="content home">
        <header class="title">
          <h1>${reader === undefined ? 'Documentation' : `Welcome, ${reader}`}</h1>
          ${reader === undefined && html`<p class="lead">Everything that is published on this server, to read without an account.</p>`}
        </header>
        ${invitations.map(renderInvitation)}
        ${groups.map(renderGroup)}
        ${groups.length === 0 && html`<p class="lead">Nothing is published here yet.</p>`}
        ${
          reader === undefined
            ? html`<p class="home-door">
                Writers come in here: <a href="/~octavo/sign-in">sign in</a>.
              </p>`
            : html`<p class="home-door">
                <a href="/~octavo/password">Set or change your password</a>
              </p>
              <form method="post" action="/~octavo/sign-out">
                <button type="submit" class="button secondary">Sign out</button>
              </form>`
        }
      </div>
    </main>`,
  })
}

function renderInvitation({ id, title }: HomeInvitation): Html {
  return html`<form class="door-note" method="post" action="/~octavo/invitations">
    <p>You are invited to <strong>${title}</strong>. Its people see your name and picture, and when you sign in, once you accept.</p>
    <input type="hidden" name="organization" value="${id}">
    <button type="submit" class="button primary" name="answer" value="accept">Accept</button>
    <button type="submit" class="button secondary" name="answer" value="decline">Decline</button>
  </form>\n`
}

function renderGroup({ title, entries }: HomeGroup): Html {
  return html`<section>
    <h2>${title}</h2>
    ${entries.length === 0 && html`<p>There is nothing in here yet.</p>`}
    <ul class="cards" role="list">
      ${entries.map(
        (entry) =>
          html`<li class="card linked"><div class="card-body"><div class="card-title"><a${attributes({ class: 'card-link', href: safeUrl(entry.href) })}>${renderEntryIcon(entry)} ${entry.title}</a></div>${entry.detail !== undefined && html`<div class="card-cell"><p>${entry.detail}</p></div>`}</div></li>\n`,
      )}
    </ul>
  </section>\n`
}

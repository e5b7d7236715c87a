/** Sign-in pages: forms that work without scripts, at any width. Their handlers are in server/sign-in. */
import { attributes, html, type Html } from '../html.js'
import { renderPageShell } from './page-shell.js'
import type { SiteView } from './view.js'

export interface SignInView {
  /** Error of the last attempt, and what to do. */
  readonly error?: string | undefined
  /** Confirmation of the last action. */
  readonly note?: string | undefined
  /** Retained in the field after a failed attempt. */
  readonly email?: string | undefined
  /** Path to open after the sign-in. */
  readonly returnTo: string
  /** For the sign-in page of one organization: its name, and its identity providers. */
  readonly organization?:
    | { readonly title: string; readonly providers: readonly { label: string; href: string }[] }
    | undefined
  /** Name of the OpenID provider, if one is configured. */
  readonly openId?: string | undefined
  /** Whether sign-in links can be requested by mail. */
  readonly sendsMail: boolean
}

/** Returns the page with every configured sign-in method. */
export function signInPage(site: SiteView, view: SignInView): string {
  const { organization, openId, returnTo } = view
  const ways = organization?.providers ?? []
  const query = new URLSearchParams({ return: returnTo }).toString()
  return narrowPage(site, 'Sign in', [
    html`<h1>Sign in${organization !== undefined && html` to ${organization.title}`}</h1>`,
    view.error !== undefined && html`<p class="door-error" role="alert">${view.error}</p>`,
    view.note !== undefined && html`<p class="door-note" role="status">${view.note}</p>`,
    (ways.length > 0 || openId !== undefined) &&
      html`<div class="door-ways">
        ${ways.map(({ label, href }) => html`<a class="button primary"${attributes({ href: `${href}?${query}` })}>Continue with ${label}</a>`)}
        ${openId !== undefined && html`<a class="button secondary"${attributes({ href: `/~octavo/oidc/start?${query}` })}>Continue with ${openId}</a>`}
      </div>
      <div class="door-or">or</div>`,
    passwordForm(view, ways.length === 0),
    view.sendsMail ? mailForm(view) : adminLinkHint,
  ])
}

function passwordForm({ email = '', returnTo }: SignInView, isFirst: boolean): Html {
  return html`<form method="post" action="/~octavo/sign-in">
    <input type="hidden" name="return" value="${returnTo}">
    <label>E-mail address
      <input type="email" name="email" value="${email}" autocomplete="username" required maxlength="254"${attributes({ autofocus: isFirst && email === '' })}>
    </label>
    <label>Password
      <input type="password" name="password" autocomplete="current-password" required maxlength="1024">
    </label>
    <button type="submit" class="button ${isFirst ? 'primary' : 'secondary'}">Sign in</button>
  </form>`
}

function mailForm({ email = '', returnTo }: SignInView): Html {
  return html`<div class="door-or">no password, or forgotten?</div>
    <form method="post" action="/~octavo/sign-in/mail">
      <input type="hidden" name="return" value="${returnTo}">
      <label>E-mail address
        <input type="email" name="email" value="${email}" autocomplete="email" required maxlength="254">
      </label>
      <button type="submit" class="button secondary">Send me a sign-in link</button>
    </form>`
}

const adminLinkHint = html`<p class="door-hint">
  No password, or forgotten? An admin of your organization can make you a sign-in link; whoever runs this server
  makes one with <code>npx octavo user sign-in-link you@example.com</code>.
</p>`

/** The page of a sign-in link: only its button consumes the link, because mail programs prefetch links. */
export function signInLinkPage(
  site: SiteView,
  { link, returnTo, joins }: { link: string; returnTo: string; joins: string | undefined },
): string {
  return narrowPage(site, 'Sign in', [
    html`<h1>${joins === undefined ? 'Sign in' : `Join ${joins}`}</h1>`,
    joins !== undefined &&
      html`<p>You are invited to <strong>${joins}</strong>. Its people see your name and picture, and when you sign in, once you accept.</p>`,
    html`<p class="door-hint">The link works once and signs in this browser.</p>`,
    html`<form method="post" action="/~octavo/sign-in">
      <input type="hidden" name="link" value="${link}">
      <input type="hidden" name="return" value="${returnTo}">
      <button type="submit" class="button primary">${joins === undefined ? 'Sign in' : 'Accept and sign in'}</button>
    </form>`,
  ])
}

/** The page of an invite link: only its button joins, because previews of messages open links. */
export function joinPage(site: SiteView, title: string, action: string): string {
  return narrowPage(site, `Join ${title}`, [
    html`<h1>Join ${title}</h1>`,
    html`<p>You are invited to <strong>${title}</strong>. Its people see your name and picture, and when you sign in, once you join.</p>`,
    html`<form method="post"${attributes({ action })}>
      <button type="submit" class="button primary">Join</button>
    </form>`,
  ])
}

/** The page that says why the sign-in was refused, with a link back to the sign-in page. */
export function signInRefusedPage(site: SiteView, message: string): string {
  return narrowPage(site, 'You are not signed in', [
    html`<h1>You are not signed in</h1>`,
    html`<p class="door-error" role="alert">${message}</p>`,
    html`<a class="button secondary" href="/~octavo/sign-in">To the sign-in page</a>`,
  ])
}

/** A page of one narrow column. */
export function narrowPage(site: SiteView, title: string, parts: readonly (Html | false)[]): string {
  return renderPageShell(site, {
    isPlain: true,
    head: { title, indexed: false },
    main: html`<main class="main plain" id="octavo-content" tabindex="-1">
      <div class="content"><div class="door">${parts}</div></div>
    </main>`,
  })
}

/** Sign-in pages as HTML: forms that work without scripts, at any width. */
import { maxPasswordLength, minPasswordLength } from '../../access/signin/passwords.js'
import { limits } from '../../contract/limits.js'
import { type Html, attributes, html } from '../../site/html.js'
import { type FormError, renderField, renderOutcome, signInDocument } from './document.js'

interface Outcome {
  /** Of the last attempt, and what to do. */
  readonly error?: FormError | undefined
  /** Confirmation of the last action. */
  readonly note?: string | undefined
}

export interface ProviderLink {
  readonly label: string
  readonly href: string
}

export interface SignInView extends Outcome {
  /** Retained in the field after a failed attempt. */
  readonly email?: string | undefined
  /** Path to open after the sign-in. */
  readonly returnTo: string
  /** For the sign-in page of one organization: its name, and its identity providers. */
  readonly organization?: { readonly title: string; readonly providers: readonly ProviderLink[] } | undefined
  /** Name of the OpenID provider, if one is configured. */
  readonly openId?: string | undefined
  /** Whether sign-in links can be requested by mail. */
  readonly sendsMail: boolean
  /** Whether an organization of this server has an identity provider. */
  readonly hasSingleSignOn?: boolean
  /** Name of the person that is signed in already. */
  readonly signedInAs?: string | undefined
  /** True until the first person has signed in to this server. */
  readonly isUnused?: boolean
}

const emailInput = (value = '') => ({ type: 'email', value, required: true, maxlength: limits.emailLength })
const queryFor = (returnTo: string) => new URLSearchParams({ return: returnTo }).toString()
const pageLink = (path: string, returnTo: string, text: string): Html =>
  html`<a class="sign-in-link"${attributes({ href: `${path}?${queryFor(returnTo)}` })}>${text}</a>`
const returnField = (returnTo: string) => html`<input type="hidden" name="return" value="${returnTo}">`
const backToSignIn = (returnTo: string): Html =>
  html`<p class="sign-in-hint">${pageLink('/~octavo/sign-in', returnTo, 'Back to signing in')}</p>`

/** Returns the page with every configured sign-in method. */
export function signInPage(view: SignInView): Promise<string> {
  const { organization, openId, returnTo, error, note, signedInAs } = view
  const providers = organization?.providers ?? []
  const query = queryFor(returnTo)
  const isFirst = providers.length === 0
  return signInDocument(organization === undefined ? 'Sign in' : `Sign in to ${organization.title}`, [
    renderOutcome(error, note),
    signedInAs !== undefined &&
      html`<p class="notice notice-accent">You are signed in as ${signedInAs}.</p><a class="button button-primary"${attributes({ href: returnTo })}>Continue</a><div class="sign-in-or">or as another person</div>`,
    view.isUnused === true && firstSteps,
    (!isFirst || openId !== undefined) &&
      html`<div class="sign-in-ways">
        ${providers.map(({ label, href }) => html`<a class="button button-primary"${attributes({ href: `${href}?${query}` })}>Continue with ${label}</a>`)}
        ${openId !== undefined && html`<a class="button button-plain"${attributes({ href: `/~octavo/oidc/start?${query}` })}>Continue with ${openId}</a>`}
      </div>
      <div class="sign-in-or">or</div>`,
    passwordForm(view, isFirst && signedInAs === undefined),
    view.hasSingleSignOn === true &&
      isFirst &&
      html`<p class="sign-in-hint">${pageLink('/~octavo/sign-in/organization', returnTo, 'Single sign-on of an organization')}</p>`,
    !view.sendsMail && adminLinkHint,
  ])
}

function passwordForm({ email = '', returnTo, error, sendsMail }: SignInView, isFirst: boolean): Html {
  return html`<form class="form" method="post" action="/~octavo/sign-in">
    ${returnField(returnTo)}
    ${renderField({
      name: 'email',
      label: 'E-mail address',
      input: {
        ...emailInput(email),
        autocomplete: 'username',
        autofocus: isFirst && email === '' && error === undefined,
      },
      error,
    })}
    ${renderField({
      name: 'password',
      label: 'Password',
      input: { type: 'password', autocomplete: 'current-password', required: true, maxlength: 1024 },
      error,
      aside: sendsMail && pageLink('/~octavo/forgotten-password', returnTo, 'Forgotten?'),
    })}
    <button type="submit" class="button ${isFirst ? 'button-primary' : 'button-plain'}">Sign in</button>
    ${sendsMail && html`<button type="submit" class="button button-quiet" formaction="/~octavo/sign-in/mail" formnovalidate>Send me a sign-in link instead</button>`}
  </form>`
}

const command = (address: string) => html`<code>npx octavo user sign-in-link ${address}</code>`

const firstSteps = html`<div class="notice notice-accent"><div class="notice-body">
  <p><strong>This server is new.</strong> Its first start printed a sign-in link for its administrator, in the terminal or the log.</p>
  <p>${command('admin@localhost')} prints another one. If you have set <code>OCTAVO_ADMIN_EMAIL</code>, use that address.</p>
</div></div>`

const adminLinkHint = html`<p class="sign-in-hint">
  No password, or forgotten? An admin of your organization can make you a sign-in link; whoever runs this server
  makes one with ${command('you@example.com')}.
</p>`

export interface ForgottenView extends Outcome {
  readonly email?: string | undefined
  readonly returnTo: string
  readonly sendsMail: boolean
}

/** The page that sends a link to set a new password. */
export function forgottenPasswordPage({
  email,
  returnTo,
  sendsMail,
  error,
  note,
}: ForgottenView): Promise<string> {
  return signInDocument('Forgotten password', [
    renderOutcome(error, note),
    sendsMail
      ? html`<p class="sign-in-hint">You get a link by mail. It signs you in, and you set a new password.</p>
        <form class="form" method="post" action="/~octavo/forgotten-password">
          ${returnField(returnTo)}
          ${renderField({
            name: 'email',
            label: 'E-mail address',
            input: { ...emailInput(email), autocomplete: 'username', autofocus: note === undefined },
            error,
          })}
          <button type="submit" class="button ${note === undefined ? 'button-primary' : 'button-plain'}">${note === undefined ? 'Send the link' : 'Send another link'}</button>
        </form>`
      : adminLinkHint,
    backToSignIn(returnTo),
  ])
}

export interface OrganizationChoiceView extends Outcome {
  /** The entered words. */
  readonly wanted?: string | undefined
  readonly returnTo: string
  /** Organizations that fit the words. */
  readonly choices: readonly { readonly id: string; readonly title: string }[]
}

/** The page that finds the organization whose single sign-on is wanted. */
export function organizationChoicePage({
  wanted = '',
  returnTo,
  choices,
  error,
}: OrganizationChoiceView): Promise<string> {
  const hrefOf = (id: string) =>
    `/~octavo/sign-in?${new URLSearchParams({ organization: id, return: returnTo }).toString()}`
  return signInDocument('Single sign-on', [
    renderOutcome(error),
    choices.length > 0 &&
      html`<p class="sign-in-hint">Choose the organization:</p>
      <div class="sign-in-ways">${choices.map(({ id, title }) => html`<a class="button button-plain"${attributes({ href: hrefOf(id) })}>${title}</a>`)}</div>
      <div class="sign-in-or">or another one</div>`,
    html`<form class="form" method="get" action="/~octavo/sign-in/organization">
      ${returnField(returnTo)}
      ${renderField({
        name: 'organization',
        label: 'Your e-mail address at work, or the short name of the organization',
        input: {
          type: 'text',
          value: wanted,
          required: true,
          maxlength: limits.emailLength,
          autofocus: true,
        },
        error,
      })}
      <button type="submit" class="button button-primary">Continue</button>
    </form>`,
    backToSignIn(returnTo),
  ])
}

/** The page of a sign-in link: only its button consumes the link, because mail programs prefetch links. */
export function signInLinkPage({
  link,
  returnTo,
  joins,
}: {
  readonly link: string
  readonly returnTo: string
  readonly joins: string | undefined
}): Promise<string> {
  return signInDocument(joins === undefined ? 'Sign in' : `Join ${joins}`, [
    joins !== undefined &&
      html`<p>You are invited to <strong>${joins}</strong>. Its people see your name and picture, and when you sign in, once you accept.</p>`,
    html`<p class="sign-in-hint">The link works once and signs in this browser.</p>`,
    html`<form class="form" method="post" action="/~octavo/sign-in">
      <input type="hidden" name="link" value="${link}">
      ${returnField(returnTo)}
      <button type="submit" class="button button-primary" autofocus>${joins === undefined ? 'Sign in' : 'Accept and sign in'}</button>
    </form>`,
  ])
}

/** The page of an invite link: only its button joins, because previews of messages open links. */
export function joinPage(title: string, action: string): Promise<string> {
  return signInDocument(`Join ${title}`, [
    html`<p>You are invited to <strong>${title}</strong>. Its people see your name and picture, and when you sign in, once you join.</p>`,
    html`<form class="form" method="post"${attributes({ action })}>
      <button type="submit" class="button button-primary" autofocus>Join</button>
    </form>`,
  ])
}

/** The page that says why the sign-in was refused, with a link back to the sign-in page. */
export function signInRefusedPage(message: string): Promise<string> {
  return signInDocument('You are not signed in', [
    renderOutcome({ message }),
    html`<a class="button button-plain" href="/~octavo/sign-in">To the sign-in page</a>`,
  ])
}

export interface PasswordView extends Outcome {
  /** Account of the password; undefined if it cannot be changed in this session. */
  readonly account: PasswordAccount | undefined
}

export interface PasswordAccount {
  readonly email: string | null
  /** Whether the current password is required. */
  readonly needsCurrent: boolean
}

/** Returns the page with the form to set the own password, or with the reason why there is none. */
export function passwordPage({ error, note, account }: PasswordView): Promise<string> {
  return signInDocument('Your password', [
    renderOutcome(error, note),
    account !== undefined && note === undefined && newPasswordForm(account, error),
    html`<a class="button ${note === undefined ? 'button-quiet' : 'button-primary'}" href="/">${note === undefined ? 'Not now' : 'Continue'}</a>`,
  ])
}

function newPasswordForm({ email, needsCurrent }: PasswordAccount, error: FormError | undefined): Html {
  return html`<form class="form" method="post" action="/~octavo/password">
    ${
      // Password managers store the new password under the name in the form.
      email !== null &&
      renderField({
        name: 'email',
        label: 'E-mail address',
        input: { type: 'email', value: email, autocomplete: 'username', readonly: true },
      })
    }
    ${
      needsCurrent &&
      renderField({
        name: 'current',
        label: 'Current password',
        input: {
          type: 'password',
          autocomplete: 'current-password',
          required: true,
          maxlength: 1024,
          autofocus: true,
        },
        error,
      })
    }
    ${renderField({
      name: 'password',
      label: 'New password',
      input: {
        type: 'password',
        autocomplete: 'new-password',
        required: true,
        minlength: minPasswordLength,
        maxlength: maxPasswordLength,
        autofocus: !needsCurrent,
      },
      error,
      hint: `At least ${minPasswordLength} characters. It signs you out in all other browsers and revokes your API tokens.`,
    })}
    <button type="submit" class="button button-primary">Set password</button>
  </form>`
}

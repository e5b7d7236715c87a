/** Form to change the user's own password, in the layout of the sign-in pages; works without scripts. */
import { maxPasswordLength, minPasswordLength } from '../../access/signin/passwords.js'
import { html, type Html } from '../html.js'
import { narrowPage } from './sign-in.js'
import type { SiteView } from './view.js'

export interface PasswordView {
  /** Error of the last attempt, and what to do. */
  readonly error?: string | undefined
  /** Confirmation of the last action. */
  readonly note?: string | undefined
  /** Account of the password; undefined if it cannot be changed in this session. */
  readonly account: PasswordAccount | undefined
}

export interface PasswordAccount {
  readonly email: string | null
  /** Whether the current password is required. */
  readonly needsCurrent: boolean
}

/** Returns the page with the form, or with the reason why there is none. */
export function passwordPage(site: SiteView, { error, note, account }: PasswordView): string {
  return narrowPage(site, 'Your password', [
    html`<h1>Your password</h1>`,
    error !== undefined && html`<p class="door-error" role="alert">${error}</p>`,
    note !== undefined && html`<p class="door-note" role="status">${note}</p>`,
    account !== undefined && passwordForm(account),
    html`<p class="door-hint"><a href="/">Back to the first page</a></p>`,
  ])
}

function passwordForm({ email, needsCurrent }: PasswordAccount): Html {
  return html`<form method="post" action="/~octavo/password">
    ${
      // Password managers store the new password under the name in the form.
      email !== null &&
      html`<label>E-mail address
      <input type="email" name="email" value="${email}" autocomplete="username" readonly>
    </label>`
    }
    ${
      needsCurrent &&
      html`<label>Current password
      <input type="password" name="current" autocomplete="current-password" required maxlength="1024">
    </label>`
    }
    <label>New password
      <input type="password" name="password" autocomplete="new-password" required minlength="${String(minPasswordLength)}" maxlength="${String(maxPasswordLength)}" aria-describedby="password-rules">
    </label>
    <p class="door-hint" id="password-rules">At least ${String(minPasswordLength)} characters. It signs you out in all other browsers and revokes your API tokens.</p>
    <button type="submit" class="button primary">Set password</button>
  </form>`
}

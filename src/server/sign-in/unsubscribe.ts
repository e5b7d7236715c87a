/**
 * Unsubscribing from mail without signing in (RFC 8058): the link in a mail is signed, for its person and one kind of mail,
 * and can do nothing else. Opening it changes nothing, since mail programs open links to inspect them; the button of the
 * page, and that of the mail program, send a POST.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MountOptions } from '../../access/route/mount.js'
import { limits } from '../../contract/limits.js'
import { type MailKind, mailKinds } from '../../contract/preferences.js'
import { changePreferences, findPreferences } from '../../resources/users/preferences.js'
import { findUser } from '../../resources/users/store.js'
import { html } from '../../site/html.js'
import { peopleLock } from '../../store/db/lock-scope.js'
import {
  type UnsubscribeQuery,
  type UnsubscribedKind,
  readUnsubscribeLink,
  unsubscribePath,
} from '../mail/unsubscribe-link.js'
import { sendSignInPage } from './browser.js'
import { signInDocument } from './document.js'

export function mountUnsubscribe(
  server: FastifyInstance,
  { services }: Pick<MountOptions, 'services'>,
): void {
  const { database, addresses } = services

  const refuse = async (request: FastifyRequest, reply: FastifyReply) =>
    sendSignInPage(request, reply, await invalidPage(), 400)

  server.get<{ Querystring: UnsubscribeQuery }>(unsubscribePath, async (request, reply) => {
    const link = readUnsubscribeLink(addresses, request.query)
    if (link === undefined) return refuse(request, reply)
    return sendSignInPage(request, reply, await confirmationPage(link.kind, request.url))
  })

  server.register(async (scope) => {
    // What the form contains does not matter, and mail programs may send either type.
    const bodyTypes = ['application/x-www-form-urlencoded', 'multipart/form-data'] as const
    scope.removeAllContentTypeParsers()
    scope.addHook('onRoute', (options) => {
      options.config = { ...options.config, bodyTypes }
    })
    const bodyLimit = limits.signInFormBytes
    scope.addContentTypeParser([...bodyTypes], { parseAs: 'string', bodyLimit }, (_request, _body, done) =>
      done(null),
    )
    scope.post<{ Querystring: UnsubscribeQuery }>(unsubscribePath, async (request, reply) => {
      const link = readUnsubscribeLink(addresses, request.query)
      if (link === undefined || (await findUser(database.read, link.userId)) === undefined)
        return refuse(request, reply)
      const { userId, kind } = link
      await database.writeWithLocks(peopleLock, async (tx) => {
        const { mail } = await findPreferences(tx, userId)
        const kinds = (Object.keys(mailKinds) as MailKind[]).filter((one) =>
          kind === 'daily' ? mail[one] === 'daily' : one === kind,
        )
        const change = Object.fromEntries(kinds.map((one) => [one, 'never' as const]))
        await changePreferences(tx, userId, { mail: change })
      })
      return sendSignInPage(request, reply, await donePage(kind))
    })
  })
}

const describeKind = (kind: UnsubscribedKind): string =>
  kind === 'daily' ? 'The daily mail with what is new in your inbox.' : mailKinds[kind]

function confirmationPage(kind: UnsubscribedKind, url: string): Promise<string> {
  return signInDocument('No more mail of this kind', [
    html`<p>This mail is sent when: ${describeKind(kind)}</p>
      <form class="form" method="post" action="${url}">
        <button class="button button-primary" type="submit">Send me no more of it</button>
      </form>`,
    settingsHint,
  ])
}

function donePage(kind: UnsubscribedKind): Promise<string> {
  return signInDocument('You get no more of this mail', [
    html`<p class="notice notice-green" role="status">
      ${describeKind(kind)} You are no longer sent a mail about it. It still comes to your inbox.
    </p>`,
    settingsHint,
  ])
}

function invalidPage(): Promise<string> {
  return signInDocument('This link does not work', [
    html`<p class="notice notice-red" role="alert">
      The link is not complete. Copy the whole link from the mail.
    </p>`,
    settingsHint,
  ])
}

const settingsHint = html`<p class="sign-in-hint">
  Which mail you get is set <a class="sign-in-link" href="/account">in your account</a>.
</p>`

/** Sign-in page: signing in with a password or a link, requesting a link by mail, and signing out. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { MountOptions } from '../../access/route/mount.js'
import { addressKey, takeAttempt } from '../../access/signin/rate-limit.js'
import { deviceCookie } from '../../access/signin/known-devices.js'
import { signInWithPassword } from '../../access/signin/password-sign-in.js'
import { newSecret } from '../../access/signin/secrets.js'
import { serviceProviderOf } from '../../access/signin/saml/service.js'
import {
  endSession,
  findOrganizationJoinedBy,
  openSession,
  sessionCookie,
} from '../../access/signin/sessions.js'
import { foldEmail } from '../../core/email.js'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import type { OrganizationId } from '../../core/ids.js'
import { findOrganizationTitle, listUsableProviders } from '../../resources/saml-providers/store.js'
import { type SignInView, signInPage, signInLinkPage } from '../../site/layout/sign-in.js'
import { enqueue } from '../../store/jobs/outbox.js'
import type { Allowance } from '../../store/db/attempts.js'
import { noLocks, peopleLock } from '../../store/db/lock-scope.js'
import { sendSignInLinkJob } from '../mail/mail.js'
import { productFrame } from '../sites/product-frame.js'
import {
  type Cookies,
  type Form,
  sessionOriginOf,
  redirectWithCookies,
  mountForms,
  withErrorPage,
  requireOwnOrigin,
  safeReturn,
  sendSignInPage,
} from './browser.js'

const hour = 60 * 60 * 1000
const mailsPerAccount: Allowance = { limit: 5, window: hour }
const mailsPerAddress: Allowance = { limit: 30, window: hour }

/** Sign-in methods besides the password. */
export interface SignInMethods {
  readonly sendsMail: boolean
  readonly openId: string | undefined
}

type SignInQuery = Record<'link' | 'organization' | 'return', string | readonly string[] | undefined>

export function mountSignInPages(
  server: FastifyInstance,
  mounting: MountOptions,
  { methods, cookies }: { readonly methods: SignInMethods; readonly cookies: Cookies },
): void {
  const { services, now } = mounting
  const { database, addresses } = services
  const safePath = (path: unknown) => safeReturn(path, addresses.base)

  async function renderSignInPage(view: Omit<SignInView, keyof SignInMethods>): Promise<string> {
    return signInPage(await productFrame(), { ...methods, ...view })
  }

  async function organizationOf(id: SignInQuery['organization']): Promise<SignInView['organization']> {
    if (typeof id !== 'string') return undefined
    const found = await findOrganizationTitle(database.read, id as OrganizationId)
    if (found === undefined) return undefined
    const providers = await listUsableProviders(database.read, id as OrganizationId)
    const links = providers.map((one) => ({
      label: one.label,
      href: new URL(serviceProviderOf(addresses, one.id).startURL).pathname,
    }))
    return { title: found.title, providers: links }
  }

  server.get<{ Querystring: SignInQuery }>('/~octavo/sign-in', async (request, reply) => {
    const { link, organization, return: wantedPath } = request.query
    const returnTo = safePath(wantedPath)
    if (typeof link === 'string') {
      const joins = await findOrganizationJoinedBy(database.read, link, now())
      return sendSignInPage(request, reply, signInLinkPage(await productFrame(), { link, returnTo, joins }))
    }
    return sendSignInPage(
      request,
      reply,
      await renderSignInPage({ returnTo, organization: await organizationOf(organization) }),
    )
  })

  /** Signs in and returns the cookies for the browser. */
  async function startSession(request: FastifyRequest, form: Form): Promise<string[]> {
    const origin = sessionOriginOf(request, mounting)
    const { link, email = '', password = '' } = form
    if (link !== undefined) {
      return [
        cookies.session(await database.writeWithLocks(peopleLock, (tx) => openSession(tx, link, origin))),
      ]
    }
    // No user has such an address, and no attempt is stored for it.
    if (email.length > limits.emailLength) throw new ApiError('sign_in_failed')
    const device = { presented: cookies.read(request, deviceCookie), issued: newSecret() }
    const secret = await signInWithPassword(database, { email, password }, { ...origin, device })
    return [cookies.session(secret), cookies.device(device.issued)]
  }

  mountForms(server, (forms) => {
    forms.post<{ Body: Form | undefined }>('/~octavo/sign-in', (request, reply) => {
      const form = request.body ?? {}
      const returnTo = safePath(form['return'])
      return withErrorPage(
        request,
        reply,
        async () => {
          requireOwnOrigin(request, addresses.base)
          return redirectWithCookies(reply, await startSession(request, form), returnTo)
        },
        ({ message }) => renderSignInPage({ error: message, email: form['email'], returnTo }),
      )
    })

    forms.post<{ Body: Form | undefined }>('/~octavo/sign-in/mail', (request, reply) => {
      const { email = '', return: wantedPath } = request.body ?? {}
      const returnTo = safePath(wantedPath)
      return withErrorPage(
        request,
        reply,
        async () => {
          requireOwnOrigin(request, addresses.base)
          await requestLink(request, foldEmail(email.trim()))
          const note = `If ${email} belongs to somebody here, a sign-in link is on its way to that address.`
          return sendSignInPage(request, reply, await renderSignInPage({ note, email, returnTo }))
        },
        ({ message }) => renderSignInPage({ error: message, email, returnTo }),
      )
    })

    forms.post('/~octavo/sign-out', (request, reply) =>
      withErrorPage(
        request,
        reply,
        async () => {
          requireOwnOrigin(request, addresses.base)
          const secret = cookies.read(request, sessionCookie)
          if (secret !== undefined) await database.writeWithLocks(peopleLock, (tx) => endSession(tx, secret))
          return redirectWithCookies(reply, [cookies.clearSession()], '/')
        },
        ({ message }) => renderSignInPage({ error: message, returnTo: '/' }),
      ),
    )
  })

  /** Does the same work for known and unknown addresses, so that timing reveals nothing: the user is looked up when the mail is sent. */
  async function requestLink(request: FastifyRequest, email: string): Promise<void> {
    const at = now()
    await takeAttempt(database, `mail from ${addressKey(request.ip)}`, mailsPerAddress, { now: at })
    await takeAttempt(database, `mail to ${email}`, mailsPerAccount, { now: at })
    if (!methods.sendsMail || !/^[^\s@]+@[^\s@]+$/.test(email) || email.length > limits.emailLength) return
    await database.writeWithLocks(noLocks, (tx) =>
      enqueue(tx, { organizationId: null, type: sendSignInLinkJob, key: email, payload: { email }, at }),
    )
  }
}

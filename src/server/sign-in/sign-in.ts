/** Sign-in page: signing in with a password or a link, requesting a link by mail, finding an organization, signing out. */
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
  isBeforeFirstSession,
  openSession,
  sessionCookie,
} from '../../access/signin/sessions.js'
import { foldEmail } from '../../core/email.js'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import type { OrganizationId } from '../../core/ids.js'
import {
  findOrganizationTitle,
  hasUsableProvider,
  listUsableProviders,
} from '../../resources/saml-providers/store.js'
import { enqueue } from '../../store/jobs/outbox.js'
import type { Allowance } from '../../store/db/attempts.js'
import { noLocks, peopleLock } from '../../store/db/lock-scope.js'
import { listOrganizationsNamed } from '../../resources/organizations/store.js'
import { type SignInLinkToSend, sendSignInLinkJob } from '../mail/mail.js'
import {
  type Cookies,
  type Form,
  sessionOriginOf,
  messageOf,
  redirectWithCookies,
  mountForms,
  withErrorPage,
  requireOwnOrigin,
  safeReturn,
  sendSignInPage,
} from './browser.js'
import type { FormError } from './document.js'
import {
  type ForgottenView,
  type SignInView,
  forgottenPasswordPage,
  organizationChoicePage,
  signInLinkPage,
  signInPage,
} from './pages.js'

const hour = 60 * 60 * 1000
const mailsPerAccount: Allowance = { limit: 5, window: hour }
const mailsPerAddress: Allowance = { limit: 30, window: hour }
const searchesPerAddress: Allowance = { limit: 60, window: hour }

/** Sign-in methods besides the password. */
export interface SignInMethods {
  readonly sendsMail: boolean
  readonly openId: string | undefined
}

/** What the page of a form that asks for a link displays. */
type LinkRequestView = Omit<ForgottenView, 'sendsMail'>

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
    const hasSingleSignOn = await hasUsableProvider(database.read)
    return signInPage({ ...methods, hasSingleSignOn, ...view })
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

  /** Returns the organizations with single sign-on that these words name. */
  async function findOrganizations(wanted: string) {
    const named = await listOrganizationsNamed(database.read, wanted.slice(0, limits.emailLength))
    const providers = await Promise.all(named.map(({ id }) => listUsableProviders(database.read, id)))
    return named.filter((_, at) => providers[at]!.length > 0)
  }

  server.get<{ Querystring: SignInQuery }>('/~octavo/sign-in', async (request, reply) => {
    const { link, organization, return: wantedPath } = request.query
    const returnTo = safePath(wantedPath)
    if (typeof link === 'string') {
      const joins = await findOrganizationJoinedBy(database.read, link, now())
      return sendSignInPage(request, reply, await signInLinkPage({ link, returnTo, joins }))
    }
    const actor = await mounting.signIn(request).catch(() => null)
    const view = {
      returnTo,
      organization: await organizationOf(organization),
      // The page of an organization asks those who are signed in, but not by its provider.
      signedInAs: typeof organization === 'string' ? undefined : actor?.user.displayName,
      isUnused: actor === null && (await isBeforeFirstSession(database.read)),
    }
    return sendSignInPage(request, reply, await renderSignInPage(view))
  })

  server.get<{ Querystring: SignInQuery }>('/~octavo/sign-in/organization', async (request, reply) => {
    const { organization, return: wantedPath } = request.query
    const returnTo = safePath(wantedPath)
    const wanted = typeof organization === 'string' ? organization.trim() : ''
    if (wanted === '')
      return sendSignInPage(request, reply, await organizationChoicePage({ returnTo, choices: [] }))
    return withErrorPage(
      request,
      reply,
      async () => {
        await takeAttempt(database, `organization from ${addressKey(request.ip)}`, searchesPerAddress, {
          now: now(),
        })
        const choices = await findOrganizations(wanted)
        const [only, ...others] = choices
        if (only !== undefined && others.length === 0) {
          const query = new URLSearchParams({ organization: only.id, return: returnTo })
          return redirectWithCookies(reply, [], `/~octavo/sign-in?${query.toString()}`)
        }
        const error: FormError | undefined =
          only === undefined
            ? {
                field: 'organization',
                message:
                  'No organization with single sign-on has this name or e-mail domain. Ask its admins for its sign-in address, or sign in another way.',
              }
            : undefined
        return sendSignInPage(
          request,
          reply,
          await organizationChoicePage({ wanted, returnTo, choices, error }),
        )
      },
      (error) =>
        organizationChoicePage({ wanted, returnTo, choices: [], error: { message: messageOf(error) } }),
    )
  })

  const renderForgottenPage = (view: LinkRequestView) =>
    forgottenPasswordPage({ ...view, sendsMail: methods.sendsMail })

  server.get<{ Querystring: SignInQuery }>('/~octavo/forgotten-password', async (request, reply) =>
    sendSignInPage(request, reply, await renderForgottenPage({ returnTo: safePath(request.query.return) })),
  )

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
        (error) => {
          const isPassword = error.errorName === 'sign_in_failed'
          return renderSignInPage({
            error: { message: messageOf(error), field: isPassword ? 'password' : undefined },
            email: form['email'],
            returnTo,
          })
        },
      )
    })

    mountLinkRequest('/~octavo/sign-in/mail', renderSignInPage, ({ returnTo }) => ({ returnTo }))
    mountLinkRequest('/~octavo/forgotten-password', renderForgottenPage, () => ({ purpose: 'password' }))

    /** A form that asks for a link by mail; its page displays the outcome. */
    function mountLinkRequest(
      path: string,
      render: (view: LinkRequestView) => Promise<string>,
      linkFor: (view: LinkRequestView) => Omit<SignInLinkToSend, 'email'>,
    ): void {
      forms.post<{ Body: Form | undefined }>(path, (request, reply) => {
        const { email = '', return: wantedPath } = request.body ?? {}
        const view = { email, returnTo: safePath(wantedPath) }
        return withErrorPage(
          request,
          reply,
          async () => {
            requireOwnOrigin(request, addresses.base)
            const message = addressError(email)
            if (message !== undefined)
              return sendSignInPage(
                request,
                reply,
                await render({ ...view, error: { field: 'email', message } }),
                400,
              )
            await requestLink(request, { email, ...linkFor(view) })
            return sendSignInPage(request, reply, await render({ ...view, note: sentTo(email) }))
          },
          (error) => render({ ...view, error: { message: messageOf(error) } }),
        )
      })
    }

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
        (error) => renderSignInPage({ error: { message: messageOf(error) }, returnTo: '/' }),
      ),
    )
  })

  /** Does the same work for known and unknown addresses, so that timing reveals nothing: the user is looked up when the mail is sent. */
  async function requestLink(
    request: FastifyRequest,
    { email, purpose, returnTo = '/' }: SignInLinkToSend,
  ): Promise<void> {
    const at = now()
    const address = foldEmail(email.trim())
    await takeAttempt(database, `mail from ${addressKey(request.ip)}`, mailsPerAddress, { now: at })
    await takeAttempt(database, `mail to ${address}`, mailsPerAccount, { now: at })
    if (!methods.sendsMail) return
    const payload = {
      email: address,
      ...(purpose !== undefined && { purpose }),
      ...(returnTo !== '/' && { returnTo }),
    }
    await database.writeWithLocks(noLocks, (tx) =>
      enqueue(tx, { organizationId: null, type: sendSignInLinkJob, key: address, payload, at }),
    )
  }
}

const sentTo = (email: string): string =>
  `If ${email.trim()} belongs to somebody here, a sign-in link is on its way to that address.`

/** Returns what is wrong with an address to send mail to; undefined for one that may exist. */
function addressError(email: string): string | undefined {
  const address = email.trim()
  if (address === '') return 'Enter your e-mail address.'
  if (address.length > limits.emailLength || !/^[^\s@]+@[^\s@]+$/.test(address))
    return 'This is not an e-mail address: it has a name, an @ and a domain.'
  return undefined
}

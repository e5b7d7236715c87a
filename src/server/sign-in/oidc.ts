/** OpenID Connect in the browser: the redirect to the provider and its callback. */
import type { FastifyInstance } from 'fastify'
import type { MountOptions } from '../../access/route/mount.js'
import { recognizeAccount } from '../../access/signin/provider-accounts.js'
import { startSession } from '../../access/signin/sessions.js'
import { ApiError } from '../../contract/errors.js'
import { peopleLock } from '../../store/db/lock-scope.js'
import { type Cookies, sessionOriginOf, redirectWithCookies, withErrorPage, safeReturn } from './browser.js'
import { signInRefusedPage } from './pages.js'
import type { OpenIdChecks, OpenIdProvider } from './oidc-client.js'

const pendingCookie = 'octavo_oidc'
export const callbackPath = '/~octavo/oidc/callback'

export function mountOpenId(
  server: FastifyInstance,
  mounting: MountOptions,
  { provider, cookies }: { readonly provider: OpenIdProvider; readonly cookies: Cookies },
): void {
  const { database, addresses } = mounting.services
  const renderRefusal = ({ message }: ApiError) => signInRefusedPage(message)
  const refusal = (problem: string) => new ApiError('oidc_refused', { name: provider.name, problem })

  server.get<{ Querystring: { return?: string } }>('/~octavo/oidc/start', (request, reply) =>
    withErrorPage(
      request,
      reply,
      async () => {
        const { url, checks } = await provider.begin()
        const returnTo = safeReturn(request.query.return, addresses.base)
        return redirectWithCookies(
          reply,
          [cookies.pending(pendingCookie, encodePending(checks, returnTo))],
          url,
        )
      },
      renderRefusal,
    ),
  )

  server.get(callbackPath, (request, reply) =>
    withErrorPage(
      request,
      reply,
      async () => {
        const pending = decodePending(cookies.read(request, pendingCookie))
        if (pending === undefined) throw refusal('this browser did not ask for it, or too long ago')
        const callback = new URL(request.url, addresses.base)
        const account = await provider.finish(callback, pending.checks)
        const origin = sessionOriginOf(request, mounting)
        const secret = await database.writeWithLocks(peopleLock, async (tx) => {
          const found = await recognizeAccount(tx, account, origin.now)
          if ('refused' in found) throw refusal(refusalMessages[found.refused](account.email))
          return startSession(tx, { userId: found.userId, openedBy: 'oidc', organizationId: null }, origin)
        })
        const returnTo = safeReturn(pending.returnTo, addresses.base)
        return redirectWithCookies(
          reply,
          [cookies.session(secret), cookies.clearPending(pendingCookie)],
          returnTo,
        )
      },
      renderRefusal,
    ),
  )
}

const refusalMessages = {
  'address not verified': () => 'it does not vouch for your e-mail address',
  'no user': (email: string | null) =>
    `nobody here has the address ${email}. Ask an admin of your organization to invite you`,
  'other account linked': (email: string | null) =>
    `${email} came in with another account of it before. Sign in with that one; when it is gone, whoever runs this server forgets it with "octavo user unlink"`,
}

function encodePending({ state, nonce, verifier }: OpenIdChecks, returnTo: string): string {
  return [state, nonce, verifier, Buffer.from(returnTo).toString('base64url')].join('.')
}

function decodePending(
  text: string | undefined,
): { readonly checks: OpenIdChecks; readonly returnTo: string } | undefined {
  const [state, nonce, verifier, returnTo] = text?.split('.') ?? []
  if (!state || !nonce || !verifier || returnTo === undefined) return undefined
  return { checks: { state, nonce, verifier }, returnTo: Buffer.from(returnTo, 'base64url').toString() }
}

/** OpenID Connect in the browser: leaving for the provider and coming back. */
import type { FastifyInstance } from 'fastify'
import type { Mounting } from '../../access/route/mount.js'
import { recognizeAccount } from '../../access/signin/provider-accounts.js'
import { startSession } from '../../access/signin/sessions.js'
import { ApiError } from '../../contract/errors.js'
import { refusedPage } from '../../site/layout/sign-in.js'
import { onlyPeople } from '../../store/db/hold.js'
import { productFrame } from '../sites/product-frame.js'
import { type Cookies, arrivingOf, goOn, orRefuse, safeReturn } from './browser.js'
import type { OpenIdChecks, OpenIdProvider } from './oidc-client.js'

const pendingCookie = 'octavo_oidc'
export const callbackPath = '/~octavo/oidc/callback'

export function mountOpenId(
  server: FastifyInstance,
  mounting: Mounting,
  { provider, cookies }: { readonly provider: OpenIdProvider; readonly cookies: Cookies },
): void {
  const { database, addresses } = mounting.services
  const refuse = async ({ message }: ApiError) => refusedPage(await productFrame(), message)
  const refusal = (problem: string) => new ApiError('oidc_refused', { name: provider.name, problem })

  server.get<{ Querystring: { return?: string } }>('/~octavo/oidc/start', (request, reply) =>
    orRefuse(
      request,
      reply,
      async () => {
        const { url, checks } = await provider.begin()
        const returnTo = safeReturn(request.query.return, addresses.base)
        return goOn(reply, [cookies.pending(pendingCookie, pack(checks, returnTo))], url)
      },
      refuse,
    ),
  )

  server.get(callbackPath, (request, reply) =>
    orRefuse(
      request,
      reply,
      async () => {
        const pending = unpack(cookies.read(request, pendingCookie))
        if (pending === undefined) throw refusal('this browser did not ask for it, or too long ago')
        const callback = new URL(request.url, addresses.base)
        const account = await provider.finish(callback, pending.checks)
        const arriving = arrivingOf(request, mounting)
        const secret = await database.writeHolding(onlyPeople, async (tx) => {
          const found = await recognizeAccount(tx, account, arriving.now)
          if ('refused' in found) throw refusal(reasons[found.refused](account.email))
          return startSession(tx, { userId: found.userId, openedBy: 'oidc', organizationId: null }, arriving)
        })
        const returnTo = safeReturn(pending.returnTo, addresses.base)
        return goOn(reply, [cookies.session(secret), cookies.nonePending(pendingCookie)], returnTo)
      },
      refuse,
    ),
  )
}

const reasons = {
  'address not verified': () => 'it does not vouch for your e-mail address',
  'nobody here': (email: string | null) =>
    `nobody here has the address ${email}. Ask an admin of your organization to invite you`,
  'linked otherwise': (email: string | null) =>
    `${email} came in with another account of it before. Sign in with that one; when it is gone, whoever runs this server forgets it with "octavo user unlink"`,
}

function pack({ state, nonce, verifier }: OpenIdChecks, returnTo: string): string {
  return [state, nonce, verifier, Buffer.from(returnTo).toString('base64url')].join('.')
}

function unpack(
  text: string | undefined,
): { readonly checks: OpenIdChecks; readonly returnTo: string } | undefined {
  const [state, nonce, verifier, returnTo] = text?.split('.') ?? []
  if (!state || !nonce || !verifier || returnTo === undefined) return undefined
  return { checks: { state, nonce, verifier }, returnTo: Buffer.from(returnTo, 'base64url').toString() }
}

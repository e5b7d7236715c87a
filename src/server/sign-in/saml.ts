/** SAML service provider in the browser: the redirect to the provider, our metadata, the assertion consumer, and the last step on our own origin. */
import type { FastifyInstance } from 'fastify'
import type { MountOptions } from '../../access/route/mount.js'
import { originOf } from '../../access/signin/request.js'
import { metadataOf, serviceProviderOf } from '../../access/signin/saml/service.js'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import type { SamlProviderId } from '../../core/ids.js'
import { acceptResponse, beginSignIn, finishSignIn } from '../../resources/saml-providers/sign-in.js'
import { findProviderById } from '../../resources/saml-providers/store.js'
import {
  type Cookies,
  type Form,
  sessionOriginOf,
  redirectWithCookies,
  mountForms,
  withErrorPage,
  safeReturn,
} from './browser.js'
import { signInRefusedPage } from './pages.js'

const pendingCookie = 'octavo_saml'

interface ProviderRoute {
  Params: { providerId: SamlProviderId }
}

export function mountSaml(server: FastifyInstance, mounting: MountOptions, cookies: Cookies): void {
  const { services, now } = mounting
  const { database, addresses } = services
  const renderRefusal = ({ message }: ApiError) => signInRefusedPage(message)

  server.get<ProviderRoute & { Querystring: { return?: string } }>(
    '/~octavo/saml/:providerId/start',
    (request, reply) =>
      withErrorPage(
        request,
        reply,
        async () => {
          const samlContext = { database, addresses, now: now(), origin: originOf(request) }
          const returnTo = safeReturn(request.query.return, addresses.base)
          const { url, browser } = await beginSignIn(samlContext, request.params.providerId, returnTo)
          return redirectWithCookies(reply, [cookies.pending(pendingCookie, browser)], url)
        },
        renderRefusal,
      ),
  )

  server.get<ProviderRoute>('/~octavo/saml/:providerId/metadata', async (request, reply) => {
    const row = await findProviderById(database.read, request.params.providerId)
    if (row === undefined) throw new ApiError('not_found', { thing: 'SAML provider' })
    return reply
      .header('content-type', 'application/samlmetadata+xml; charset=utf-8')
      .send(await metadataOf(serviceProviderOf(addresses, row.id)))
  })

  // Sent by a page of the provider: it is authenticated by its signature and by the id of our request.
  const declareForms = (forms: FastifyInstance): void => {
    forms.post<ProviderRoute & { Body: Form | undefined }>(
      '/~octavo/saml/:providerId/acs',
      (request, reply) =>
        withErrorPage(
          request,
          reply,
          async () => {
            const samlContext = { database, addresses, now: now(), origin: originOf(request) }
            const encoded = request.body?.['SAMLResponse'] ?? ''
            const finishCode = await acceptResponse(samlContext, request.params.providerId, encoded)
            return reply
              .header('cache-control', 'no-store')
              .redirect(`/~octavo/saml/finish?code=${finishCode}`, 303)
          },
          renderRefusal,
        ),
    )
  }
  mountForms(server, declareForms, limits.samlLength * 2)

  server.get<{ Querystring: { code?: string } }>('/~octavo/saml/finish', (request, reply) =>
    withErrorPage(
      request,
      reply,
      async () => {
        const browser = cookies.read(request, pendingCookie) ?? ''
        const finishCode = String(request.query.code ?? '')
        const { secret, returnTo } = await finishSignIn(
          database,
          { finish: finishCode, browser },
          sessionOriginOf(request, mounting),
        )
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

/** SAML in the browser: the start, our metadata, the answer of the provider, and the last step on our own side. */
import type { FastifyInstance } from 'fastify'
import type { Mounting } from '../../access/route/mount.js'
import { originOf } from '../../access/signin/request.js'
import { metadataOf, serviceOf } from '../../access/signin/saml/service.js'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import type { SamlProviderId } from '../../core/ids.js'
import { acceptAnswer, beginSignIn, finishSignIn } from '../../resources/saml-providers/sign-in.js'
import { findProviderAnywhere } from '../../resources/saml-providers/store.js'
import { refusedPage } from '../../site/layout/sign-in.js'
import { productFrame } from '../sites/product-frame.js'
import { type Cookies, type Form, arrivingOf, goOn, mountForms, orRefuse, safeReturn } from './browser.js'

const pendingCookie = 'octavo_saml'

interface AtProvider {
  Params: { providerId: SamlProviderId }
}

export function mountSaml(server: FastifyInstance, mounting: Mounting, cookies: Cookies): void {
  const { services, now } = mounting
  const { database, addresses } = services
  const refuse = async ({ message }: ApiError) => refusedPage(await productFrame(), message)

  server.get<AtProvider & { Querystring: { return?: string } }>(
    '/~octavo/saml/:providerId/start',
    (request, reply) =>
      orRefuse(
        request,
        reply,
        async () => {
          const desk = { database, addresses, now: now(), origin: originOf(request) }
          const returnTo = safeReturn(request.query.return, addresses.base)
          const { url, browser } = await beginSignIn(desk, request.params.providerId, returnTo)
          return goOn(reply, [cookies.pending(pendingCookie, browser)], url)
        },
        refuse,
      ),
  )

  server.get<AtProvider>('/~octavo/saml/:providerId/metadata', async (request, reply) => {
    const row = await findProviderAnywhere(database.read, request.params.providerId)
    if (row === undefined) throw new ApiError('not_found', { thing: 'SAML provider' })
    return reply
      .header('content-type', 'application/samlmetadata+xml; charset=utf-8')
      .send(metadataOf(serviceOf(addresses, row.id)))
  })

  // Sent by a page of the provider: what it proves, it proves by its signature and by our question.
  const declare = (forms: FastifyInstance): void => {
    forms.post<AtProvider & { Body: Form | undefined }>('/~octavo/saml/:providerId/acs', (request, reply) =>
      orRefuse(
        request,
        reply,
        async () => {
          const desk = { database, addresses, now: now(), origin: originOf(request) }
          const encoded = request.body?.['SAMLResponse'] ?? ''
          const finish = await acceptAnswer(desk, request.params.providerId, encoded)
          return reply
            .header('cache-control', 'no-store')
            .redirect(`/~octavo/saml/finish?code=${finish}`, 303)
        },
        refuse,
      ),
    )
  }
  mountForms(server, declare, limits.samlLength * 2)

  server.get<{ Querystring: { code?: string } }>('/~octavo/saml/finish', (request, reply) =>
    orRefuse(
      request,
      reply,
      async () => {
        const browser = cookies.read(request, pendingCookie) ?? ''
        const finish = String(request.query.code ?? '')
        const { secret, returnTo } = await finishSignIn(
          database,
          { finish, browser },
          arrivingOf(request, mounting),
        )
        return goOn(reply, [cookies.session(secret), cookies.nonePending(pendingCookie)], returnTo)
      },
      refuse,
    ),
  )
}

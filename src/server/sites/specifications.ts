/**
 * OpenAPI specifications as files: `/~octavo/openapi/<organization>/<slug>.json`, for programs that take a URL. The
 * app's URL of a specification, which clients print after publishing it, redirects there those who do not get the app.
 */
import type { FastifyInstance } from 'fastify'
import type { MountOptions } from '../../access/route/mount.js'
import type { OpenApiSpecVersionId, OrganizationId } from '../../core/ids.js'
import { signedInReader } from '../../site/reader-access.js'
import { findReadableSpecification } from '../../site/find-specification.js'
import { createSendApp, redirectToSignIn } from '../web/app-shell.js'
import { sendSpecification } from './send-specification.js'

interface SpecificationPath {
  readonly Params: { readonly organizationId: OrganizationId; readonly name: string }
  readonly Querystring: { readonly version?: OpenApiSpecVersionId; readonly token?: string }
}

interface AppPath {
  readonly Params: { readonly organizationId: OrganizationId; readonly slug: string }
}

const extension = '.json'

export function mountSpecifications(server: FastifyInstance, { services, signIn, now }: MountOptions): void {
  const sendApp = createSendApp({ signIn })
  server.route<SpecificationPath>({
    method: ['GET', 'HEAD'],
    url: '/~octavo/openapi/:organizationId/:name',
    async handler(request, reply) {
      const { organizationId, name } = request.params
      if (!name.endsWith(extension)) return reply.callNotFound()
      const address = { organizationId, slug: name.slice(0, -extension.length), ...request.query }
      const readContext = await services.caches.readContext(request.raw)
      const found = await findReadableSpecification(
        signedInReader(() => signIn(request)),
        address,
        { services, readContext, now: now() },
      )
      if (found === undefined) return reply.callNotFound()
      const { version, isForAll: isPublic } = found
      return sendSpecification(services, request, reply, { version, isPublic })
    },
  })

  server.get<AppPath>('/o/:organizationId/openapi/:slug', async (request, reply) => {
    if (await sendApp(request, reply)) return reply
    const readContext = await services.caches.readContext(request.raw)
    const found = await findReadableSpecification(
      signedInReader(() => signIn(request)),
      request.params,
      { services, readContext, now: now() },
    )
    if (found === undefined) {
      if (redirectToSignIn(request, reply)) return reply
      return reply.callNotFound()
    }
    const { organizationId, slug } = request.params
    return reply.redirect(services.addresses.specification(organizationId, slug))
  })
}

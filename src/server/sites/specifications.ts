/**
 * OpenAPI specifications as files: `/~octavo/openapi/<organization>/<slug>.json`, for programs that take an address. The
 * address of one in the app, which clients print when they have published it, leads there.
 */
import type { FastifyInstance } from 'fastify'
import type { Mounting } from '../../access/route/mount.js'
import type { OpenApiSpecVersionId, OrganizationId } from '../../core/ids.js'
import { signedInAsker } from '../../site/enter.js'
import { findSpecificationFor } from '../../site/find-specification.js'
import { sendSpecification } from './send-specification.js'

interface SpecificationPath {
  readonly Params: { readonly organizationId: OrganizationId; readonly name: string }
  readonly Querystring: { readonly version?: OpenApiSpecVersionId; readonly token?: string }
}

interface AppPath {
  readonly Params: { readonly organizationId: OrganizationId; readonly slug: string }
}

const extension = '.json'

export function mountSpecifications(server: FastifyInstance, { services, signIn, now }: Mounting): void {
  server.route<SpecificationPath>({
    method: ['GET', 'HEAD'],
    url: '/~octavo/openapi/:organizationId/:name',
    async handler(request, reply) {
      const { organizationId, name } = request.params
      if (!name.endsWith(extension)) return reply.callNotFound()
      const address = { organizationId, slug: name.slice(0, -extension.length), ...request.query }
      const look = await services.caches.look(request.raw)
      const found = await findSpecificationFor(
        signedInAsker(() => signIn(request)),
        address,
        { services, look, now: now() },
      )
      if (found === undefined) return reply.callNotFound()
      return sendSpecification(services, request, reply, found)
    },
  })

  server.get<AppPath>('/o/:organizationId/openapi/:slug', async (request, reply) => {
    const look = await services.caches.look(request.raw)
    const found = await findSpecificationFor(
      signedInAsker(() => signIn(request)),
      request.params,
      { services, look, now: now() },
    )
    if (found === undefined) return reply.callNotFound()
    const { organizationId, slug } = request.params
    return reply.redirect(services.addresses.specification(organizationId, slug))
  })
}

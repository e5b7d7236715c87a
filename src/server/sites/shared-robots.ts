/** `/robots.txt` of origins that several sites share: the product's own, and those of organizations. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MountOptions } from '../../access/route/mount.js'
import { readConsistently } from '../../access/route/consistent-read.js'
import type { Services } from '../../access/route/scope.js'
import { listPublicSites, listPublicSitesOf } from '../../resources/sites/store.js'
import { formatSharedRobots } from '../../site/feeds/robots.js'
import { readyAnswer, sendAnswer } from '../http/send-answer.js'

/** Sites whose sitemaps are listed; organizations with more sites have hosts for them. */
const maxSites = 200
/** Closed to crawlers on the product's own origin: the API, and previews for signed-in users. */
const disallowedPaths = ['/v1/', '/s/']

export function mountSharedRobots(
  server: FastifyInstance,
  { services }: Pick<MountOptions, 'services'>,
): void {
  server.get('/robots.txt', (request, reply) => sendSharedRobots(services, request, reply))
}

/** Sends the file for the origin of an organization, named by its hostname, else for the product's own. */
export async function sendSharedRobots(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  organization?: string,
): Promise<FastifyReply> {
  const { addresses, caches } = services
  const readContext = await caches.readContext(request.raw)
  const sites = await readConsistently({ services, readContext }, ({ db }) =>
    organization === undefined
      ? listPublicSites(db, maxSites)
      : listPublicSitesOf(db, organization, maxSites),
  )
  const origin = organization === undefined ? addresses.base : addresses.site(organization, '')
  const urls = sites
    .map((site) => addresses.site(site.organization_hostname, site.basename, site.hostname))
    .filter((url) => new URL(url).origin === new URL(origin).origin)
  const body = formatSharedRobots(organization === undefined ? disallowedPaths : [], urls)
  const answer = { status: 200, contentType: 'text/plain; charset=utf-8', body, isIndexed: true }
  return sendAnswer(request, reply, readyAnswer(answer, 'public'))
}

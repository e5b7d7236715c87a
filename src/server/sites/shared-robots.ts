/** `/robots.txt` of origins that several sites share: the product's own, and those of organizations. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Mounting } from '../../access/route/mount.js'
import { readAtOneMoment } from '../../access/route/consistent-read.js'
import type { Services } from '../../access/route/scope.js'
import { listPublicSites, listPublicSitesOf } from '../../resources/sites/store.js'
import { formatSharedRobots } from '../../site/feeds/robots.js'
import { readyAnswer, sendAnswer } from '../http/send-answer.js'

/** Sites whose maps are named; who has more of them gives them hosts of their own. */
const mostSites = 200
/** What is not for crawlers on the product's own origin: programs, and previews of people who signed in. */
const closed = ['/v1/', '/s/']

export function mountSharedRobots(server: FastifyInstance, { services }: Pick<Mounting, 'services'>): void {
  server.get('/robots.txt', (request, reply) => sendSharedRobots(services, request, reply))
}

/** Answers for the origin of an organization, given by its hostname, else for the product's own. */
export async function sendSharedRobots(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  organization?: string,
): Promise<FastifyReply> {
  const { addresses, caches } = services
  const look = await caches.look(request.raw)
  const sites = await readAtOneMoment({ services, look }, ({ db }) =>
    organization === undefined
      ? listPublicSites(db, mostSites)
      : listPublicSitesOf(db, organization, mostSites),
  )
  const shared = organization === undefined ? addresses.base : addresses.site(organization, '')
  const urls = sites
    .map((site) => addresses.site(site.organization_hostname, site.basename, site.hostname))
    .filter((url) => new URL(url).origin === new URL(shared).origin)
  const body = formatSharedRobots(organization === undefined ? closed : [], urls)
  const answer = { status: 200, contentType: 'text/plain; charset=utf-8', body, isIndexed: true }
  return sendAnswer(request, reply, readyAnswer(answer, 'public'))
}

/** Hosts of sites: subdomains of organizations and custom domains, answered before the routes of the product. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../access/route/scope.js'
import { isHostnameTaken } from '../../resources/organizations/store.js'
import type { AnswerVisit } from './answer-visit.js'
import { type SiteLocation, type SiteLocator, hostnameOf } from './locate-site.js'
import type { ResolveVisit } from './resolve-visit.js'
import { sendSharedRobots } from './shared-robots.js'

/**
 * Mounts the check of on-demand TLS: whether a proxy may get a certificate for a host name. Only for the product's own,
 * for organizations below the domain of sites, and for domains of sites: anybody can point a name at the server.
 */
export function mountCertificateCheck(
  server: FastifyInstance,
  { services, locator }: Pick<SiteHostOptions, 'services' | 'locator'>,
): void {
  server.get<{ Querystring: { domain?: unknown } }>('/~octavo/certificates', async (request, reply) => {
    const { domain } = request.query
    if (typeof domain !== 'string') return reply.code(400).send('The parameter "domain" is missing.\n')
    const hostname = hostnameOf(domain)
    const organization = locator.organizationOf(hostname)
    const isServed =
      hostname === hostnameOf(locator.ownHost) ||
      (organization === undefined
        ? await locator.isDomain(await services.caches.readContext(request.raw), hostname)
        : await isHostnameTaken(services.database.read, organization))
    return reply
      .code(isServed ? 200 : 404)
      .header('cache-control', 'no-store')
      .send(isServed ? 'It is served here.\n' : 'It is not served here.\n')
  })
}

/** Paths for operators, on every host. */
const operatorPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

export interface SiteHostOptions {
  readonly services: Services
  readonly locator: SiteLocator
  readonly resolveVisit: ResolveVisit
  readonly answerVisit: AnswerVisit
}

export function mountSiteHosts(
  server: FastifyInstance,
  { services, locator, resolveVisit, answerVisit }: SiteHostOptions,
): void {
  /** Answers the request if the host belongs to sites; returns whether it does. */
  async function answerHost(request: FastifyRequest, reply: FastifyReply, host: string): Promise<boolean> {
    const readContext = await services.caches.readContext(request.raw)
    const hostname = hostnameOf(host)
    const organization = locator.organizationOf(hostname)
    let location: SiteLocation
    if (organization === undefined) {
      if (!(await locator.isDomain(readContext, hostname))) return false
      location = locator.byDomain(request, hostname)
    } else if (/^\/robots\.txt(?:\?|$)/.test(request.raw.url!)) {
      await sendSharedRobots(services, request, reply, organization)
      return true
    } else location = locator.bySubdomain(request, organization)
    await answerVisit(request, reply, await resolveVisit(request, readContext, location), location)
    return true
  }

  // Requests to the product's own host cost one string comparison.
  server.addHook('onRequest', (request, reply, done) => {
    const { host } = request.raw.headers
    const { method = '' } = request.raw
    if (host === undefined || host === locator.ownHost || (method !== 'GET' && method !== 'HEAD'))
      return done()
    if (/^\/(?:~octavo\/(?:assets|files)\/|favicon\.ico(?:\?|$))/.test(request.raw.url!)) return done()
    answerHost(request, reply, host).then(
      (isAnswered) => (isAnswered ? undefined : done()),
      // Health checks use the IP address as host, also while the database is away.
      (error: Error) => (operatorPaths.has(request.raw.url!) ? done() : done(error)),
    )
  })
}

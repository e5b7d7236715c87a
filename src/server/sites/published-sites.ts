/**
 * Published sites: `/@<organization>/<site>/…`, `<organization>.<domain>/<site>/…`, and custom domains.
 *
 * A request goes through `locate-site.ts` (URL to site), `resolve-visit.ts` (visitor and access) and `answer-visit.ts`
 * (the page). A rendered page is cached by everything that it is made from, and a URL is answered from the cache while
 * the rows of its site are current. So an edit is visible with the next request, and an unrelated write invalidates no
 * page.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MountOptions } from '../../access/route/mount.js'
import type { FindCachedResponse } from '../http/response-cache.js'
import { createVisitAnswers } from './answer-visit.js'
import { createKeyGuessLimiter } from './key-guess-limiter.js'
import { createSiteLocator } from './locate-site.js'
import { mountBeacons } from './mount-beacons.js'
import { mountMcp } from './mount-mcp.js'
import { createPostResolver, createVisitResolver } from './resolve-visit.js'
import { mountSharedRobots } from './shared-robots.js'
import { createSiteEvents, mountEventFlush } from './site-events.js'
import { mountCertificateCheck, mountSiteHosts } from './site-hosts.js'
import { createSiteResponses } from './site-responses.js'

interface SitesMountOptions extends MountOptions {
  /** The header in which a proxy sends the reader's country. */
  readonly countryHeader?: string | undefined
}

/** Mounts the sites; returns the lookup of cached answers. */
export function mountPublishedSites(server: FastifyInstance, options: SitesMountOptions): FindCachedResponse {
  const { services, now, countryHeader } = options
  const locator = createSiteLocator(services)
  const resolveVisit = createVisitResolver(options)
  const keyGuesses = createKeyGuessLimiter(services.database, now)
  const resolvePost = createPostResolver({ services, locator, resolveVisit, keyGuesses })
  const events = createSiteEvents(services, countryHeader)
  const responses = createSiteResponses(services.caches, locator.ownHost, now)
  const answerVisit = createVisitAnswers({ services, keyGuesses, events, responses, now })

  async function answerPath(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const readContext = await services.caches.readContext(request.raw)
    const location = locator.byPath(request)
    return answerVisit(request, reply, await resolveVisit(request, readContext, location), location)
  }

  server.route({ method: ['GET', 'HEAD'], url: '/@:organization/:site/*', handler: answerPath })
  server.route({ method: ['GET', 'HEAD'], url: '/@:organization/:site', handler: answerPath })
  mountSharedRobots(server, { services })
  // Hooks run in this order: POSTs to any host before the hosts of sites.
  mountMcp(server, { services, resolvePost, events })
  mountBeacons(server, { services, now, resolvePost, events })
  mountSiteHosts(server, { services, locator, resolveVisit, answerVisit })
  mountCertificateCheck(server, { services, locator })
  mountEventFlush(server, services)
  return responses.find
}

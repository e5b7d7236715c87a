/**
 * Analytics events of sites: searches, reads by programs, and the context in which beacons are counted. Events are
 * counted in memory and written every minute, and once more when the server stops.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { VisitorEvent } from '../../access/events/visitor-events.js'
import type { Services } from '../../access/route/scope.js'
import { addressKey } from '../../access/signin/rate-limit.js'
import { originOf } from '../../access/signin/request.js'
import type { EventType } from '../../contract/site-events.js'
import type { SiteSectionId, SiteSpaceId } from '../../core/ids.js'
import { matchPath } from '../../site/routing/match-path.js'
import type { Variant } from '../../site/routing/site.js'
import type { AnswerHead } from '../http/send-answer.js'
import { operatorMessage } from '../operator-message.js'
import { type EventContext, allowsCounting, countsReader } from './beacons.js'
import type { ResolvedVisit } from './resolve-visit.js'

/** Milliseconds between two writes of the events that are counted in memory. */
const flushInterval = 60_000

/** An event of a program that reads on behalf of people. */
type MachineEvent = Pick<VisitorEvent, 'type' | 'context'> & { readonly variant: Variant }

export interface SiteEventCounter {
  /** Returns the site, visitor and position that an event is counted for. */
  contextOf(request: FastifyRequest, visit: ResolvedVisit, variant: Variant): EventContext
  /** Counts a search, if the visit is one. */
  countSearch(request: FastifyRequest, visit: ResolvedVisit): void
  /** Counts a read by a program, whatever its user agent. */
  countMachineRead(request: FastifyRequest, visit: ResolvedVisit, event: MachineEvent): void
}

/** `countryHeader` is the header in which a proxy sends the reader's country. */
export function createSiteEvents(
  { visitorEvents }: Pick<Services, 'visitorEvents'>,
  countryHeader: string | undefined,
): SiteEventCounter {
  function contextOf(
    request: FastifyRequest,
    { resolved, identified }: ResolvedVisit,
    variant: Variant,
  ): EventContext {
    const { site, siteRows } = resolved
    const { ip, userAgent } = originOf(request)
    const { headers } = request.raw
    const { token, claims } = identified.visitor
    const country = countryHeader === undefined ? undefined : headers[countryHeader.toLowerCase()]
    const section = site.sections.find(({ variants }) => variants.some(({ id }) => id === variant.id))
    return {
      site: siteRows.row,
      visitor: {
        name: `${addressKey(ip)} ${userAgent}`,
        userAgent: userAgent ?? '',
        language: headers['accept-language'],
        country: [country].flat()[0],
        isAuthenticated: token === 'none' ? null : token === 'valid',
        claims,
      },
      location: {
        siteSpaceId: variant.id as SiteSpaceId,
        sectionId: (section?.id ?? null) as SiteSectionId | null,
        spaceId: variant.spaceId,
      },
    }
  }

  return {
    contextOf,
    countSearch(request, visit) {
      const { pathRequest, resolved, access } = visit
      const query = pathRequest.query.get('q')?.trim() ?? ''
      if (query === '' || pathRequest.query.has('page') || access.refusal !== undefined) return
      const match = matchPath(resolved.site, pathRequest.path)
      if (match.kind !== 'search' && match.kind !== 'page') return
      if (resolved.site.siteId === undefined || !countsReader(request.raw, resolved.site)) return
      const { site, visitor, location } = contextOf(request, visit, match.choice.variant)
      visitorEvents.count(site, visitor, { ...location, type: 'search_type_query', detail: { query } })
    },
    countMachineRead(request, visit, { variant, ...event }) {
      const { site } = visit.resolved
      const isRead = request.raw.method !== 'HEAD' && site.siteId !== undefined
      if (!isRead || !allowsCounting(request.raw, site)) return
      const context = contextOf(request, visit, variant)
      visitorEvents.count(context.site, context.visitor, { ...context.location, ...event })
    },
  }
}

/** Writes the counted events periodically, and when the server stops. */
export function mountEventFlush(
  server: FastifyInstance,
  { visitorEvents }: Pick<Services, 'visitorEvents'>,
): void {
  const timer = setInterval(() => {
    const logError = (error: unknown) => {
      const reason = operatorMessage(error)
      server.log.warn(reason === undefined ? { err: error } : { reason }, 'Readers were not counted')
    }
    visitorEvents.flush().catch(logError)
  }, flushInterval).unref()
  server.addHook('onClose', async () => {
    clearInterval(timer)
    await visitorEvents.flush(true)
  })
}

/** Returns the event of an answer for programs, as llms.txt and RSS, with its variant; undefined for all others. */
export function machineEventOf(
  { resolved: { site }, pathRequest, access }: ResolvedVisit,
  { status, headers }: AnswerHead,
): { readonly type: EventType; readonly variant: Variant } | undefined {
  if (status !== 200 || access.refusal !== undefined) return undefined
  const match = matchPath(site, pathRequest.path)
  if (match.kind === 'feed') {
    const { feed } = match
    const isText = feed.name === 'llms.txt' || feed.name === 'llms-full.txt'
    return isText && feed.variant !== undefined ? { type: 'llms_request', variant: feed.variant } : undefined
  }
  const isRss = match.kind === 'page' && headers['content-type']!.startsWith('application/rss+xml')
  return isRss ? { type: 'rss_request', variant: match.choice.variant } : undefined
}

/** Routes of reader events: tracking, aggregation, and insights settings. */
import { type Route, route } from '../../access/route/route.js'
import { loadRequestFrom } from '../../access/route/scope.js'
import type { CountedVisitor } from '../../access/events/visitor-events.js'
import type { MaybeActor } from '../../access/signin/actor.js'
import { addressKey, takeAttempt } from '../../access/signin/rate-limit.js'
import * as operations from '../../contract/site-events.js'
import { unknownVisitor } from '../../core/visitor/visitor.js'
import { type ContentContext, forActor } from '../content/content.js'
import { customizationOf } from '../sites/customization.js'
import { type SiteContext, inSite, inSiteOrOpenSite } from '../sites/scope.js'
import { aggregation } from './aggregate.js'
import { parseReportedEvent } from './reported-events.js'
import { presentSettings, putSettings } from './settings.js'
import { runQueued } from './query-queue.js'
import { markKnownPages } from './viewed-pages.js'

/** Events in a minute from one address without a token. */
const eventsOfStrangers = { limit: 6_000, window: 60_000 }

/** The content as a caller without a token sees it. */
function forStranger(content: ContentContext, { row }: SiteContext): ContentContext {
  return { ...content, isForReaders: true, ...(row.adaptive_content === 1 && { visitor: unknownVisitor }) }
}

function withoutClaims(visitor: CountedVisitor): CountedVisitor {
  return { ...visitor, isAuthenticated: null, claims: {} }
}

export const siteEventRoutes: readonly Route[] = [
  route(operations.trackEvents, {
    at: inSiteOrOpenSite,
    allow: 'view',
    async prepare({ actor: caller, source, site, organization, body, services, origin, now }) {
      // A token that does not open the site counts as none.
      const actor: MaybeActor = organization === undefined ? null : caller
      const key = `events from ${addressKey(origin.ip)}`
      if (actor === null)
        await takeAttempt(services.database, key, eventsOfStrangers, { now, weight: body.events.length })
      const events = body.events.map((event, at) => parseReportedEvent(event, at, site, now))
      // Previews and unpublished sites are not counted.
      const isCounted = site.row.published === 1 && actor?.reading?.isPreview !== true
      if (!isCounted || !customizationOf(site.row).insights.trackingCookie) return () => {}
      const request = loadRequestFrom(source, caller, services)
      const spaces = site.spaces.map(({ space }) => space).filter(({ id }) => site.readable.has(id))
      const reported = await markKnownPages(request, spaces, events, (content) =>
        actor === null ? forStranger(content, site) : forActor(content, actor),
      )
      return () => {
        for (const { visitor, event } of reported)
          // Claims are not proven by a caller without a token.
          services.visitorEvents.count(site.row, actor === null ? withoutClaims(visitor) : visitor, event)
      }
    },
  }),

  // Counts change all the time: the queries of one aggregation need no common snapshot.
  route(operations.aggregateEvents, {
    at: inSite,
    allow: 'administer',
    prepare: async ({ site: { row }, body, now, services, waitPreference: { signal } }) => {
      const answer = aggregation(body, now)
      const db = services.database.read
      return () => runQueued(row.organization_id, signal, () => answer({ db, site: row, signal }))
    },
    respond: async ({ result }) => result,
  }),

  route(operations.getInsightsSettings, {
    at: inSite,
    allow: 'administer',
    handle: async ({ site }) => presentSettings(site.row),
  }),

  route(operations.updateInsightsSettings, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, site, body, now }) => presentSettings(await putSettings(tx, site.row, body, now)),
  }),
]

/** Routes of reader events: tracking, aggregation, and insights settings. */
import { type Route, route } from '../../access/route/route.js'
import * as operations from '../../contract/site-events.js'
import { customizationOf } from '../sites/customization.js'
import { inSite } from '../sites/scope.js'
import { aggregation } from './aggregate.js'
import { parseReportedEvent } from './reported-events.js'
import { presentSettings, putSettings } from './settings.js'
import { runQueued } from './query-queue.js'

export const siteEventRoutes: readonly Route[] = [
  route(operations.trackEvents, {
    at: inSite,
    allow: 'view',
    prepare:
      async ({ actor, site, body, services, now }) =>
      () => {
        const reported = body.events.map((event, at) => parseReportedEvent(event, at, site, now))
        // Previews and unpublished sites are not counted.
        if (site.row.published === 0 || actor.reading?.isPreview === true) return
        if (!customizationOf(site.row).insights.trackingCookie) return
        for (const { visitor, event } of reported) services.visitorEvents.count(site.row, visitor, event)
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

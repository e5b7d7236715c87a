/** What readers of a site do: reported, counted, and how a site counts. */
import { type Route, notingRoute, route, seekingRoute } from '../../access/route/route.js'
import * as operations from '../../contract/site-events.js'
import { customizationOf } from '../sites/customization.js'
import { inSite } from '../sites/scope.js'
import { aggregation } from './aggregate.js'
import { readReported } from './report.js'
import { presentSettings, putSettings } from './settings.js'
import { inTurn } from './turns.js'

export const siteEventRoutes: readonly Route[] = [
  notingRoute(operations.trackEvents, {
    at: inSite,
    allow: 'view',
    note: ({ actor, site, body, services, now }) => {
      const reported = body.events.map((event, at) => readReported(event, at, site, now))
      // A look at what is not published is no reading.
      if (site.row.published === 0 || actor.reading?.isPreview === true) return
      if (!customizationOf(site.row).insights.trackingCookie) return
      for (const { visitor, event } of reported) services.counting.count(site.row, visitor, event)
    },
  }),

  // Numbers grow all the time: no two steps of a sum need to be of one moment.
  seekingRoute(operations.aggregateEvents, {
    at: inSite,
    allow: 'administer',
    seek: async ({ site: { row }, body, now, services, waiting: { signal } }) => {
      const answer = aggregation(body, now)
      const db = services.database.read
      return () => inTurn(row.organization_id, signal, () => answer({ db, site: row, signal }))
    },
    handle: async ({ found }) => found,
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

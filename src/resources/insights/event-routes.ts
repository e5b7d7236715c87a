/** What readers of a site do: reported, counted, and how a site counts. */
import { type Route, notingRoute, readingRoute, route } from '../../access/route/route.js'
import * as operations from '../../contract/site-events.js'
import { customizationOf } from '../sites/customization.js'
import { inSite } from '../sites/scope.js'
import { aggregate } from './aggregate.js'
import { readReported } from './report.js'
import { presentSettings, putSettings } from './settings.js'

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

  readingRoute(operations.aggregateEvents, {
    at: inSite,
    allow: 'administer',
    handle: ({ db, site, body, now }) => aggregate(db, site.row, body, now),
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

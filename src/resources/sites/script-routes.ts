/** Routes of third-party scripts on the pages of a site. */
import { type Route, route } from '../../access/route/route.js'
import * as operations from '../../contract/site-scripts.js'
import { inSite } from './scope.js'
import { presentScripts, putScripts, embeddableScripts } from './scripts.js'

export const siteScriptRoutes: readonly Route[] = [
  route(operations.getSiteScripts, {
    at: inSite,
    allow: 'view',
    handle: async ({ site }) => presentScripts(site.row),
  }),

  route(operations.listScriptsToEmbed, {
    at: inSite,
    allow: 'view',
    handle: async ({ actor, site }) => embeddableScripts(actor, site.row),
  }),

  route(operations.updateSiteScripts, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, site, body, now }) =>
      presentScripts(await putScripts(tx, site.row, body.scripts, now)),
  }),
]

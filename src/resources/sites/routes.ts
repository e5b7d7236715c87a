/** Sites: spaces published for readers. */
import { nothingRemoved } from '../../access/route/removal.js'
import { type Route, longRoute, route } from '../../access/route/route.js'
import { ApiError } from '../../contract/errors.js'
import * as operations from '../../contract/sites.js'
import { inOrganization, readerOf } from '../organizations/scope.js'
import { sharePathOf } from './audience.js'
import { createSite } from './create.js'
import { hasOverrides, presentCustomization } from './customization.js'
import { publishSite, unpublishSite } from './publish.js'
import { atSite, inSite } from './scope.js'
import { scriptsShownTo } from './scripts.js'
import { showParts } from './show-structure.js'
import { showSite, showSites } from './show.js'
import { deleteSite, listVisibleSites } from './store.js'
import { changeSite } from './update.js'
import { findUnknownClaims, findWarnings } from './warnings.js'

export const siteRoutes: readonly Route[] = [
  route(operations.listSites, {
    at: inOrganization,
    allow: 'visit',
    handle: async ({ db, actor, query, ...place }) => {
      const list = await listVisibleSites(db, readerOf(actor, place.organization), query)
      return { ...list, items: await showSites(db, place, list.items) }
    },
  }),

  route(operations.createSite, {
    at: inOrganization,
    allow: 'createContent',
    handle: async ({ tx, actor, body, now, ...place }) => {
      const { organization, services } = place
      const reader = readerOf(actor, organization)
      const row = await createSite(tx, body, { organizationId: organization.row.id, reader, now, services })
      return showSite(tx, place, row)
    },
  }),

  route(operations.getSite, {
    at: inSite,
    allow: 'view',
    handle: ({ db, site, ...place }) => showSite(db, place, site.row),
  }),

  route(operations.updateSite, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, site, body, now, ...place }) => {
      const row = await changeSite(tx, site, body, now)
      const warnings = body.adaptiveContent === undefined ? [] : await findUnknownClaims(tx, row)
      return { ...(await showSite(tx, place, row)), ...(warnings.length > 0 && { warnings }) }
    },
  }),

  route(operations.deleteSite, {
    at: atSite,
    allow: 'administer',
    handle: async ({ tx, site }) => {
      if (site === undefined) return nothingRemoved
      return deleteSite(tx, site.row)
    },
  }),

  longRoute(operations.publishSite, {
    at: inSite,
    allow: 'administer',
    handle: async ({ actor: { userId }, site: seen, now, services, commit }) => {
      const warnings = await findWarnings(services, seen)
      return commit(async ({ tx, site, organization }) => ({
        ...(await showSite(tx, { services, organization }, await publishSite(tx, site, { userId, now }))),
        ...(warnings.length > 0 && { warnings }),
      }))
    },
  }),

  route(operations.unpublishSite, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, actor: { userId }, site, now, ...place }) =>
      showSite(tx, place, await unpublishSite(tx, site, { userId, now })),
  }),

  route(operations.getPublishedSite, {
    at: inSite,
    allow: 'view',
    handle: async ({ db, actor, site, query, services, organization }) => {
      // A preview shows it to whoever made it.
      if (site.row.published === 0 && actor.reading === undefined)
        throw new ApiError('not_found', { thing: 'published site' })
      const sharePath = await sharePathOf(db, services.addresses, site.row, query.shareKey)
      const place = { services, organization, sharePath }
      const reader = readerOf(actor, place.organization)
      return {
        object: 'published-content-site' as const,
        site: await showSite(db, place, site.row),
        structure: await (await showParts(db, place, site, reader)).structure(),
        customizations: {
          site: presentCustomization(site.row),
          siteSpaces: Object.fromEntries(
            site.spaces
              .filter(({ link, space }) => site.readable.has(space.id) && hasOverrides(link))
              .map(({ link }) => [link.id, presentCustomization(site.row, link)]),
          ),
        },
        scripts: scriptsShownTo(actor, site.row),
      }
    },
  }),
]

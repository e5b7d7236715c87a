/** Sites: spaces published for readers. */
import { type Route, longRoute, route } from '../../access/route/route.js'
import { ApiError } from '../../contract/errors.js'
import * as operations from '../../contract/sites.js'
import { inOrganization, readerOf } from '../organizations/scope.js'
import { createSite } from './create.js'
import { customizationOf, presentCustomization } from './present.js'
import { publishSite, unpublishSite } from './publish.js'
import { inSite } from './scope.js'
import { showSite, showSiteSpaces, showSites } from './show.js'
import { addSpace, getPublishable } from './spaces.js'
import { listLinkedSpaces, listVisibleSiteSpaces, listVisibleSites } from './store.js'
import { changeSite } from './update.js'
import { findWarnings } from './warnings.js'

/** The most spaces that one answer shows of a site. */
const everySpace = 1000

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
    handle: async ({ tx, site, body, now, ...place }) =>
      showSite(tx, place, await changeSite(tx, site, body, now)),
  }),

  longRoute(operations.publishSite, {
    at: inSite,
    allow: 'administer',
    handle: async ({ site: seen, now, services, commit }) => {
      const warnings = await findWarnings(services, seen)
      return commit(async ({ tx, site, organization }) => ({
        ...(await showSite(tx, { services, organization }, await publishSite(tx, site, now))),
        ...(warnings.length > 0 && { warnings }),
      }))
    },
  }),

  route(operations.unpublishSite, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, site, now, ...place }) => showSite(tx, place, await unpublishSite(tx, site, now)),
  }),

  route(operations.getPublishedSite, {
    at: inSite,
    allow: 'view',
    handle: async ({ db, actor, site, ...place }) => {
      if (site.row.published === 0) throw new ApiError('not_found', { thing: 'published site' })
      const reader = readerOf(actor, place.organization)
      const { items } = await listVisibleSiteSpaces(db, site.row, reader, { limit: everySpace })
      const shown = site.spaces.filter(({ link }) => items.some(({ id }) => id === link.id))
      return {
        object: 'published-content-site' as const,
        site: await showSite(db, place, site.row),
        structure: {
          type: 'siteSpaces' as const,
          structure: await showSiteSpaces(db, place, site.row, shown, reader),
        },
        customizations: { site: presentCustomization(customizationOf(site.row)), siteSpaces: {} },
        scripts: [],
      }
    },
  }),

  route(operations.listSiteSpaces, {
    at: inSite,
    allow: 'view',
    handle: async ({ db, actor, site, query, ...place }) => {
      const { page, limit, default: isDefault } = query
      const reader = readerOf(actor, place.organization)
      const list = await listVisibleSiteSpaces(db, site.row, reader, { page, limit, isDefault })
      const linked = list.items.flatMap((item) => site.spaces.filter(({ link }) => link.id === item.id))
      return { ...list, items: await showSiteSpaces(db, place, site.row, linked, reader) }
    },
  }),

  route(operations.addSiteSpace, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, actor, site, body, ...place }) => {
      if (body.sectionId !== undefined) {
        const problem = 'The member "sectionId" names a section, and this site has no sections.'
        throw new ApiError('invalid_request', { problem })
      }
      const reader = readerOf(actor, place.organization)
      const space = await getPublishable(tx, site.row, reader, { id: body.spaceId, member: 'spaceId' })
      const link = await addSpace(tx, site.row, space, 'spaceId')
      const linked = (await listLinkedSpaces(tx, site.row)).filter((one) => one.link.id === link.id)
      const [shown] = await showSiteSpaces(tx, place, site.row, linked, reader)
      return shown!
    },
  }),
]

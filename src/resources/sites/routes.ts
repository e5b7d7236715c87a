/** Sites: spaces published for readers. */
import { type Route, route } from '../../access/route/route.js'
import type { Services } from '../../access/route/scope.js'
import type { Reader } from '../../access/rules/levels.js'
import { ApiError } from '../../contract/errors.js'
import {
  type SiteSpace,
  addSiteSpace,
  createSite,
  getPublishedSite,
  getSite,
  listSiteSpaces,
  listSites,
  publishSite,
  unpublishSite,
  updateSite,
} from '../../contract/sites.js'
import type { Db } from '../../store/db/database.js'
import type { OrganizationOf } from '../organizations/store.js'
import { inOrganization, readerOf } from '../organizations/scope.js'
import { presentSpaces } from '../spaces/present-many.js'
import { createSite as create } from './create.js'
import { customizationOf, presentCustomization, presentSite, presentSiteSpace } from './present.js'
import { publishSite as publish, unpublishSite as unpublish } from './publish.js'
import { inSite } from './scope.js'
import { addSpace, getPublishable } from './spaces.js'
import {
  type LinkedSpace,
  type SiteRow,
  countSiteSpaces,
  listLinkedSpaces,
  listVisibleSiteSpaces,
  listVisibleSites,
} from './store.js'
import { changeSite } from './update.js'

/** The most spaces that one answer shows of a site. */
const everySpace = 1000

interface Place {
  readonly services: Services
  readonly organization: OrganizationOf
}

function contextOf({ services, organization }: Place) {
  return { addresses: services.addresses, organizationHostname: organization.row.hostname }
}

async function present(db: Db, place: Place, row: SiteRow) {
  const counts = await countSiteSpaces(db, row.organization_id, [row.id])
  return presentSite(contextOf(place), row, counts.get(row.id) ?? 0)
}

async function presentLinks(
  db: Db,
  place: Place,
  site: SiteRow,
  linked: readonly LinkedSpace[],
  reader: Reader,
): Promise<SiteSpace[]> {
  const rows = linked.map(({ space }) => space)
  const spaces = await presentSpaces(db, place.services.addresses, reader, rows)
  return linked.map(({ link }, at) => presentSiteSpace(contextOf(place), site, link, spaces[at]!))
}

export const siteRoutes: readonly Route[] = [
  route(listSites, {
    at: inOrganization,
    allow: 'visit',
    handle: async ({ db, actor, query, ...place }) => {
      const list = await listVisibleSites(db, readerOf(actor, place.organization), query)
      const counts = await countSiteSpaces(
        db,
        place.organization.row.id,
        list.items.map(({ id }) => id),
      )
      const items = list.items.map((row) => presentSite(contextOf(place), row, counts.get(row.id) ?? 0))
      return { ...list, items }
    },
  }),

  route(createSite, {
    at: inOrganization,
    allow: 'createContent',
    handle: async ({ tx, actor, body, now, ...place }) => {
      const { organization, services } = place
      const reader = readerOf(actor, organization)
      const row = await create(tx, body, { organizationId: organization.row.id, reader, now, services })
      return present(tx, place, row)
    },
  }),

  route(getSite, {
    at: inSite,
    allow: 'view',
    handle: ({ db, site, ...place }) => present(db, place, site.row),
  }),

  route(updateSite, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, site, body, now, ...place }) =>
      present(tx, place, await changeSite(tx, site, body, now)),
  }),

  route(publishSite, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, site, now, ...place }) => present(tx, place, await publish(tx, site, now)),
  }),

  route(unpublishSite, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, site, now, ...place }) => present(tx, place, await unpublish(tx, site, now)),
  }),

  route(getPublishedSite, {
    at: inSite,
    allow: 'view',
    handle: async ({ db, actor, site, ...place }) => {
      if (site.row.published === 0) throw new ApiError('not_found', { thing: 'published site' })
      const reader = readerOf(actor, place.organization)
      const { items } = await listVisibleSiteSpaces(db, site.row, reader, { limit: everySpace })
      const shown = site.spaces.filter(({ link }) => items.some(({ id }) => id === link.id))
      return {
        object: 'published-content-site' as const,
        site: await present(db, place, site.row),
        structure: {
          type: 'siteSpaces' as const,
          structure: await presentLinks(db, place, site.row, shown, reader),
        },
        customizations: { site: presentCustomization(customizationOf(site.row)), siteSpaces: {} },
        scripts: [],
      }
    },
  }),

  route(listSiteSpaces, {
    at: inSite,
    allow: 'view',
    handle: async ({ db, actor, site, query, ...place }) => {
      const { page, limit, default: isDefault } = query
      const reader = readerOf(actor, place.organization)
      const list = await listVisibleSiteSpaces(db, site.row, reader, { page, limit, isDefault })
      const linked = list.items.flatMap((item) => site.spaces.filter(({ link }) => link.id === item.id))
      return { ...list, items: await presentLinks(db, place, site.row, linked, reader) }
    },
  }),

  route(addSiteSpace, {
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
      const [shown] = await presentLinks(tx, place, site.row, linked, reader)
      return shown!
    },
  }),
]

/** Sites: spaces published for readers. */
import { type Route, route } from '../../access/route/route.js'
import type { Services } from '../../access/route/scope.js'
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
import { inOrganization } from '../organizations/scope.js'
import { presentSpace } from '../spaces/present.js'
import { withLevel as withSpaceLevel } from '../spaces/scope.js'
import { loadSurroundings } from '../spaces/store.js'
import { createSite as create } from './create.js'
import { customizationOf, presentSite, presentSiteSpace } from './present.js'
import { publishSite as publish, unpublishSite as unpublish } from './publish.js'
import { type Reader, inSite } from './scope.js'
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
  const counts = await countSiteSpaces(db, [row.id])
  return presentSite(contextOf(place), row, counts.get(row.id) ?? 0)
}

async function presentLinks(
  db: Db,
  place: Place,
  site: SiteRow,
  linked: readonly LinkedSpace[],
  { userId, role }: Reader,
): Promise<SiteSpace[]> {
  const surroundings = await loadSurroundings(
    db,
    linked.map(({ space }) => space.id),
  )
  return linked.map(({ link, space: row }) => {
    const { level } = withSpaceLevel({ row, role }, userId)
    const space = presentSpace(place.services.addresses, row, level, surroundings.get(row.id)!)
    return presentSiteSpace(contextOf(place), site, link, space)
  })
}

export const siteRoutes: readonly Route[] = [
  route(listSites, {
    at: inOrganization,
    allow: 'visit',
    handle: async ({ db, actor, query, ...place }) => {
      const list = await listVisibleSites(db, place.organization.row.id, actor.userId, query)
      const counts = await countSiteSpaces(
        db,
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
      const reader = { userId: actor.userId, role: organization.role }
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
      const { items } = await listVisibleSiteSpaces(db, site.row.id, actor.userId, { limit: everySpace })
      const shown = site.spaces.filter(({ link }) => items.some(({ id }) => id === link.id))
      const reader = { userId: actor.userId, role: place.organization.role }
      return {
        object: 'published-content-site' as const,
        site: await present(db, place, site.row),
        structure: {
          type: 'siteSpaces' as const,
          structure: await presentLinks(db, place, site.row, shown, reader),
        },
        customizations: { site: customizationOf(site.row), siteSpaces: {} },
        scripts: [],
      }
    },
  }),

  route(listSiteSpaces, {
    at: inSite,
    allow: 'view',
    handle: async ({ db, actor, site, query, ...place }) => {
      const { page, limit, default: isDefault } = query
      const list = await listVisibleSiteSpaces(db, site.row.id, actor.userId, { page, limit, isDefault })
      const reader = { userId: actor.userId, role: place.organization.role }
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
      const reader = { userId: actor.userId, role: place.organization.role }
      const space = await getPublishable(tx, site.row, reader, { id: body.spaceId, member: 'spaceId' })
      const link = await addSpace(tx, site.row, space, 'spaceId')
      const linked = (await listLinkedSpaces(tx, site.row.id)).filter((one) => one.link.id === link.id)
      const [shown] = await presentLinks(tx, place, site.row, linked, reader)
      return shown!
    },
  }),
]

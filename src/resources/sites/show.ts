/** Sites and the spaces that they show, as somebody of their organization sees them. */
import type { Reader } from '../../access/rules/levels.js'
import type { Services } from '../../access/route/scope.js'
import type { Site, SiteSpace } from '../../contract/sites.js'
import type { Db } from '../../store/db/database.js'
import type { OrganizationOf } from '../organizations/store.js'
import { showSpaces } from '../spaces/show.js'
import { presentSite, presentSiteSpace } from './present.js'
import { type LinkedSpace, type SiteRow, countSiteSpaces } from './store.js'

interface Place {
  readonly services: Services
  readonly organization: OrganizationOf
}

function contextOf({ services, organization }: Place) {
  return { addresses: services.addresses, organizationHostname: organization.row.hostname }
}

/** Returns sites of the organization; their spaces are counted in one query. */
export async function showSites(db: Db, place: Place, rows: readonly SiteRow[]): Promise<Site[]> {
  const ids = rows.map(({ id }) => id)
  const counts = await countSiteSpaces(db, place.organization.row.id, ids)
  return rows.map((row) => presentSite(contextOf(place), row, counts.get(row.id) ?? 0))
}

export async function showSite(db: Db, place: Place, row: SiteRow): Promise<Site> {
  return (await showSites(db, place, [row]))[0]!
}

/** Returns spaces that the site shows, with the spaces as the reader sees them. */
export async function showSiteSpaces(
  db: Db,
  place: Place,
  site: SiteRow,
  linked: readonly LinkedSpace[],
  reader: Reader,
): Promise<SiteSpace[]> {
  const rows = linked.map(({ space }) => space)
  const spaces = await showSpaces(db, place.services.addresses, reader, rows)
  return linked.map(({ link }, at) => presentSiteSpace(contextOf(place), site, link, spaces[at]!))
}

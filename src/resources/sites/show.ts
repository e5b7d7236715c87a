/** Sites as somebody of their organization sees them. */
import type { Services } from '../../access/route/scope.js'
import type { Site } from '../../contract/sites.js'
import type { Db } from '../../store/db/database.js'
import type { OrganizationOf } from '../organizations/store.js'
import { type SiteContext, presentSite } from './present.js'
import { type SiteRow, countSiteSpaces } from './store.js'

export interface Place {
  readonly services: Services
  readonly organization: OrganizationOf
  /** See `SiteContext`. */
  readonly sharePath?: string | undefined
}

export function contextOf({ services, organization, sharePath }: Place): SiteContext {
  return { addresses: services.addresses, organizationHostname: organization.row.hostname, sharePath }
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

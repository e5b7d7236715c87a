/** Responses of sites: loads what their wire format needs besides the rows. */
import type { Services } from '../../access/route/scope.js'
import type { Site } from '../../contract/sites.js'
import type { Db } from '../../store/db/database.js'
import type { OrganizationContext } from '../organizations/store.js'
import { type SiteUrlContext, presentSite } from './present.js'
import { type SiteRow, countSiteSpaces } from './store.js'

export interface SiteResponseContext {
  readonly services: Services
  readonly organization: OrganizationContext
  /** See `SiteUrlContext`. */
  readonly sharePath?: string | undefined
}

export function urlContextOf({ services, organization, sharePath }: SiteResponseContext): SiteUrlContext {
  return { addresses: services.addresses, organizationHostname: organization.row.hostname, sharePath }
}

/** Returns sites of the organization on the wire; their spaces are counted in one query. */
export async function showSites(
  db: Db,
  context: SiteResponseContext,
  rows: readonly SiteRow[],
): Promise<Site[]> {
  const ids = rows.map(({ id }) => id)
  const counts = await countSiteSpaces(db, context.organization.row.id, ids)
  return rows.map((row) => presentSite(urlContextOf(context), row, counts.get(row.id) ?? 0))
}

export async function showSite(db: Db, context: SiteResponseContext, row: SiteRow): Promise<Site> {
  return (await showSites(db, context, [row]))[0]!
}

/** Responses of sites: loads what their wire format needs besides the rows. */
import type { Services } from '../../access/route/scope.js'
import type { Reader, SiteLevels } from '../../access/rules/levels.js'
import type { Site } from '../../contract/sites.js'
import type { Db } from '../../store/db/database.js'
import type { OrganizationContext } from '../organizations/store.js'
import { type SiteUrlContext, presentSite } from './present.js'
import { loadSiteLevels } from './scope.js'
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

/** Returns sites of the organization on the wire, with the reader's permissions. */
export async function showSites(
  db: Db,
  context: SiteResponseContext,
  rows: readonly SiteRow[],
  reader: Reader,
): Promise<Site[]> {
  const ids = rows.map(({ id }) => id)
  const counts = await countSiteSpaces(db, context.organization.row.id, ids)
  const levelsOf = await loadSiteLevels(db, reader, ids)
  return rows.map((row) =>
    presentSite(urlContextOf(context), row, {
      siteSpaces: counts.get(row.id) ?? 0,
      levels: levelsOf(row.id),
    }),
  )
}

/** Returns one site on the wire, for a reader with these levels. */
export async function showSite(
  db: Db,
  context: SiteResponseContext,
  row: SiteRow,
  levels: SiteLevels,
): Promise<Site> {
  const counts = await countSiteSpaces(db, context.organization.row.id, [row.id])
  return presentSite(urlContextOf(context), row, { siteSpaces: counts.get(row.id) ?? 0, levels })
}

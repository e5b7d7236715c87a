/** Opens a published site as an anonymous visitor without claims sees it at its own address. */
import { unknownVisitor } from '../../core/visitor/visitor.js'
import { readConsistently } from '../../access/route/consistent-read.js'
import type { Services } from '../../access/route/scope.js'
import type { AddressedSite } from '../../resources/sites/store.js'
import { authorizeSiteVisit } from '../../site/reader-access.js'
import { createSiteFinder } from '../../site/routing/find-site.js'
import { personalizeSite } from '../../site/routing/personalize-site.js'
import type { SiteEntryPoint, PublishedSite } from '../../site/routing/site.js'
import { readContextAt } from '../../store/cache/caches.js'

/** Returns whether the site's own address is a path of this server or a host of its own. */
export function entryPointOf(
  { addresses }: Pick<Services, 'addresses'>,
  site: AddressedSite,
): SiteEntryPoint {
  const { row, organizationHostname } = site
  const url = new URL(addresses.site(organizationHostname, row.basename, row.hostname))
  return url.origin === new URL(addresses.base).origin ? 'path' : 'host'
}

/** Returns the site as it is published now; undefined unless every visitor may read it. */
export async function openSite(
  services: Services,
  addressed: AddressedSite,
  now: number,
): Promise<PublishedSite | undefined> {
  const { database, caches, addresses } = services
  const { row, organizationHostname: hostname } = addressed
  const sites = createSiteFinder(services)
  const entryPoint = entryPointOf(services, addressed)
  const readContext = readContextAt(await database.currentVersion())
  return readConsistently({ services, readContext }, async (source, about) => {
    about(row.organization_id)
    const found =
      row.hostname !== null && entryPoint === 'host'
        ? await sites.byHost(source, row.hostname)
        : await sites.byNames(source, { hostname, basename: row.basename }, entryPoint)
    if (found === undefined) return undefined
    const visit = { resolveReader: async () => null, visitor: unknownVisitor, key: undefined }
    const entry = await authorizeSiteVisit(source, found.siteRows, visit, {
      caches,
      addresses,
      readContext,
      now,
    })
    return entry.refusal === undefined ? personalizeSite(services, found, unknownVisitor).site : undefined
  })
}

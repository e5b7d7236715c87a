/** A site as its own address shows it to somebody of whom nothing is known. */
import { unknownVisitor } from '../../core/visitor/visitor.js'
import { readConsistently } from '../../access/route/consistent-read.js'
import type { Services } from '../../access/route/scope.js'
import type { AddressedSite } from '../../resources/sites/store.js'
import { authorizeSiteVisit } from '../../site/reader-access.js'
import { createSiteFinder } from '../../site/routing/find-site.js'
import { personalizeSite } from '../../site/routing/personalize-site.js'
import type { SiteEntryPoint, PublishedSite } from '../../site/routing/site.js'
import { readContextAt } from '../../store/cache/caches.js'

/** By which door a site is reached at its own address. */
export function doorOf({ addresses }: Pick<Services, 'addresses'>, site: AddressedSite): SiteEntryPoint {
  const { row, organizationHostname } = site
  const url = new URL(addresses.site(organizationHostname, row.basename, row.hostname))
  return url.origin === new URL(addresses.base).origin ? 'path' : 'host'
}

/** Returns a site as its own address shows it now; undefined where it is not open to everybody. */
export async function openSite(
  services: Services,
  addressed: AddressedSite,
  now: number,
): Promise<PublishedSite | undefined> {
  const { database, caches, addresses } = services
  const { row, organizationHostname: hostname } = addressed
  const sites = createSiteFinder(services)
  const door = doorOf(services, addressed)
  const readContext = readContextAt(await database.currentVersion())
  return readConsistently({ services, readContext }, async (source, about) => {
    about(row.organization_id)
    const found =
      row.hostname !== null && door === 'host'
        ? await sites.byHost(source, row.hostname)
        : await sites.byNames(source, { hostname, basename: row.basename }, door)
    if (found === undefined) return undefined
    const comer = { resolveReader: async () => null, visitor: unknownVisitor, key: undefined }
    const entry = await authorizeSiteVisit(source, found.siteRows, comer, {
      caches,
      addresses,
      readContext,
      now,
    })
    return entry.refusal === undefined ? personalizeSite(services, found, unknownVisitor).site : undefined
  })
}

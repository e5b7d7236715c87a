/** A site as its own address shows it to somebody of whom nothing is known. */
import { unknownVisitor } from '../../core/visitor/visitor.js'
import { readAtOneMoment } from '../../access/route/consistent-read.js'
import type { Services } from '../../access/route/scope.js'
import type { AddressedSite } from '../../resources/sites/store.js'
import { enterSite } from '../../site/enter.js'
import { createSiteFinder } from '../../site/routing/find-site.js'
import { showTo } from '../../site/routing/show-to.js'
import type { Door, ShownSite } from '../../site/routing/site.js'
import { lookAt } from '../../store/cache/caches.js'

/** By which door a site is reached at its own address. */
export function doorOf({ addresses }: Pick<Services, 'addresses'>, site: AddressedSite): Door {
  const { row, organizationHostname } = site
  const url = new URL(addresses.site(organizationHostname, row.basename, row.hostname))
  return url.origin === new URL(addresses.base).origin ? 'path' : 'host'
}

/** Returns a site as its own address shows it now; undefined where it is not open to everybody. */
export async function openSite(
  services: Services,
  addressed: AddressedSite,
  now: number,
): Promise<ShownSite | undefined> {
  const { database, caches, addresses } = services
  const { row, organizationHostname: hostname } = addressed
  const sites = createSiteFinder(services)
  const door = doorOf(services, addressed)
  const look = lookAt(await database.momentNow())
  return readAtOneMoment({ services, look }, async (source, about) => {
    about(row.organization_id)
    const found =
      row.hostname !== null && door === 'host'
        ? await sites.byHost(source, row.hostname)
        : await sites.byNames(source, { hostname, basename: row.basename }, door)
    if (found === undefined) return undefined
    const comer = { asker: async () => null, visitor: unknownVisitor, key: undefined }
    const entry = await enterSite(source, found.addressed, comer, { caches, addresses, look, now })
    return entry.refusal === undefined ? showTo(services, found, unknownVisitor).site : undefined
  })
}

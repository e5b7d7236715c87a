/** The site that somebody at a keyboard means. */
import type { SiteId } from '../../core/ids.js'
import { findOrganization, listOrganizations } from '../../resources/organizations/store.js'
import { type AddressedSite, findSite, findSiteByNames } from '../../resources/sites/store.js'
import type { Db } from '../../store/db/database.js'
import { findInDirectory } from '../../store/db/directory.js'
import { CommandError } from './command-context.js'

/** Returns a site by its id, by both of its names (`acme/handbook`), or by its own where it is the only one. */
export async function findSiteAnyhow(db: Db, wanted: string): Promise<AddressedSite | undefined> {
  const organizationId = await findInDirectory(db, wanted as SiteId)
  if (organizationId !== undefined) {
    const found = await findSite(db, organizationId, wanted as SiteId)
    const organization = await findOrganization(db, organizationId)
    return found && organization && { ...found, organizationHostname: organization.hostname }
  }
  const [hostname, basename] = wanted.replace(/^@/, '').split('/')
  if (basename !== undefined) return findSiteByNames(db, hostname!, basename)
  const named: AddressedSite[] = []
  for (const organization of await listOrganizations(db)) {
    const found = await findSiteByNames(db, organization.hostname, wanted)
    if (found !== undefined) named.push(found)
  }
  if (named.length < 2) return named[0]
  const known = named.map(({ organizationHostname }) => `${organizationHostname}/${wanted}`)
  throw new CommandError(`Several sites are called "${wanted}": say ${known.join(' or ')}.`)
}

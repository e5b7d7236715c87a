/** Resolves the site that an argument of a command names. */
import type { SiteId } from '../../core/ids.js'
import { findOrganization, listOrganizations } from '../../resources/organizations/store.js'
import { type AddressedSite, findSite, findSiteByNames } from '../../resources/sites/store.js'
import type { Db } from '../../store/db/database.js'
import { findInDirectory } from '../../store/db/directory.js'
import { CommandError } from './command-context.js'

/** Returns the site with this id, hostname and basename (`acme/handbook`), or basename where only one site has it. */
export async function findSiteByIdOrName(db: Db, argument: string): Promise<AddressedSite | undefined> {
  const organizationId = await findInDirectory(db, argument as SiteId)
  if (organizationId !== undefined) {
    const found = await findSite(db, organizationId, argument as SiteId)
    const organization = await findOrganization(db, organizationId)
    return found && organization && { ...found, organizationHostname: organization.hostname }
  }
  const [hostname, basename] = argument.replace(/^@/, '').split('/')
  if (basename !== undefined) return findSiteByNames(db, hostname!, basename)
  const matches: AddressedSite[] = []
  for (const organization of await listOrganizations(db)) {
    const found = await findSiteByNames(db, organization.hostname, argument)
    if (found !== undefined) matches.push(found)
  }
  if (matches.length < 2) return matches[0]
  const known = matches.map(({ organizationHostname }) => `${organizationHostname}/${argument}`)
  throw new CommandError(`Several sites are called "${argument}": say ${known.join(' or ')}.`)
}

/** `octavo export --static`: a published site as files, as a visitor sees it of whom nothing is known. */
import type { SiteId } from '../../core/ids.js'
import { findOrganization, listOrganizations } from '../../resources/organizations/store.js'
import { type AddressedSite, findSite, findSiteByNames } from '../../resources/sites/store.js'
import type { Db } from '../../store/db/database.js'
import { findInDirectory } from '../../store/db/directory.js'
import { createServer } from '../server.js'
import { writeTwin } from '../twin/twin.js'
import { CommandError, type Frame } from './frame.js'

/** Addresses that lead nowhere are named so far; the rest is counted. */
const mostNamed = 20

export async function exportSite(
  { database, services, report, settings, now }: Frame,
  target: string,
  { site: wanted, at: given }: { readonly site: string; readonly at?: string | undefined },
): Promise<void> {
  const at = given === undefined ? undefined : readAddress(given)
  const site = await findSiteAnyhow(database.read, wanted)
  if (site === undefined) throw new CommandError(`There is no site "${wanted}".`)
  const server = await createServer({
    services,
    now: () => now,
    logLevel: 'silent',
    settings,
    isReady: () => true,
  })
  const task = report.begin('Writing')
  const progress = (done: number, total: number): void => task.advance(done, total)
  try {
    const { missing, ...twin } = await writeTwin({
      services,
      server,
      site,
      target,
      progress,
      ...(at !== undefined && { at }),
    }).finally(() => task.end())
    for (const address of missing.slice(0, mostNamed))
      report.warn(`A page leads to ${address}, where nothing is.`, { kind: 'missing', address })
    if (missing.length > mostNamed)
      report.warn(`There are ${missing.length} in all.`, { kind: 'more', missing: missing.length })
    report.say(`${twin.pages} pages of the site ${site.row.title} are in ${target}, in ${twin.files} files`, {
      site: site.row.id,
      target,
      ...twin,
      missing: missing.length,
    })
  } finally {
    await server.close()
  }
}

function readAddress(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new CommandError(`"${text}" is no address: say one such as https://example.com/docs/.`)
  }
  const { origin, pathname } = new URL(text)
  return origin + pathname + (pathname.endsWith('/') ? '' : '/')
}

/** By its id, by both of its names (`acme/handbook`), or by its own where it is the only one. */
async function findSiteAnyhow(db: Db, wanted: string): Promise<AddressedSite | undefined> {
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

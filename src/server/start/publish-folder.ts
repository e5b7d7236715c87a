/** Imports a folder as a space and publishes a space as a site, for the first start and for `import --site`. */
import type { OrganizationId, SpaceId, UserId } from '../../core/ids.js'
import { newId } from '../../access/ids.js'
import type { Services } from '../../access/route/scope.js'
import { type ImportOutcome, importTree } from '../../resources/imports/import.js'
import { readFolder } from '../../resources/imports/read-folder.js'
import { intoNewSpace } from '../../resources/imports/target.js'
import { findOrganization } from '../../resources/organizations/store.js'
import { createSite } from '../../resources/sites/create.js'
import { publishSite } from '../../resources/sites/publish.js'
import { conditionalPartWarnings } from '../../resources/sites/warnings.js'
import { type SiteWithSpaces, findSite, findSiteShowing } from '../../resources/sites/store.js'
import type { Tx } from '../../store/db/database.js'

export interface Owner {
  readonly organizationId: OrganizationId
  readonly userId: UserId
}

/** Imports a folder into a new space and returns its id with the result of the import. */
export async function importFolder(
  services: Services,
  { organizationId, userId }: Owner,
  { folder, title, now }: { readonly folder: string; readonly title: string; readonly now: number },
): Promise<ImportOutcome & { readonly spaceId: SpaceId }> {
  const spaceId = newId<SpaceId>()
  const key = { organization_id: organizationId, id: spaceId }
  const target = intoNewSpace(key, { title }, { services, userId, now })
  const entries = readFolder(folder)
  const imported = await importTree({ services, target, mode: 'replace', entries, now })
  return { ...imported, spaceId }
}

/** What decides whether conditional content may be published. */
export interface SpaceToPublish {
  readonly spaceId: SpaceId
  readonly title: string
  readonly now: number
  /** Number of the space's pages and parts under conditions. */
  readonly conditions: number
  /** Publishes them also on a site that is not adaptive, which shows them to everyone. */
  readonly publishesConditions?: boolean
}

export interface SiteOfSpace {
  readonly url: string
  readonly isPublished: boolean
  readonly isAdaptive: boolean
  /** Number of pages, parts, sections and variants under conditions. */
  readonly conditions: number
}

/**
 * Publishes the site that contains the space, a new public one when there is none. It stays as it is where everyone would
 * see what is under conditions: on a site that is not adaptive.
 */
export async function publishSpace(
  services: Services,
  { organizationId, userId }: Owner,
  { spaceId, title, now, conditions, publishesConditions = false }: SpaceToPublish,
): Promise<SiteOfSpace> {
  return services.database.write(async (tx) => {
    const loaded = (await findSiteShowing(tx, organizationId, spaceId)) ?? (await createSiteOf(tx))
    const isAdaptive = loaded.row.adaptive_content === 1
    const all = conditions + conditionalPartWarnings(loaded).length
    const mayPublish = isAdaptive || all === 0 || publishesConditions
    const site = mayPublish ? await publishSite(tx, loaded, { userId, now }) : loaded.row
    const { hostname } = (await findOrganization(tx, organizationId))!
    const url = services.addresses.site(hostname, site.basename)
    return { url, isPublished: site.published === 1, isAdaptive, conditions: all }
  })

  async function createSiteOf(tx: Tx): Promise<SiteWithSpaces> {
    // The operator acts as an admin.
    const reader = { userId, organizationId, role: 'admin' } as const
    const row = await createSite(tx, { title, spaces: [spaceId] }, { organizationId, reader, now, services })
    return (await findSite(tx, organizationId, row.id))!
  }
}

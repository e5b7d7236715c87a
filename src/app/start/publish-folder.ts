/** A folder becomes a space, and if wanted a public site: what the first start and `import --site` do. */
import type { OrganizationId, SpaceId, UserId } from '../../core/ids.js'
import type { Services } from '../../access/route/scope.js'
import { type Imported, importTree } from '../../resources/imports/import.js'
import { readFolder } from '../../resources/imports/read-folder.js'
import { intoNewSpace } from '../../resources/imports/target.js'
import { createSite } from '../../resources/sites/create.js'
import { publishSite } from '../../resources/sites/publish.js'
import { findSite } from '../../resources/sites/store.js'

export interface Owner {
  readonly organizationId: OrganizationId
  readonly userId: UserId
}

/** Imports a folder into a new space and returns it with what the import found. */
export async function importFolder(
  services: Services,
  { organizationId, userId }: Owner,
  { folder, title, now }: { readonly folder: string; readonly title: string; readonly now: number },
): Promise<Imported & { readonly spaceId: SpaceId }> {
  let spaceId: SpaceId | undefined
  const target = intoNewSpace(organizationId, { title }, { userId, now }, (id) => {
    spaceId = id
  })
  const imported = await importTree({ services, target, entries: readFolder(folder), now })
  return { ...imported, spaceId: spaceId! }
}

/** Makes a public site that shows the space, publishes it and returns its address. */
export async function publishSpace(
  services: Services,
  { organizationId, userId }: Owner,
  { spaceId, title, now }: { readonly spaceId: SpaceId; readonly title: string; readonly now: number },
): Promise<string> {
  const [site, hostname] = await services.database.write(async (tx) => {
    // Whoever works on the data itself acts as an admin.
    const reader = { userId, organizationId, role: 'admin' } as const
    const row = await createSite(tx, { title, spaces: [spaceId] }, { organizationId, reader, now, services })
    const created = await findSite(tx, organizationId, row.id)
    await publishSite(tx, created!, now)
    const organization = await tx
      .selectFrom('organizations')
      .select('hostname')
      .where('id', '=', organizationId)
      .executeTakeFirstOrThrow()
    return [row, organization.hostname]
  })
  return services.addresses.site(hostname, site.basename)
}

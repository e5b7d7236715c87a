/** The directory: which organization an id in a path belongs to. An id of nothing belongs to none. */
import type { CollectionId, OrganizationId, SpaceId } from '../../core/ids.js'
import type { Db } from './database.js'

/** Path parameters by which a place begins. */
export const beginnings = ['organizationId', 'spaceId', 'collectionId'] as const

/** Returns the organization of the place; undefined when its id names nothing. */
export async function findOrganizationOfPlace(
  db: Db,
  { organizationId, spaceId, collectionId }: Readonly<Record<string, string | undefined>>,
): Promise<OrganizationId | undefined> {
  if (organizationId !== undefined) return organizationId as OrganizationId
  const row =
    spaceId !== undefined
      ? await db
          .selectFrom('spaces')
          .select('organization_id')
          .where('id', '=', spaceId as SpaceId)
          .executeTakeFirst()
      : await db
          .selectFrom('collections')
          .select('organization_id')
          .where('id', '=', collectionId as CollectionId)
          .executeTakeFirst()
  return row?.organization_id
}

/**
 * The shared order of spaces and collections of one parent: reads siblings and writes positions.
 *
 * Concerns both resources, so it is below both. Does not know what may be moved where.
 */
import type { CollectionId, OrganizationId, SpaceId } from '../../core/ids.js'
import type { Position } from '../../core/order/position.js'
import type { Db, Tx } from './database.js'
import type { Siblings } from './sibling-order.js'

export interface ContentParent {
  readonly organizationId: OrganizationId
  /** Null outside of collections. */
  readonly parentId: CollectionId | null
}

/** Returns the spaces and collections of a parent, without `except`; includes spaces in the trash, which keep their positions. */
export function contentSiblings(
  db: Db,
  { organizationId, parentId }: ContentParent,
  except: string = '',
): Siblings {
  const collections = db
    .selectFrom('collections')
    .select(['id', 'position'])
    .where('organization_id', '=', organizationId)
    .where('parent_id', parentId === null ? 'is' : '=', parentId)
    .where('id', '!=', except as CollectionId)
  const spaces = db
    .selectFrom('spaces')
    .select(['id', 'position'])
    .where('organization_id', '=', organizationId)
    .where('collection_id', parentId === null ? 'is' : '=', parentId)
    .where('id', '!=', except as SpaceId)
  return [
    { rows: collections, within: ['organization_id', 'parent_id'] },
    { rows: spaces, within: ['organization_id', 'collection_id'] },
  ]
}

/** Writes the position of the space or collection with this id. */
export async function setContentPosition(
  tx: Tx,
  organizationId: OrganizationId,
  id: string,
  position: Position,
): Promise<void> {
  for (const table of ['collections', 'spaces'] as const) {
    await tx
      .updateTable(table)
      .set({ position })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id as never)
      .execute()
  }
}

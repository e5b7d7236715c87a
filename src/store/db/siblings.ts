/**
 * Spaces and collections of one parent stand in one order: their siblings, and the writing of their positions.
 *
 * Neither noun can say this alone, so it stands below both. What may be moved where is not known here.
 */
import type { CollectionId, OrganizationId, SpaceId } from '../../core/ids.js'
import type { Position } from '../../core/order/position.js'
import type { Db, Tx } from './database.js'
import type { Siblings } from './order.js'

export interface ContentParent {
  readonly organizationId: OrganizationId
  /** Null for what stands in no collection. */
  readonly parentId: CollectionId | null
}

/** Returns the spaces and collections of a parent, one of them left out; spaces in the trash keep their places. */
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

/** Writes the position of whichever of both has this id in the organization. */
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

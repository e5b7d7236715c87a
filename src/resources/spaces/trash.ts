/**
 * The trash: a deleted space can be restored for seven days. In the trash it is known to those who could restore
 * it; a space whose collection is deleted with it keeps the default level that it had from there.
 */
import type { CollectionId } from '../../core/ids.js'
import { type By, recordEvent } from '../../access/events/record.js'
import { removeGrantsOn } from '../../access/rules/grants.js'
import { ApiError } from '../../contract/errors.js'
import type { Tx } from '../../store/db/database.js'
import { placeLast } from '../../store/db/order.js'
import { contentSiblings } from '../../store/db/siblings.js'
import { type CollectionRow, deleteCollections, listSubtree } from '../collections/store.js'
import type { CollectionHere } from '../collections/scope.js'
import { removeLater, trashLife } from './remove.js'
import { type SpaceRow, listSpacesOf, updateSpace } from './store.js'

/** Puts a space into the trash; false when it is there already. */
export async function deleteSpace(tx: Tx, row: SpaceRow, by: By): Promise<boolean> {
  if (row.deleted_at !== null) return false
  await updateSpace(tx, row, { deleted_at: by.now })
  await announceDeleted(tx, row, by)
  return true
}

/** Has a space that came into the trash removed when its time there is over, and tells of it. */
async function announceDeleted(tx: Tx, row: SpaceRow, by: By): Promise<void> {
  const { organization_id: organizationId, id: spaceId } = row
  await removeLater(tx, { organizationId, spaceId, now: by.now })
  await recordEvent(tx, { organizationId, stream: { spaceId }, type: 'space_deleted', ...by })
}

/** Takes a space out of the trash; throws 404 when its time is over and 409 when it is not there. */
export async function restoreSpace(tx: Tx, row: SpaceRow, by: By): Promise<void> {
  const { now } = by
  if (row.deleted_at === null) throw new ApiError('space_not_deleted')
  if (row.deleted_at <= now - trashLife) throw new ApiError('not_found', { thing: 'space' })
  await updateSpace(tx, row, { deleted_at: null, updated_at: now })
  const { organization_id: organizationId, id: spaceId } = row
  await recordEvent(tx, { organizationId, stream: { spaceId }, type: 'space_restored', ...by })
}

/** Deletes a collection with those inside it for good, and puts their spaces into the trash. */
export async function deleteCollection(tx: Tx, collection: CollectionHere, by: By): Promise<void> {
  const { row, steps } = collection
  const subtree = await listSubtree(tx, row)
  const outer = steps.slice(1).find(({ defaultLevel }) => defaultLevel !== 'inherit')?.defaultLevel
  const inherited = levelsBelow(subtree, outer === undefined ? 'inherit' : outer)
  const ids = subtree.map(({ id }) => id)
  const { organization_id: organizationId } = row
  const spaces = await listSpacesOf(tx, organizationId, ids)
  const position = await placeLast(contentSiblings(tx, { organizationId, parentId: null }))
  for (const space of spaces) {
    await updateSpace(tx, space, {
      collection_id: null,
      position,
      deleted_at: space.deleted_at ?? by.now,
      // Otherwise a space that its collection hid would be seen by everybody once restored.
      ...(space.default_level === 'inherit' && { default_level: inherited.get(space.collection_id!)! }),
    })
    if (space.deleted_at === null) await announceDeleted(tx, space, by)
  }
  await removeGrantsOn(tx, organizationId, ids)
  await deleteCollections(tx, subtree)
}

/** The default level that a space inherits from each collection; those around come first. */
function levelsBelow(
  subtree: readonly CollectionRow[],
  outer: string | null,
): Map<CollectionId, string | null> {
  const levels = new Map<CollectionId, string | null>()
  for (const { id, parent_id: parent, default_level: level } of subtree) {
    const above = parent !== null && levels.has(parent) ? (levels.get(parent) ?? null) : outer
    levels.set(id, level === 'inherit' ? above : level)
  }
  return levels
}

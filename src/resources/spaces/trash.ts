/**
 * Trash: a deleted space can be restored for seven days and is visible only to users who could restore it; a space
 * whose collection is deleted with it keeps the default level that it inherited.
 */
import type { CollectionId } from '../../core/ids.js'
import { type EventActor, recordEvent } from '../../access/events/record.js'
import { removeGrantsOn } from '../../access/rules/grants.js'
import { loadLevels } from '../../access/rules/level-facts.js'
import { type Reader, reaches, spaceActions } from '../../access/rules/levels.js'
import { ApiError } from '../../contract/errors.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type ListPage, type PageRequest, pageOfItems } from '../../store/db/page.js'
import { lastPosition } from '../../store/db/sibling-order.js'
import { contentSiblings } from '../../store/db/content-siblings.js'
import { type CollectionRow, deleteCollections, listSubtree } from '../collections/store.js'
import type { CollectionContext } from '../collections/scope.js'
import { scheduleRemoval, trashRetention } from './remove-expired.js'
import { type SpaceRow, listDeletedSpaces, listSpacesInCollections, updateSpace } from './store.js'

/** Moves a space to the trash; false when it is there already. */
export async function deleteSpace(tx: Tx, row: SpaceRow, by: EventActor): Promise<boolean> {
  if (row.deleted_at !== null) return false
  await updateSpace(tx, row, { deleted_at: by.now })
  await recordDeletion(tx, row, by)
  return true
}

/** Schedules the removal of a deleted space and records the event. */
async function recordDeletion(tx: Tx, row: SpaceRow, by: EventActor): Promise<void> {
  const { organization_id: organizationId, id: spaceId } = row
  await scheduleRemoval(tx, { organizationId, spaceId, now: by.now })
  await recordEvent(tx, { organizationId, stream: { spaceId }, type: 'space_deleted', ...by })
}

/** Restores a space; throws 404 when it has expired and 409 when it is not deleted. */
export async function restoreSpace(tx: Tx, row: SpaceRow, by: EventActor): Promise<void> {
  const { now } = by
  requireInTrash(row, now)
  await updateSpace(tx, row, { deleted_at: null, updated_at: now })
  const { organization_id: organizationId, id: spaceId } = row
  await recordEvent(tx, { organizationId, stream: { spaceId }, type: 'space_restored', ...by })
}

/**
 * Deletes a space permanently; throws 404 when it has expired and 409 when it is not deleted. It expires now, so that it
 * cannot be restored any more, and the job removes it.
 */
export async function purgeSpace(tx: Tx, row: SpaceRow, now: number): Promise<void> {
  requireInTrash(row, now)
  await updateSpace(tx, row, { deleted_at: now - trashRetention })
  const { organization_id: organizationId, id: spaceId } = row
  await scheduleRemoval(tx, { organizationId, spaceId, now, runAt: now })
}

function requireInTrash({ deleted_at: deletedAt }: SpaceRow, now: number): void {
  if (deletedAt === null) throw new ApiError('space_not_deleted')
  if (deletedAt <= now - trashRetention) throw new ApiError('not_found', { thing: 'space' })
}

/** Lists the spaces in the trash that the reader may restore, last deleted first. Costs what the trash holds. */
export async function listTrash(
  db: Db,
  reader: Reader,
  list: PageRequest,
  now: number,
): Promise<ListPage<SpaceRow>> {
  const deleted = await listDeletedSpaces(db, reader, now - trashRetention)
  const restorable: SpaceRow[] = []
  for (let at = 0; at < deleted.length; at += levelsPerQuery) {
    const rows = deleted.slice(at, at + levelsPerQuery)
    const levels = await loadLevels(
      db,
      reader,
      'space',
      rows.map(({ id }) => id),
    )
    restorable.push(...rows.filter(({ id }) => reaches(levels.get(id), spaceActions.administer)))
  }
  return pageOfItems(restorable, keyInTrash, list)
}

const levelsPerQuery = 500

/** Sorts the last deleted first. */
const keyInTrash = ({ deleted_at: deletedAt, id }: SpaceRow): readonly string[] => [
  String(Number.MAX_SAFE_INTEGER - deletedAt!),
  id,
]

/** Deletes a collection and those inside it permanently, and moves their spaces to the trash. */
export async function deleteCollection(tx: Tx, collection: CollectionContext, by: EventActor): Promise<void> {
  const { row, steps } = collection
  const subtree = await listSubtree(tx, row)
  const outer = steps.slice(1).find(({ defaultLevel }) => defaultLevel !== 'inherit')?.defaultLevel
  const inherited = inheritedLevels(subtree, outer === undefined ? 'inherit' : outer)
  const ids = subtree.map(({ id }) => id)
  const { organization_id: organizationId } = row
  const spaces = await listSpacesInCollections(tx, organizationId, ids)
  const position = await lastPosition(contentSiblings(tx, { organizationId, parentId: null }))
  for (const space of spaces) {
    await updateSpace(tx, space, {
      collection_id: null,
      position,
      deleted_at: space.deleted_at ?? by.now,
      // Otherwise a space that its collection hid would be visible to everyone once restored.
      ...(space.default_level === 'inherit' && { default_level: inherited.get(space.collection_id!)! }),
    })
    if (space.deleted_at === null) await recordDeletion(tx, space, by)
  }
  await removeGrantsOn(tx, organizationId, ids)
  await deleteCollections(tx, subtree)
}

/** Returns the default level that spaces inherit from each collection; `subtree` lists parents first. */
function inheritedLevels(
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

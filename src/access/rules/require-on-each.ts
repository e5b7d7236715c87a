/**
 * Authorization of bulk operations: an operation on several resources needs the role on each of them.
 *
 * An operation that affects more than the resource in its path passes the list and the needed roles. Resources that are
 * hidden from the actor are refused with the same message as those on which the role is too weak, and neither is named.
 */
import type { CollectionId, SpaceId } from '../../core/ids.js'
import type { Role } from '../../contract/shapes.js'
import { ApiError } from '../../contract/errors.js'
import type { Db } from '../../store/db/database.js'
import { type ContentKind, loadLevels } from './level-facts.js'
import { type Reader, reaches } from './levels.js'

/** A space or collection, and the role that the operation needs on it. */
export interface RoleRequirement {
  readonly kind: ContentKind
  readonly id: SpaceId | CollectionId
  readonly needs: Role
}

/** Few enough for one query on both engines. */
const batchSize = 1000

/** Throws 403 unless the reader has the needed role on each of them; `action` completes "You may not …". */
export async function requireOnEach(
  db: Db,
  reader: Reader,
  action: string,
  parts: readonly RoleRequirement[],
): Promise<void> {
  for (const kind of ['collection', 'space'] as const) {
    const ofKind = parts.filter((part) => part.kind === kind)
    for (let at = 0; at < ofKind.length; at += batchSize) {
      const some = ofKind.slice(at, at + batchSize)
      const ids = some.map(({ id }) => id)
      const levels = await loadLevels(db, reader, kind, ids)
      const refused = some.find(({ id, needs }) => !reaches(levels.get(id), needs))
      if (refused !== undefined) throw refusedOnEach(action, refused.needs)
    }
  }
}

/** Returns the 403 for a missing role on some of the affected resources. */
export function refusedOnEach(action: string, role: Role): ApiError {
  return new ApiError('forbidden_on_each', { action, role })
}

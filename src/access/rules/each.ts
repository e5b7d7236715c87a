/**
 * What acts on several things is judged on each of them: whoever may act on one may not reach the others through it.
 *
 * A verb that reaches more than the thing in its path hands over the list and the role that it takes there. Things
 * that are hidden from somebody are refused with the same sentence as those on which they have too little, and
 * neither is named.
 */
import type { CollectionId, SpaceId } from '../../core/ids.js'
import type { Role } from '../../contract/shapes.js'
import { ApiError } from '../../contract/errors.js'
import type { Db } from '../../store/db/database.js'
import { type ContentKind, loadLevels } from './facts.js'
import { type Reader, reaches } from './levels.js'

/** A space or collection that is acted on, and the role which that takes. */
export interface Part {
  readonly kind: ContentKind
  readonly id: SpaceId | CollectionId
  readonly needs: Role
}

/** Few enough for one query on both engines. */
const atOnce = 1000

/** Throws 403 unless this person has the needed role on every part; `action` completes "You may not …". */
export async function requireOnEach(
  db: Db,
  reader: Reader,
  action: string,
  parts: readonly Part[],
): Promise<void> {
  for (const kind of ['collection', 'space'] as const) {
    const ofKind = parts.filter((part) => part.kind === kind)
    for (let at = 0; at < ofKind.length; at += atOnce) {
      const some = ofKind.slice(at, at + atOnce)
      const ids = some.map(({ id }) => id)
      const levels = await loadLevels(db, reader, kind, ids)
      const refused = some.find(({ id, needs }) => !reaches(levels.get(id), needs))
      if (refused !== undefined) throw refusedOnEach(action, refused.needs)
    }
  }
}

/** The refusal for want of the role on some of the things that are reached. */
export function refusedOnEach(action: string, role: Role): ApiError {
  return new ApiError('forbidden_on_each', { action, role })
}

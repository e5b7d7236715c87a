/**
 * The directory as it is kept. An id means one organization until its thing is given away, which concerns everybody;
 * of what is removed the entry may stay, since nothing is found by it. So no other commit lets an entry fall.
 */
import type { OrganizationId } from '../../core/ids.js'
import { findInDirectory } from '../db/directory.js'
import type { Caches, Look } from './caches.js'
import { rowKind } from './kinds.js'

const directoryKind = rowKind<OrganizationId>(
  'directory',
  () => [],
  () => 100,
)

/** Returns the organization of what has the id, or of the site at a host, at the look; undefined when nothing has. */
export function recallOrganization(
  caches: Caches,
  look: Look,
  id: string,
): Promise<OrganizationId | undefined> {
  return caches.recall(look, directoryKind, id, (db) => findInDirectory(db, id))
}

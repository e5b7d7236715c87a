/**
 * Cache of the directory. An id belongs to one organization until its resource is transferred, which invalidates all
 * caches; the entry of a removed resource may stay, since nothing is found by it. So entries have no cache tags.
 */
import type { OrganizationId } from '../../core/ids.js'
import { findInDirectory } from '../db/directory.js'
import type { Caches, ReadContext } from './caches.js'
import { rowCacheKind } from './kinds.js'

const directoryKind = rowCacheKind<OrganizationId>(
  'directory',
  () => [],
  () => 100,
)

/** Returns the organization of the resource with the id, or of the site at a host; undefined when there is none. */
export function readOrganizationOf(
  caches: Caches,
  context: ReadContext,
  id: string,
): Promise<OrganizationId | undefined> {
  return caches.readThrough(context, directoryKind, id, (db) => findInDirectory(db, id))
}

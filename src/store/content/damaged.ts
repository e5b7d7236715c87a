/**
 * Content that is not what its name says: a byte on the disk changed, or an object is gone.
 *
 * Objects are named by what they are, so whoever reads one can tell. Only what is named by a damaged object fails;
 * everything else is read as ever.
 */
import type { Hash, OrganizationId } from '../../core/ids.js'
import { hashOf } from './encoding.js'

export class ContentDamaged extends Error {
  constructor(
    readonly organizationId: OrganizationId,
    readonly object: string,
    problem: string,
  ) {
    super(`The object ${object} of organization ${organizationId} ${problem}: see "octavo doctor"`)
  }
}

/** Throws when the bytes are not those that the hash names. */
export function requireWhole(organizationId: OrganizationId, hash: Hash, bytes: Uint8Array): void {
  if (hashOf(bytes) !== hash) throw new ContentDamaged(organizationId, hash, 'is not what its name says')
}

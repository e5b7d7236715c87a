/**
 * Integrity of content-addressed objects: a byte on the disk changed, or an object is missing.
 *
 * Objects are named by their hash, so every reader can verify them. Only reads of the damaged object fail.
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

/** Throws when the bytes do not have the hash. */
export function verifyHash(organizationId: OrganizationId, hash: Hash, bytes: Uint8Array): void {
  if (hashOf(bytes) !== hash) throw new ContentDamaged(organizationId, hash, 'is not what its name says')
}

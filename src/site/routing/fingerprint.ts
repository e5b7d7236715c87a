/** Content hashes, as fingerprints of what a site shows. */
import { createHash } from 'node:crypto'

/** Returns the SHA-256 of a text, base64url. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

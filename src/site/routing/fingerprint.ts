/** Names of what a site shows. */
import { createHash } from 'node:crypto'

/** Returns a name that no other text has. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** Non-cryptographic digest of a text: tells apart values of one document or merge, and resists no attacker. */

/** Returns 64 bits of two multiplicative hashes, as 16 hexadecimal digits. */
export function digest(text: string): string {
  let [high, low] = [0x811c9dc5, 0xc2b2ae35]
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    high = Math.imul(high ^ unit, 0x01000193)
    low = Math.imul(low ^ unit, 0x85ebca6b) ^ (low >>> 13)
  }
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}

/** Replacer for `JSON.stringify` that sorts the members of objects, so that equal values give equal texts. */
export function sortMembers(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * Open-addressing hash set without deletion: 16 bytes per hash, where a set of strings takes a hundred.
 *
 * Compares the first 128 bits: of a trillion objects, no two share them by chance.
 */
import type { Hash } from '../../core/ids.js'

export interface HashSet {
  /** Returns false when the set contained it already. */
  add(hash: Hash): boolean
  has(hash: Hash): boolean
  size(): number
}

const wordsPerHash = 4

export function createHashSet(capacity = 1024): HashSet {
  let slots = capacity
  let words = new Uint32Array(slots * wordsPerHash)
  let size = 0

  /** The slot of a hash, or the free one where it belongs. Free slots are zeros; no hash is all zeros. */
  function slotOf(table: Uint32Array, hash: Uint32Array): number {
    const count = table.length / wordsPerHash
    for (let at = hash[0]! % count; ; at = (at + 1) % count) {
      const start = at * wordsPerHash
      const isFree = (table[start]! | table[start + 1]! | table[start + 2]! | table[start + 3]!) === 0
      if (isFree || hash.every((word, index) => table[start + index] === word)) return start
    }
  }

  function grow(): void {
    const larger = new Uint32Array(words.length * 2)
    for (let start = 0; start < words.length; start += wordsPerHash) {
      const hash = words.subarray(start, start + wordsPerHash)
      if (hash.some((word) => word !== 0)) larger.set(hash, slotOf(larger, hash))
    }
    words = larger
    slots *= 2
  }

  return {
    add(hash) {
      const wanted = wordsOf(hash)
      const start = slotOf(words, wanted)
      if (words.subarray(start, start + wordsPerHash).some((word) => word !== 0)) return false
      words.set(wanted, start)
      size += 1
      if (size * 2 > slots) grow()
      return true
    },
    has: (hash) => {
      const start = slotOf(words, wordsOf(hash))
      return words.subarray(start, start + wordsPerHash).some((word) => word !== 0)
    },
    size: () => size,
  }
}

function wordsOf(hash: Hash): Uint32Array {
  // Copied, because the decoded bytes may not be aligned.
  return new Uint32Array(new Uint8Array(Buffer.from(hash, 'base64url')).buffer, 0, wordsPerHash)
}

/**
 * A set of hashes that only grows: 16 bytes for each, where a set of texts takes a hundred.
 *
 * The first 128 bits stand for the whole: of a trillion objects, no two share them by chance.
 */
import type { Hash } from '../../core/ids.js'

export interface HashSet {
  /** Answers false when it was there already. */
  add(hash: Hash): boolean
  has(hash: Hash): boolean
  size(): number
}

const wordsPerHash = 4

export function createHashSet(capacity = 1024): HashSet {
  let slots = capacity
  let words = new Uint32Array(slots * wordsPerHash)
  let size = 0

  /** The place of a hash, or the free one where it belongs. Zeros stand for a free place; no hash is all zeros. */
  function placeOf(table: Uint32Array, hash: Uint32Array): number {
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
      if (hash.some((word) => word !== 0)) larger.set(hash, placeOf(larger, hash))
    }
    words = larger
    slots *= 2
  }

  return {
    add(hash) {
      const wanted = wordsOf(hash)
      const start = placeOf(words, wanted)
      if (words.subarray(start, start + wordsPerHash).some((word) => word !== 0)) return false
      words.set(wanted, start)
      size += 1
      if (size * 2 > slots) grow()
      return true
    },
    has: (hash) => {
      const start = placeOf(words, wordsOf(hash))
      return words.subarray(start, start + wordsPerHash).some((word) => word !== 0)
    },
    size: () => size,
  }
}

function wordsOf(hash: Hash): Uint32Array {
  // Copied, because what the decoder gives need not begin where words do.
  return new Uint32Array(new Uint8Array(Buffer.from(hash, 'base64url')).buffer, 0, wordsPerHash)
}

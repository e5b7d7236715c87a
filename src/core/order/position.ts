/**
 * Fractional indexing: sibling positions as short strings that sort byte by byte, so that a move writes one row.
 *
 * The only file that uses the library. Appending and prepending grow a position by the logarithm of the count; only
 * repeated inserts into the same gap make one long, and then the siblings need `spread`. Ties (two writers chose the
 * same gap) are broken by id, by the caller.
 */
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'

declare const brand: unique symbol

/** Base-62 text; compare with `<`, or byte-wise collation in a database. */
export type Position = string & { readonly [brand]: 'position' }

/** A longer position (about 280 inserts into one gap) means that the siblings need `spread`. */
export const maxPositionLength = 48

/**
 * Returns a position strictly between two siblings; null is the open end on that side.
 * Throws a RangeError unless `before < after`: equal positions need `spread` first.
 */
export function between(before: string | null, after: string | null): Position {
  if (before !== null && after !== null && before >= after) {
    throw new RangeError(`No position lies between ${before} and ${after}`)
  }
  return generateKeyBetween(before, after) as Position
}

/** Returns `count` positions strictly between two siblings, ascending and as short as possible. */
export function spreadBetween(before: string | null, after: string | null, count: number): Position[] {
  if (before !== null && after !== null && before >= after) {
    throw new RangeError(`No position lies between ${before} and ${after}`)
  }
  return generateNKeysBetween(before, after, count) as Position[]
}

/** Returns `count` ascending positions for siblings that are positioned together. */
export function spread(count: number): Position[] {
  return spreadBetween(null, null, count)
}

/**
 * Positions between siblings: short strings that sort byte by byte, so that a move writes one row.
 *
 * The only file that knows the library behind them. Appending and prepending grow a position by the
 * logarithm of the count; only inserting into the same gap again and again makes one long, and then
 * the siblings want `spread`. Ties (two writers chose the same gap) are broken by id, outside.
 */
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'

declare const brand: unique symbol

/** Base-62 text; compare with `<`, or byte-wise collation in a database. */
export type Position = string & { readonly [brand]: 'position' }

/** A position longer than this (about 280 inserts into one gap) asks for `spread` over the siblings. */
export const longestPosition = 48

/**
 * Answers a position strictly between two siblings; null stands for the open end on that side.
 * Throws a RangeError unless `before < after`: between equal positions there is no room, `spread` first.
 */
export function between(before: string | null, after: string | null): Position {
  if (before !== null && after !== null && before >= after) {
    throw new RangeError(`No position lies between ${before} and ${after}`)
  }
  return generateKeyBetween(before, after) as Position
}

/** Answers `count` positions strictly between two siblings, ascending and as short as they can be. */
export function spreadBetween(before: string | null, after: string | null, count: number): Position[] {
  if (before !== null && after !== null && before >= after) {
    throw new RangeError(`No position lies between ${before} and ${after}`)
  }
  return generateNKeysBetween(before, after, count) as Position[]
}

/** Answers `count` ascending positions for siblings that are placed all at once. */
export function spread(count: number): Position[] {
  return spreadBetween(null, null, count)
}

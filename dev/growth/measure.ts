/**
 * Complexity measurement: whether a parser takes more than thrice the work for twice the size. Native code and regular
 * expressions cannot count their steps, so the work is processor time: never wall time, the minimum of several rounds,
 * and a fault only when it repeats.
 */
import type { TextKind } from './growing-texts.js'

export interface Scale {
  /** Characters of the smaller text; the larger is four times as long: the square of it takes 16 times as long. */
  readonly size: number
  /** Milliseconds below which nothing is concluded: most of them are garbage collection of earlier work. */
  readonly floor: number
}

/** For the tests, and for the long run, which detects smaller quadratic terms. */
export const scales = { short: { size: 3000, floor: 8 }, long: { size: 10_000, floor: 12 } }

const factor = 4
/** Thrice for twice is nine times for four times. */
const allowed = 9
const confirmations = 4

export interface GrowthFinding {
  readonly kind: string
  readonly reader: string
  /** Milliseconds of processor time. */
  readonly small: number
  readonly large: number
}

/**
 * Returns the growth of the parser on the kind when it is too fast; undefined when it is not. A fast growth is measured
 * again at four times the size: quadratic time continues to grow, a pause of the garbage collector does not.
 */
export function findGrowth(
  kind: TextKind,
  reader: readonly [string, (text: string) => void],
  { size, floor }: Scale,
): GrowthFinding | undefined {
  const suspect = compare(kind, reader, { size, floor })
  return suspect && compare(kind, reader, { size: size * factor, floor })
}

function compare(
  kind: TextKind,
  [reader, read]: readonly [string, (text: string) => void],
  { size, floor }: Scale,
): GrowthFinding | undefined {
  const longText = kind.text(size * factor)
  let large = costOf(read, longText)
  if (large < floor) return undefined
  const shortText = kind.text(size)
  let small = Infinity
  for (let round = 0; round < confirmations; round++) {
    small = Math.min(small, costOf(read, shortText))
    large = Math.min(large, costOf(read, longText))
    if (large <= small * allowed + floor) return undefined
  }
  return { kind: kind.name, reader, small, large }
}

function costOf(read: (text: string) => void, text: string): number {
  const before = process.cpuUsage()
  read(text)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

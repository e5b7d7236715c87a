/**
 * Whether a reader takes more than thrice the work for twice the size. Native code and patterns cannot count their
 * steps, so the work is processor time: never the clock, the least of several rounds, and believed only when seen
 * again and again.
 */
import type { Kind } from './growing-texts.js'

export interface Scale {
  /** Characters of the smaller text; the larger is four times as long: the square of it takes 16 times as long. */
  readonly size: number
  /** Milliseconds that say nothing: most of them are the garbage of what ran before. */
  readonly floor: number
}

/** For the tests, and for the long program, which sees smaller squares. */
export const scales = { short: { size: 3000, floor: 8 }, long: { size: 10_000, floor: 12 } }

const factor = 4
/** Thrice for twice is nine times for four times. */
const allowed = 9
const confirmations = 4

export interface Finding {
  readonly kind: string
  readonly reader: string
  /** Milliseconds of processor time. */
  readonly small: number
  readonly large: number
}

/**
 * Returns how the reader grows with the kind when that is too fast; undefined when it is not. What grows too fast is
 * asked again at four times the size: a square goes on growing, a pause of the collector does not.
 */
export function judge(
  kind: Kind,
  reader: readonly [string, (text: string) => void],
  { size, floor }: Scale,
): Finding | undefined {
  const suspect = compare(kind, reader, { size, floor })
  return suspect && compare(kind, reader, { size: size * factor, floor })
}

function compare(
  kind: Kind,
  [reader, read]: readonly [string, (text: string) => void],
  { size, floor }: Scale,
): Finding | undefined {
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

/**
 * Three versions of one block that has no blocks inside, merged by lines and, in prose, by words.
 *
 * Either everything fits together or the whole block is a conflict: half a merged paragraph would be a
 * sentence that nobody wrote. So changes on the two sides must be parted by something that both kept (a
 * line; in prose a word), and a side that rewrote most of a line is not mixed with another's words.
 */
import { internTexts, matchSequences } from './lcs.js'

/**
 * What is one word to a merge: destinations of links, tags, code spans and URLs are whole, and so are numbers
 * with what joins their digits, as half of two addresses, dates or versions is one that nobody wrote. Then single
 * Han characters, words, and everything else piece by piece.
 */
const proseTokens =
  // linear: a token whose end does not come ends there, and the next of its kind finds no end by looking further.
  /\]\((?!<)[^\s()]*(?:\([^\s()]*\)[^\s()]*)*|\]:[ \t]*(?!<)[^\s\]]*|<[^<>]*>|``(?:[^`]|`(?!`))*``|`[^`]*`|[a-z][a-z0-9+.-]{0,30}:\/\/[^\s<>"'`()|]*|\p{Script=Han}|[^\S\n]+|[\p{L}\p{N}_]+(?:[./:,-]{1,2}\p{N}[\p{L}\p{N}_]*)*|[^]/giu
const word = /[\p{L}\p{N}_]/u
/** Share of the base's words that both sides must have kept for a merge by words. */
const kept = 0.5

/** Longest region that is merged by words, in characters. */
const proseLimit = 50_000
/** Most lines that are compared, after those that all three share at the start and at the end. */
const lineLimit = 100_000

/** The merged text; undefined when the two changes touch. */
export function mergeLeaf(base: string, ours: string, theirs: string, prose: boolean): string | undefined {
  if (ours === theirs || theirs === base) return ours
  if (ours === base) return theirs
  const [start, end] = sharedLines(base, ours, theirs)
  const middles = [base, ours, theirs].map((text) => text.slice(start, text.length - end))
  if (countLines(middles.join('')) > lineLimit) return undefined
  const [inBase, inOurs, inTheirs] = middles.map(splitLines) as [string[], string[], string[]]
  const middle = mergeTokens(inBase, inOurs, inTheirs, {
    parts: () => true,
    settle: prose ? mergeProse : () => undefined,
  })
  return middle === undefined ? undefined : base.slice(0, start) + middle + base.slice(base.length - end)
}

/** The number of line endings. */
export function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** Characters in whole lines that all three share at the start, and at the end. */
function sharedLines(base: string, ours: string, theirs: string): [number, number] {
  const shortest = Math.min(base.length, ours.length, theirs.length)
  let start = 0
  while (start < shortest && base[start] === ours[start] && base[start] === theirs[start]) start++
  start = base.lastIndexOf('\n', start - 1) + 1
  let end = 0
  const last = (text: string) => text[text.length - 1 - end]
  while (end < shortest - start && last(base) === last(ours) && last(base) === last(theirs)) end++
  const firstBreak = base.indexOf('\n', base.length - end)
  return [start, firstBreak < 0 ? 0 : base.length - firstBreak - 1]
}

function mergeProse(base: string, ours: string, theirs: string): string | undefined {
  if (Math.max(base.length, ours.length, theirs.length) > proseLimit) return undefined
  const [inBase, inOurs, inTheirs] = [tokensOf(base), tokensOf(ours), tokensOf(theirs)]
  const sides: Sides = { parts: (token) => word.test(token), settle: () => undefined, kept }
  return mergeTokens(inBase, inOurs, inTheirs, sides)
}

function tokensOf(text: string): readonly string[] {
  return text.match(proseTokens) ?? []
}

function splitLines(text: string): string[] {
  return text.split(/(?<=\n)/)
}

interface Sides {
  /** Whether a token that both sides kept is enough to part two changes. */
  readonly parts: (token: string) => boolean
  /** What a region becomes that both sides changed differently; undefined for a conflict. */
  readonly settle: (base: string, ours: string, theirs: string) => string | undefined
  /** Least share of the base's parting tokens that each side must have kept. */
  readonly kept?: number
}

function mergeTokens(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
  { parts, settle, kept = 0 }: Sides,
): string | undefined {
  const [b, o, t] = internTexts(base, ours, theirs)
  const toOurs = matchSequences(b!, o!)
  const toTheirs = matchSequences(b!, t!)
  if (kept > 0) {
    const parting = base.flatMap((token, index) => (parts(token) ? [index] : []))
    const share = (partner: Int32Array) => parting.filter((index) => partner[index]! >= 0).length
    if (Math.min(share(toOurs), share(toTheirs)) < parting.length * kept) return undefined
  }
  let merged = ''
  let [b0, o0, t0] = [0, 0, 0]
  const region = (b1: number, o1: number, t1: number): boolean => {
    const before = base.slice(b0, b1).join('')
    const left = ours.slice(o0, o1).join('')
    const right = theirs.slice(t0, t1).join('')
    const settled =
      left === right || right === before ? left : left === before ? right : settle(before, left, right)
    merged += settled ?? ''
    ;[b0, o0, t0] = [b1, o1, t1]
    return settled !== undefined
  }
  for (let i = 0; i < base.length; i++) {
    const [inOurs, inTheirs] = [toOurs[i]!, toTheirs[i]!]
    if (inOurs < 0 || inTheirs < 0 || !parts(base[i]!)) continue
    if (!region(i, inOurs, inTheirs)) return undefined
    merged += base[i]
    ;[b0, o0, t0] = [i + 1, inOurs + 1, inTheirs + 1]
  }
  return region(base.length, ours.length, theirs.length) ? merged : undefined
}

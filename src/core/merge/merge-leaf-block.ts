/**
 * Three-way merge of one block without nested blocks: by lines and, in prose, by words.
 *
 * Either everything merges or the whole block is a conflict: half a merged paragraph would be a sentence that no
 * author wrote. So changes of the two sides must be separated by something unchanged (a line; in prose a word), and
 * a side that rewrote most of a line is not mixed with the other's words.
 */
import { internTexts, matchSequences } from './lcs.js'

/**
 * Tokens of prose: link destinations, tags, code spans and URLs are whole, and so are numbers with what joins their
 * digits, as half of two addresses, dates or versions is one that no author wrote. Then single Han characters,
 * words, and everything else character by character.
 */
const proseTokens =
  // linear: a token whose end does not come ends there, and the next of its kind finds no end by looking further.
  /\]\((?!<)[^\s()]*(?:\([^\s()]*\)[^\s()]*)*|\]:[ \t]*(?!<)[^\s\]]*|<[^<>]*>|``(?:[^`]|`(?!`))*``|`[^`]*`|[a-z][a-z0-9+.-]{0,30}:\/\/[^\s<>"'`()|]*|\p{Script=Han}|[^\S\n]+|[\p{L}\p{N}_]+(?:[./:,-]{1,2}\p{N}[\p{L}\p{N}_]*)*|[^]/giu
const wordPattern = /[\p{L}\p{N}_]/u
/** Share of the base's words that both sides must have left unchanged for a merge by words. */
const minCommonShare = 0.5

/** Longest region that is merged by words, in characters. */
const proseLimit = 50_000
/** Most lines that are compared, besides the common prefix and suffix. */
const lineLimit = 100_000

/** Returns the merged text; undefined when the two changes touch. */
export function mergeLeaf(base: string, ours: string, theirs: string, prose: boolean): string | undefined {
  if (ours === theirs || theirs === base) return ours
  if (ours === base) return theirs
  const [start, end] = sharedLines(base, ours, theirs)
  const middles = [base, ours, theirs].map((text) => text.slice(start, text.length - end))
  if (countLines(middles.join('')) > lineLimit) return undefined
  const [baseTokens, oursTokens, inTheirs] = middles.map(splitLines) as [string[], string[], string[]]
  const middle = mergeTokens(baseTokens, oursTokens, inTheirs, {
    isSeparator: () => true,
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

/** Lengths, in characters, of the common prefix and suffix of whole lines. */
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
  const [baseTokens, oursTokens, inTheirs] = [tokensOf(base), tokensOf(ours), tokensOf(theirs)]
  const sides: TokenMergeRules = {
    isSeparator: (token) => wordPattern.test(token),
    settle: () => undefined,
    minCommonShare,
  }
  return mergeTokens(baseTokens, oursTokens, inTheirs, sides)
}

function tokensOf(text: string): readonly string[] {
  return text.match(proseTokens) ?? []
}

/** Returns the lines, each with its line ending. */
export function splitLines(text: string): string[] {
  return text.split(/(?<=\n)/)
}

interface TokenMergeRules {
  /** Whether a token unchanged on both sides is enough to separate two changes. */
  readonly isSeparator: (token: string) => boolean
  /** The merge of a region that both sides changed differently; undefined for a conflict. */
  readonly settle: (base: string, ours: string, theirs: string) => string | undefined
  /** Least share of the base's separators that each side must have left unchanged. */
  readonly minCommonShare?: number
}

function mergeTokens(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
  { isSeparator, settle, minCommonShare = 0 }: TokenMergeRules,
): string | undefined {
  const [b, o, t] = internTexts(base, ours, theirs)
  const toOurs = matchSequences(b!, o!)
  const toTheirs = matchSequences(b!, t!)
  if (minCommonShare > 0) {
    const separators = base.flatMap((token, index) => (isSeparator(token) ? [index] : []))
    const share = (partner: Int32Array) => separators.filter((index) => partner[index]! >= 0).length
    if (Math.min(share(toOurs), share(toTheirs)) < separators.length * minCommonShare) return undefined
  }
  let merged = ''
  let [b0, o0, t0] = [0, 0, 0]
  const region = (b1: number, o1: number, t1: number): boolean => {
    const before = base.slice(b0, b1).join('')
    const left = ours.slice(o0, o1).join('')
    const right = theirs.slice(t0, t1).join('')
    const resolved =
      left === right || right === before ? left : left === before ? right : settle(before, left, right)
    merged += resolved ?? ''
    ;[b0, o0, t0] = [b1, o1, t1]
    return resolved !== undefined
  }
  for (let i = 0; i < base.length; i++) {
    const [oursTokens, inTheirs] = [toOurs[i]!, toTheirs[i]!]
    if (oursTokens < 0 || inTheirs < 0 || !isSeparator(base[i]!)) continue
    if (!region(i, oursTokens, inTheirs)) return undefined
    merged += base[i]
    ;[b0, o0, t0] = [i + 1, oursTokens + 1, inTheirs + 1]
  }
  return region(base.length, ours.length, theirs.length) ? merged : undefined
}

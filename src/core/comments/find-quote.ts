/**
 * Finds quoted words in the blocks of a page (W3C text quote selector): by the words, what stands before and after
 * them, and among equal places by number. Blanks, marks and emoji make no difference where the words are not found as they
 * are, since rendered pages and editors have others.
 */
import type { Span } from '../document/types.js'
import type { WordBlock } from './word-blocks.js'

export interface Quote {
  readonly words: string
  /** In the same block. */
  readonly before?: string
  readonly after?: string
  /** Which of several equal places, from 0. */
  readonly occurrence?: number
}

export interface QuotePlace {
  readonly block: Pick<WordBlock, 'key' | 'words'>
  readonly range: Span
}

/** Characters of context before and after a range. */
const contextLength = 32
/** Places that are compared. */
const maxPlaces = 1_000

/** Returns where the words are; undefined when they are in no block. */
export function findQuote(blocks: readonly QuotePlace['block'][], quote: Quote): QuotePlace | undefined {
  if (quote.words === '') return undefined
  const exact = placesOf(blocks, quote.words, (words) => ({ text: words, offsets: undefined }))
  const places = exact.length > 0 ? exact : placesOf(blocks, lettersOf(quote.words).text, lettersOf)
  const [before, after] = [lettersOf(quote.before ?? '').text, lettersOf(quote.after ?? '').text]
  let best: QuotePlace[] = []
  let bestScore = -1
  for (const place of places) {
    const { words } = place.block
    const { start, end } = place.range
    const score =
      commonEnd(lettersOf(words.slice(Math.max(0, start - 4 * contextLength), start)).text, before) +
      commonStart(lettersOf(words.slice(end, end + 4 * contextLength)).text, after)
    if (score > bestScore) best = []
    if (score >= bestScore) best.push(place)
    bestScore = Math.max(score, bestScore)
  }
  return best[Math.min(quote.occurrence ?? 0, best.length - 1)]
}

/** Returns a range as a quote, by which it is found in the page. */
export function quoteOf(
  blocks: readonly QuotePlace['block'][],
  { block, range }: QuotePlace,
): Required<Quote> {
  const { words } = block
  const [start, end] = [Math.max(0, range.start - contextLength), range.end + contextLength]
  const quote = {
    words: words.slice(range.start, range.end),
    before: words.slice(start, range.start).replace(/^[\udc00-\udfff]/, ''),
    after: words.slice(range.end, end).replace(/[\ud800-\udbff]$/, ''),
  }
  const around = words.slice(start, end)
  let occurrence = 0
  for (const one of blocks) {
    if (one.key === block.key) break
    const at = one.words.indexOf(around)
    // Only where the context is as short there.
    if (at >= 0 && at === start && one.words.length - at === words.length - start) occurrence++
  }
  return { ...quote, occurrence }
}

interface Letters {
  readonly text: string
  /** Of each letter in the words. */
  readonly offsets: readonly number[] | undefined
}

function placesOf(
  blocks: readonly QuotePlace['block'][],
  wanted: string,
  read: (words: string) => Letters,
): QuotePlace[] {
  const places: QuotePlace[] = []
  if (wanted === '') return places
  for (const block of blocks) {
    const { text, offsets } = read(block.words)
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
      const last = at + wanted.length - 1
      const range = offsets ? { start: offsets[at]!, end: offsets[last]! + 1 } : { start: at, end: last + 1 }
      if (places.push({ block, range }) === maxPlaces) return places
    }
  }
  return places
}

/** Returns letters and digits without what is between them. */
function lettersOf(words: string): Letters & { readonly offsets: readonly number[] } {
  const offsets: number[] = []
  let text = ''
  for (const match of words.matchAll(/[\p{L}\p{N}]/gu)) {
    text += match[0]
    for (let at = 0; at < match[0].length; at++) offsets.push(match.index + at)
  }
  return { text, offsets }
}

function commonStart(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return length
}

function commonEnd(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a.at(-1 - length) === b.at(-1 - length)) length++
  return length
}

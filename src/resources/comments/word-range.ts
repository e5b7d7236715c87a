/** Words of a comment: in the blocks of a text, and followed from one text to the next. */
import type { Span } from '../../core/document/types.js'
import type { Hash } from '../../core/ids.js'
import type { Quote } from '../../core/comments/find-quote.js'
import { followRange } from '../../core/comments/follow-range.js'
import { type WordBlock, listWordBlocks } from '../../core/comments/word-blocks.js'
import { loadTexts } from '../../core/merkle/steps.js'
import type { Services } from '../../access/route/scope.js'
import { cacheKind } from '../../store/cache/kinds.js'
import type { ContentContext } from '../content/content.js'
import type { RangePosition, WordPosition } from './follow-block.js'

/** The words of a comment now, as a quote. */
export interface TargetWords extends Required<Quote> {
  /** Undefined once the words are gone; they are then as they were. */
  readonly range: Span | undefined
}

const wordBlocksKind = cacheKind<readonly WordBlock[]>('word blocks', (blocks) =>
  blocks.reduce((sum, { words }) => sum + 150 + 2 * words.length, 100),
)

/** Characters that are parsed in this thread, about five milliseconds; longer texts go to a worker thread. */
export const inlineTextLength = 20_000
/** Words that moved to another block are recognized when they have as many letters, and are there once. */
const minMovedLength = 12

/** Returns the blocks of a text that have words, cached. */
export async function readWordBlocks(
  { run }: ContentContext,
  hash: Hash,
  { caches, reader }: Services,
): Promise<readonly WordBlock[]> {
  const known = caches.find(wordBlocksKind, hash)
  if (known !== undefined) return known
  const [text = ''] = await run(loadTexts([hash]))
  const blocks = text.length > inlineTextLength ? await reader.wordBlocks(text) : listWordBlocks(text)
  caches.put(wordBlocksKind, hash, blocks)
  return blocks
}

/** Returns where a range of words is in a later text, in which its block is `node` (empty where it is gone). */
export async function moveRange(
  content: ContentContext,
  services: Services,
  { text: before, node, range }: WordPosition<Hash>,
  to: { readonly text: Hash; readonly node: string },
): Promise<RangePosition | undefined> {
  const [blocks, later] = [
    await readWordBlocks(content, before, services),
    await readWordBlocks(content, to.text, services),
  ]
  const words = blocks.find(({ key }) => key === node)?.words
  if (words === undefined) return undefined
  const inBlock = later.find(({ key }) => key === to.node)
  const moved = inBlock && followRange(words, inBlock.words, range)
  if (moved !== undefined) return { node: to.node, range: moved }
  return findMoved(blocks, later, words.slice(range.start, range.end))
}

/** Returns the only place of words that were in one place before too: their block was divided, joined or replaced. */
function findMoved(
  before: readonly WordBlock[],
  after: readonly WordBlock[],
  words: string,
): RangePosition | undefined {
  if ((words.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < minMovedLength) return undefined
  if (placesOf(before, words).length !== 1) return undefined
  const [place, ...others] = placesOf(after, words)
  return others.length === 0 ? place : undefined
}

/** Returns the first two places of words. */
function placesOf(blocks: readonly WordBlock[], words: string): (RangePosition & { readonly range: Span })[] {
  const found: (RangePosition & { readonly range: Span })[] = []
  for (const { key: node, words: all } of blocks) {
    for (let at = all.indexOf(words); at >= 0; at = all.indexOf(words, at + 1)) {
      found.push({ node, range: { start: at, end: at + words.length } })
      if (found.length === 2) return found
    }
  }
  return found
}

/** Returns words as a column can hold them. */
export function storable(words: string): string {
  return Buffer.from(words).toString().replaceAll('\0', '\ufffd')
}

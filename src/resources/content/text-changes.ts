/**
 * Text diffs for the list of changes: changed blocks with their words, cut to a readable length.
 *
 * The diff of two texts is cached. One list compares a limited number of characters: changes beyond it are listed by
 * their attributes alone.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Hash } from '../../core/ids.js'
import type { ContentChange } from '../../core/merge/diff-snapshots.js'
import { type BlockChange, diffBlocks } from '../../core/merge/diff-blocks.js'
import type { DiffPart } from '../../core/merge/diff-words.js'
import { loadTexts } from '../../core/merkle/steps.js'
import type { Services } from '../../access/route/scope.js'
import { cacheKind } from '../../store/cache/kinds.js'
import type { ContentContext } from './content.js'

export interface TextChanges {
  readonly blocks?: readonly BlockChange[]
  readonly moreBlocks?: number
}

/** Characters of texts that are compared for one list: about a second in a worker thread. */
const maxComparedCharacters = 2_000_000
/** Characters of both texts up to which they are compared in this thread. */
const inlineDiffLength = 20_000
const maxBlocks = 100
const maxPieces = 100
const [maxWordsLength, maxSameLength] = [1_000, 200]

const textDiffKind = cacheKind<TextChanges>('compared texts', (changes) => 2 * JSON.stringify(changes).length)

/** Returns the diff of each change's text, undefined for changes of anything else. */
export async function diffTexts(
  { run }: ContentContext,
  changes: readonly ContentChange[],
  services: Services,
): Promise<readonly (TextChanges | undefined)[]> {
  let left = maxComparedCharacters
  const found: (TextChanges | undefined)[] = []
  for (const change of changes) {
    const hashes = textHashesOf(change)
    found.push(hashes && (await compare(hashes)))
  }
  return found

  async function compare(hashes: TextHashes): Promise<TextChanges> {
    const name = hashes.join(' ')
    const known = services.caches.find(textDiffKind, name)
    if (known !== undefined) return known
    const texts = [...(await run(loadTexts(hashes.filter((hash) => hash !== undefined))))]
    // A page that was never edited has no text.
    const [was, is] = hashes.map((hash) => (hash === undefined ? '' : texts.shift()!)) as [string, string]
    left -= was.length + is.length
    if (left < 0) return {}
    await nextTurn()
    const isLong = was.length + is.length > inlineDiffLength
    const blocks = isLong ? await services.reader.compare(was, is) : diffBlocks(was, is)
    const compared = blocks === undefined ? {} : shorten(blocks)
    services.caches.put(textDiffKind, name, compared)
    return compared
  }
}

type TextHashes = readonly [Hash | undefined, Hash | undefined]

/** Returns the hashes before and after of a changed text. */
function textHashesOf(change: ContentChange): TextHashes | undefined {
  if (change.type === 'page_edited') {
    const { document } = change.attributes
    return document && [document.before as Hash | undefined, document.after as Hash | undefined]
  }
  if (change.type !== 'text_edited') return undefined
  const { before, after } = change
  if (before === undefined || after === undefined || !('text' in before) || !('text' in after))
    return undefined
  return after.id === undefined ? undefined : [before.text, after.text]
}

function shorten(blocks: readonly BlockChange[]): TextChanges {
  const shortened = blocks.slice(0, maxBlocks).map((change): BlockChange => {
    if (change.type !== 'edited') return { ...change, words: cut(change.words) }
    return change.words === undefined ? change : { ...change, words: shortenPieces(change.words) }
  })
  return { blocks: shortened, ...(blocks.length > maxBlocks && { moreBlocks: blocks.length - maxBlocks }) }
}

/** Unchanged words serve as context: of long runs only the words beside a change remain. */
function shortenPieces(pieces: readonly DiffPart[]): DiffPart[] {
  const shortened = pieces.slice(0, maxPieces).map(({ change, text }, at, all): DiffPart => {
    if (change !== 'same') return { change, text: cut(text) }
    if (text.length <= maxSameLength) return { change, text }
    const [start, end] = [at === 0 ? '' : head(text), at === all.length - 1 ? '' : tail(text)]
    return { change, text: `${start}…${end}` }
  })
  return pieces.length > maxPieces ? [...shortened, { change: 'same', text: '…' }] : shortened
}

function cut(text: string): string {
  return text.length <= maxWordsLength ? text : `${trimSurrogate(text.slice(0, maxWordsLength))}…`
}

function head(text: string): string {
  return trimSurrogate(text.slice(0, maxSameLength / 2))
}

function tail(text: string): string {
  return text.slice(-maxSameLength / 2).replace(/^[\udc00-\udfff]/, '')
}

/** Removes half of a surrogate pair at the end. */
function trimSurrogate(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '')
}

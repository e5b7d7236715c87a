/**
 * What changed inside of texts, for the list of changes: the blocks with their words, cut to what somebody reads.
 *
 * Two texts are compared once, whoever asks how often. Only so much is read for one list: what is beyond it is told
 * by its attributes alone.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Hash } from '../../core/ids.js'
import type { ContentChange } from '../../core/merge/diff.js'
import { type BlockChange, diffBlocks } from '../../core/merge/diff-blocks.js'
import type { Piece } from '../../core/merge/words.js'
import { loadTexts } from '../../core/merkle/steps.js'
import type { Services } from '../../access/route/scope.js'
import { kindOf } from '../../store/cache/kinds.js'
import type { ContentHere } from './content.js'

export interface TextChanges {
  readonly blocks?: readonly BlockChange[]
  readonly moreBlocks?: number
}

/** Characters of texts that are compared for one list: about a second in a thread. */
const mostRead = 2_000_000
/** Texts up to this length together are compared at once. */
const comparedAtOnce = 20_000
const mostBlocks = 100
const mostPieces = 100
const [longestWords, longestSame] = [1_000, 200]

const comparedKind = kindOf<TextChanges>('compared texts', (changes) => 2 * JSON.stringify(changes).length)

/** Returns what changed inside of each change's text, nothing for those that are not of a text. */
export async function compareTexts(
  { run }: ContentHere,
  changes: readonly ContentChange[],
  services: Services,
): Promise<readonly (TextChanges | undefined)[]> {
  let left = mostRead
  const found: (TextChanges | undefined)[] = []
  for (const change of changes) {
    const pair = textsOf(change)
    found.push(pair && (await compare(pair)))
  }
  return found

  async function compare(pair: Pair): Promise<TextChanges> {
    const name = pair.join(' ')
    const known = services.caches.find(comparedKind, name)
    if (known !== undefined) return known
    const texts = [...(await run(loadTexts(pair.filter((hash) => hash !== undefined))))]
    // A page that nobody wrote in has no text.
    const [was, is] = pair.map((hash) => (hash === undefined ? '' : texts.shift()!)) as [string, string]
    left -= was.length + is.length
    if (left < 0) return {}
    await nextTurn()
    const isLong = was.length + is.length > comparedAtOnce
    const blocks = isLong ? await services.reader.compare(was, is) : diffBlocks(was, is)
    const compared = blocks === undefined ? {} : shorten(blocks)
    services.caches.keep(comparedKind, name, compared)
    return compared
  }
}

type Pair = readonly [Hash | undefined, Hash | undefined]

/** The texts before and after of a change of a text. */
function textsOf(change: ContentChange): Pair | undefined {
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
  const shown = blocks.slice(0, mostBlocks).map((change): BlockChange => {
    if (change.type !== 'edited') return { ...change, words: cut(change.words) }
    return change.words === undefined ? change : { ...change, words: shortenPieces(change.words) }
  })
  return { blocks: shown, ...(blocks.length > mostBlocks && { moreBlocks: blocks.length - mostBlocks }) }
}

/** What stayed is there to find the place: of much of it, the words beside what changed are enough. */
function shortenPieces(pieces: readonly Piece[]): Piece[] {
  const shown = pieces.slice(0, mostPieces).map(({ change, text }, at, all): Piece => {
    if (change !== 'same') return { change, text: cut(text) }
    if (text.length <= longestSame) return { change, text }
    const [start, end] = [at === 0 ? '' : head(text), at === all.length - 1 ? '' : tail(text)]
    return { change, text: `${start}…${end}` }
  })
  return pieces.length > mostPieces ? [...shown, { change: 'same', text: '…' }] : shown
}

function cut(text: string): string {
  return text.length <= longestWords ? text : `${whole(text.slice(0, longestWords))}…`
}

function head(text: string): string {
  return whole(text.slice(0, longestSame / 2))
}

function tail(text: string): string {
  return text.slice(-longestSame / 2).replace(/^[\udc00-\udfff]/, '')
}

/** Without the half of a character at the end. */
function whole(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '')
}

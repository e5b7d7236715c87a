/**
 * What changed inside a text: its blocks that came, went, moved or were edited, with the words.
 *
 * Blocks are found again as a merge finds them. One that came or went with everything inside is told of once, as a
 * whole; of one that was edited, only what changed in it is told. The price follows the two texts.
 */
import { alignChunks } from './align.js'
import { matchWork } from './lcs.js'
import { type ShownBlock, listBlocks, soleBodies } from './shown-blocks.js'
import { type Piece, diffWords } from './words.js'

export type BlockChange =
  /** `key` is where it stands in the text that has it. */
  | {
      readonly type: 'added' | 'removed'
      readonly key: string
      readonly block: string
      readonly words: string
    }
  | {
      readonly type: 'moved'
      readonly key: { readonly before: string; readonly after: string }
      readonly block: string
      readonly words: string
    }
  /** A block whose words, or whose settings, differ; without `words` it is the settings alone. */
  | {
      readonly type: 'edited'
      readonly key: { readonly before: string; readonly after: string }
      readonly block: string
      readonly words?: readonly Piece[]
    }

/** Returns the changes from one text to the other in the order in which they are met; what went stands where it was. */
export function diffBlocks(before: string, after: string): BlockChange[] {
  const [was, is] = [listBlocks(before), listBlocks(after)]
  const partner = alignChunks(was, is).map((there, at) =>
    there >= 0 && isVersion(was[at]!, is[there]!) ? there : -1,
  )
  const moves = findMoves(was, is, partner)
  const cameFrom = new Map([...moves].map(([from, to]) => [to, from]))
  const left = fatesOf(was, partner, moves.keys())
  const came = fatesOf(is, reversed(partner, is.length), moves.values())
  const allowance = { work: matchWork / 8 }
  const changes: BlockChange[] = []
  let next = 0
  const tellWhatCame = (upTo: number) => {
    for (; next < upTo; next++) {
      const { key, kind: block, words } = is[next]!
      const from = cameFrom.get(next)
      if (from !== undefined) {
        changes.push({ type: 'moved', key: { before: was[from]!.key, after: key }, block, words })
      } else if (isTold(is, came, next)) {
        changes.push({ type: 'added', key, block, words: wordsOf(is, came, next) })
      }
    }
  }
  for (const [at, block] of was.entries()) {
    const there = partner[at]!
    if (there >= 0) {
      tellWhatCame(there)
      next = there + 1
      changes.push(...edits(block, is[there]!, allowance))
    } else if (isTold(was, left, at)) {
      changes.push({ type: 'removed', key: block.key, block: block.kind, words: wordsOf(was, left, at) })
    }
  }
  tellWhatCame(is.length)
  return changes
}

/** A merge also pairs what merely stands in the same place; a reader would say that one went and the other came. */
function isVersion(was: ShownBlock, is: ShownBlock): boolean {
  return was.hasBlocks === is.hasBlocks && (was.kind === is.kind || was.words === is.words)
}

function edits(was: ShownBlock, is: ShownBlock, allowance: { work: number }): BlockChange[] {
  if (was.body === is.body) return []
  const edited = { type: 'edited', key: { before: was.key, after: is.key }, block: is.kind } as const
  // What stands inside is told of by itself.
  if (was.words !== is.words && !is.hasBlocks) {
    return [{ ...edited, words: diffWords(was.words, is.words, allowance) }]
  }
  return was.own === is.own ? [] : [edited]
}

/** What stands in both texts word for word, once in each, and found no partner: from where it was to where it is. */
function findMoves(
  was: readonly ShownBlock[],
  is: readonly ShownBlock[],
  partner: Int32Array,
): Map<number, number> {
  const taken = new Set(partner)
  const [before, after] = [soleBodies(was), soleBodies(is)]
  const moves = new Map<number, number>()
  const isInside = new Uint8Array(was.length)
  for (const [at, { body, parent, words }] of was.entries()) {
    if (parent >= 0 && isInside[parent]) isInside[at] = 1
    if (isInside[at] || partner[at]! >= 0 || words === '' || before.get(body) !== at) continue
    const there = after.get(body) ?? -1
    if (there < 0 || taken.has(there)) continue
    moves.set(at, there)
    isInside[at] = 1
  }
  return moves
}

/** What became of each block of a text: it stands in the other one too, does not, or moved with all that is inside. */
const [stays, goes, moved] = [0, 1, 2]

function fatesOf(blocks: readonly ShownBlock[], partner: Int32Array, moves: Iterable<number>): Uint8Array {
  const fates = Uint8Array.from(blocks, (_, at) => (partner[at]! < 0 ? goes : stays))
  for (const at of moves) for (const inside of withInside(blocks, at)) fates[inside] = moved
  return fates
}

function* withInside(blocks: readonly ShownBlock[], at: number): Generator<number> {
  yield at
  for (let inside = at + 1; inside < blocks.length && blocks[inside]!.parent >= at; inside++) yield inside
}

function reversed(partner: Int32Array, length: number): Int32Array {
  const back = new Int32Array(length).fill(-1)
  for (const [at, there] of partner.entries()) if (there >= 0) back[there] = at
  return back
}

/** Whether it goes, and not as a part of a block that does. */
function isTold(blocks: readonly ShownBlock[], fates: Uint8Array, at: number): boolean {
  const { parent } = blocks[at]!
  return fates[at] === goes && (parent < 0 || fates[parent] !== goes)
}

/** The words of a block that goes, without those that stay or moved. */
function wordsOf(blocks: readonly ShownBlock[], fates: Uint8Array, at: number): string {
  const said: string[] = []
  const parts = new Set<number>()
  for (const inside of withInside(blocks, at)) {
    const { parent, words, hasBlocks } = blocks[inside]!
    if (fates[inside] !== goes || (inside > at && !parts.has(parent))) continue
    parts.add(inside)
    if (!hasBlocks && words !== '') said.push(words)
  }
  return said.join(' ')
}

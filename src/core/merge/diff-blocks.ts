/**
 * Block diff of a text: blocks that were added, removed, moved or edited, with a word diff of each edit.
 *
 * Blocks are aligned as in a merge. A block added or removed with everything inside is reported once, as a whole; of an
 * edited block, only what changed in it is reported. The cost follows the length of the two texts.
 */
import { alignBlocks } from './align-blocks.js'
import { matchBudget } from './lcs.js'
import { type TextBlock, listBlocks, uniqueBodies } from './list-blocks.js'
import { type DiffPart, diffWords } from './diff-words.js'

export type BlockChange =
  /** `key` is the block's key in the text that has it. */
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
  /** A block whose words or settings differ; without `words` only the settings do. */
  | {
      readonly type: 'edited'
      readonly key: { readonly before: string; readonly after: string }
      readonly block: string
      readonly words?: readonly DiffPart[]
    }

/** Returns the changes from one text to the other in document order; a removed block comes where it was. */
export function diffBlocks(before: string, after: string): BlockChange[] {
  const [beforeBlocks, afterBlocks] = [listBlocks(before), listBlocks(after)]
  const partner = alignBlocks(beforeBlocks, afterBlocks).inPlace.map((match, at) =>
    match >= 0 && isSameBlock(beforeBlocks[at]!, afterBlocks[match]!) ? match : -1,
  )
  const moves = findMoves(beforeBlocks, afterBlocks, partner)
  const movedFrom = new Map([...moves].map(([from, to]) => [to, from]))
  const fatesBefore = blockFates(beforeBlocks, partner, moves.keys())
  const fatesAfter = blockFates(afterBlocks, inverted(partner, afterBlocks.length), moves.values())
  const budget = { work: matchBudget / 8 }
  const changes: BlockChange[] = []
  let next = 0
  const reportAdditions = (upTo: number) => {
    for (; next < upTo; next++) {
      const { key, kind: block, words } = afterBlocks[next]!
      const from = movedFrom.get(next)
      if (from !== undefined) {
        changes.push({ type: 'moved', key: { before: beforeBlocks[from]!.key, after: key }, block, words })
      } else if (isReported(afterBlocks, fatesAfter, next)) {
        changes.push({ type: 'added', key, block, words: changedText(afterBlocks, fatesAfter, next) })
      }
    }
  }
  for (const [at, block] of beforeBlocks.entries()) {
    const match = partner[at]!
    if (match >= 0) {
      reportAdditions(match)
      next = match + 1
      changes.push(...editsOf(block, afterBlocks[match]!, budget))
    } else if (isReported(beforeBlocks, fatesBefore, at)) {
      changes.push({
        type: 'removed',
        key: block.key,
        block: block.kind,
        words: changedText(beforeBlocks, fatesBefore, at),
      })
    }
  }
  reportAdditions(afterBlocks.length)
  return changes
}

/** A merge also pairs blocks that are only at the same position; a reader would call that a removal and an addition. */
function isSameBlock(before: TextBlock, after: TextBlock): boolean {
  return (
    before.hasChildren === after.hasChildren && (before.kind === after.kind || before.words === after.words)
  )
}

function editsOf(before: TextBlock, after: TextBlock, budget: { work: number }): BlockChange[] {
  if (before.body === after.body) return []
  const edited = {
    type: 'edited',
    key: { before: before.key, after: after.key },
    block: after.kind,
  } as const
  // Nested blocks are reported by themselves.
  if (before.words !== after.words && !after.hasChildren) {
    return [{ ...edited, words: diffWords(before.words, after.words, budget) }]
  }
  return before.attributesKey === after.attributesKey ? [] : [edited]
}

/** Unmatched blocks that occur once in each text, word for word: old index → new index. */
function findMoves(
  beforeBlocks: readonly TextBlock[],
  afterBlocks: readonly TextBlock[],
  partner: Int32Array,
): Map<number, number> {
  const taken = new Set(partner)
  const [before, after] = [uniqueBodies(beforeBlocks), uniqueBodies(afterBlocks)]
  const moves = new Map<number, number>()
  const isInside = new Uint8Array(beforeBlocks.length)
  for (const [at, { body, parent, words }] of beforeBlocks.entries()) {
    if (parent >= 0 && isInside[parent]) isInside[at] = 1
    if (isInside[at] || partner[at]! >= 0 || words === '' || before.get(body) !== at) continue
    const match = after.get(body) ?? -1
    if (match < 0 || taken.has(match)) continue
    moves.set(at, match)
    isInside[at] = 1
  }
  return moves
}

/** The fate of a block: it is in the other text too, is not, or moved with all its descendants. */
const [unchanged, unmatched, moved] = [0, 1, 2]

function blockFates(blocks: readonly TextBlock[], partner: Int32Array, moves: Iterable<number>): Uint8Array {
  const fates = Uint8Array.from(blocks, (_, at) => (partner[at]! < 0 ? unmatched : unchanged))
  for (const at of moves) for (const descendant of subtreeOf(blocks, at)) fates[descendant] = moved
  return fates
}

function* subtreeOf(blocks: readonly TextBlock[], at: number): Generator<number> {
  yield at
  for (let descendant = at + 1; descendant < blocks.length && blocks[descendant]!.parent >= at; descendant++)
    yield descendant
}

function inverted(partner: Int32Array, length: number): Int32Array {
  const inverse = new Int32Array(length).fill(-1)
  for (const [at, match] of partner.entries()) if (match >= 0) inverse[match] = at
  return inverse
}

/** Whether the block is unmatched, and not as a part of an unmatched block. */
function isReported(blocks: readonly TextBlock[], fates: Uint8Array, at: number): boolean {
  const { parent } = blocks[at]!
  return fates[at] === unmatched && (parent < 0 || fates[parent] !== unmatched)
}

/** The text of an unmatched block, without its parts that are in the other text or moved. */
function changedText(blocks: readonly TextBlock[], fates: Uint8Array, at: number): string {
  const texts: string[] = []
  const parts = new Set<number>()
  for (const descendant of subtreeOf(blocks, at)) {
    const { parent, words, hasChildren } = blocks[descendant]!
    if (fates[descendant] !== unmatched || (descendant > at && !parts.has(parent))) continue
    parts.add(descendant)
    if (!hasChildren && words !== '') texts.push(words)
  }
  return texts.join(' ')
}

/**
 * Alignment of three versions of a block sequence. A move that both sides made is made in the base as well, so that what
 * follows is a merge of edits: without it one of them would be a move and an edit of one block.
 */
import { type Alignment, alignBlocks } from './align-blocks.js'
import type { ThreeWayChunks } from './block-plan.js'
import type { Chunk, Chunks } from './chunks.js'
import { longestIncreasingSubsequence } from './lcs.js'
import { parentHeadings } from './sections.js'

export interface AlignedVersions {
  /** The versions; the base has its blocks in the order on which the sides agree. */
  readonly inputs: ThreeWayChunks
  readonly toOurs: Alignment
  readonly toTheirs: Alignment
  /** The heading above each block of the base before its blocks were reordered; -1 for none. */
  readonly baseParents: Int32Array
}

/** Returns the alignment of both sides with the base. */
export function alignVersions(inputs: ThreeWayChunks): AlignedVersions {
  const [base, ours, theirs] = inputs
  const aligned = alignSides(inputs)
  const order = agreedOrder(aligned)
  const parents = parentHeadings(base.chunks)
  if (!order) return { ...aligned, baseParents: parents }
  const position = new Int32Array(order.length)
  for (const [at, block] of order.entries()) position[block] = at
  const baseParents = Int32Array.from(order, (block) =>
    parents[block]! < 0 ? -1 : position[parents[block]!]!,
  )
  return { ...alignSides([reorder(base, order), ours, theirs]), baseParents }
}

/** The index in the side of the version of a base block, in its place or moved; -1 when it was deleted. */
export function versionOf({ inPlace, moved }: Alignment, block: number): number {
  return inPlace[block]! >= 0 ? inPlace[block]! : moved[block]!
}

/** Returns the blocks of the base that both sides moved, ascending. */
export function blocksMovedByBoth({ toOurs, toTheirs }: AlignedVersions): readonly number[] {
  const blocks: number[] = []
  for (const [block, at] of toOurs.moved.entries())
    if (at >= 0 && toTheirs.moved[block]! >= 0) blocks.push(block)
  return blocks
}

type AlignedSides = Omit<AlignedVersions, 'baseParents'>

function alignSides(inputs: ThreeWayChunks): AlignedSides {
  const [base, ours, theirs] = inputs
  return {
    inputs,
    toOurs: alignBlocks(base.chunks, ours.chunks),
    toTheirs: alignBlocks(base.chunks, theirs.chunks),
  }
}

/** Returns the blocks of the base in the order on which the sides agree, undefined when the base has it already. */
function agreedOrder({ inputs, toOurs, toTheirs }: AlignedSides): readonly number[] | undefined {
  const hasMoves = ({ moved }: Alignment) => moved.some((at) => at >= 0)
  if (!hasMoves(toOurs) || !hasMoves(toTheirs)) return undefined
  const [base, ours, theirs] = inputs
  // Among several longest orders the choice must not depend on which side is ours.
  const [left, right] = isBefore(ours, theirs) ? [toOurs, toTheirs] : [toTheirs, toOurs]
  const blocks = [...base.chunks.keys()]
  const inLeft = blocks
    .filter((block) => versionOf(left, block) >= 0 && versionOf(right, block) >= 0)
    .toSorted((a, b) => versionOf(left, a) - versionOf(left, b))
  const agreed = longestIncreasingSubsequence(inLeft.map((block) => [block, versionOf(right, block)]))
  const staying = longestIncreasingSubsequence(agreed.map(([block]) => [block, block]))
  if (staying.length === agreed.length) return undefined
  return moveBehind(
    blocks,
    agreed.map(([block]) => block),
    new Set(staying.map(([block]) => block)),
  )
}

function isBefore(ours: Chunks, theirs: Chunks): boolean {
  const [left, right] = [ours, theirs].map(({ chunks }) => chunks.map(({ body }) => body).join('\0'))
  return left! <= right!
}

/** Puts the agreed blocks that do not stay behind the one that precedes them in the agreed order. */
function moveBehind(
  blocks: readonly number[],
  agreed: readonly number[],
  staying: ReadonlySet<number>,
): readonly number[] {
  const leading: number[] = []
  const behind = new Map<number, number[]>()
  let followers = leading
  for (const block of agreed) {
    if (staying.has(block)) behind.set(block, (followers = []))
    else followers.push(block)
  }
  const moved = new Set(agreed.filter((block) => !staying.has(block)))
  const first = agreed.find((block) => staying.has(block))
  return blocks.flatMap((block) =>
    moved.has(block) ? [] : [...(block === first ? leading : []), block, ...(behind.get(block) ?? [])],
  )
}

function reorder({ chunks, end }: Chunks, order: readonly number[]): Chunks {
  const start = chunks[0]!.before
  const gap = chunks.find(({ before }, at) => at > 0 && /\n\r?\n/.test(before))?.before ?? '\n\n'
  const reordered = order.map((block, at): Chunk => {
    const chunk = chunks[block]!
    if (at === 0) return { ...chunk, before: start }
    return order[at - 1] === block - 1 ? chunk : { ...chunk, before: gap }
  })
  return { chunks: reordered, end }
}

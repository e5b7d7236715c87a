/**
 * Follows a block of a page through the versions of its text, by binary search over the history: a block that is the
 * same word for word in two versions need not be looked for in between, and one that changed is followed version by
 * version, so that an edit of its words and a later move of its neighbour do not lose it.
 *
 * A version in which the block is not found is passed over: it comes back when its text does. Through a merge the block
 * is followed along the merged branch where the two texts beside the merge do not show it.
 */
import type { Span } from '../../core/document/types.js'
import type { TrackedBlock } from '../../core/merge/track-blocks.js'

/** The versions of a page from that of the anchor (0) to the one that is read; texts are named by their hashes. */
export interface BlockHistory<Text extends string> {
  readonly length: number
  /** Number of the version 0 in its branch: histories of one branch are divided at the same versions. */
  readonly firstNumber: number
  /** Undefined where the page does not exist, or has no text. */
  textAt(version: number): Promise<Text | undefined>
  /** Returns the blocks of a text in another, by their keys. */
  track(before: Text, after: Text): Promise<ReadonlyMap<string, TrackedBlock>>
  /** Returns the words of one block, a range of them, in a later text where its block is `node`; undefined once they are gone. */
  moveRange?(
    from: WordPosition<Text>,
    to: { readonly text: Text; readonly node: string },
  ): Promise<RangePosition | undefined>
  /** Returns the branch that a version merged, if it did. */
  branchAt?(version: number): Promise<MergedBranch<Text> | undefined>
}

interface MergedBranch<Text extends string> {
  /** The version of the outer history on which the branch began; undefined where that is older than the anchor. */
  readonly base: number | undefined
  /** From its base to the version that merged it. */
  readonly history: BlockHistory<Text>
}

/** How much following one block may cost: beyond it, longer steps are taken, which find less. */
export interface FollowBudget {
  /** Pairs of texts. */
  comparisons: number
  /** Versions that are looked up in the middle of others. */
  divisions: number
}

interface BlockPosition<Text extends string> {
  readonly text: Text
  readonly node: string
  /** Of a comment on words: these in the words of the block. */
  readonly range?: Span
}

/** Where a block is in a text, with the range of words in it that is followed. */
export type RangePosition = Omit<BlockPosition<string>, 'text'>
export type WordPosition<Text extends string> = BlockPosition<Text> & { readonly range: Span }

/** Returns the block in the last version, undefined where it, or the range of its words, is gone. */
export async function followBlock<Text extends string>(
  history: BlockHistory<Text>,
  anchor: BlockPosition<Text>,
  budget: FollowBudget,
): Promise<RangePosition | undefined> {
  const last = history.length - 1
  const { text, ...found } = await advance(anchor, 0, last)
  return text === (await history.textAt(last)) ? found : undefined

  /** Returns where the block was last found, up to the version `to`; `position` is where it was at `from`. */
  async function advance(
    position: BlockPosition<Text>,
    from: number,
    to: number,
  ): Promise<BlockPosition<Text>> {
    const text = await history.textAt(to)
    if (text === position.text) return position
    const isOneStep = to - from <= 1
    let found: RangePosition | undefined
    if (text !== undefined) {
      const tracked = await trackTo(position, text)
      found = tracked?.position
      if (found && tracked?.isSame) return { ...found, text }
    }
    if (!isOneStep && budget.comparisons > 0 && budget.divisions > 0) {
      budget.divisions -= 1
      const { firstNumber } = history
      const middle = roundestBetween(from + firstNumber, to + firstNumber) - firstNumber
      return advance(await advance(position, from, middle), middle, to)
    }
    const merged = isOneStep && text !== undefined ? await alongBranch(to) : undefined
    if (merged !== undefined) return merged
    return text === undefined || found === undefined ? position : { ...found, text }
  }

  async function trackTo(
    position: BlockPosition<Text>,
    text: Text,
  ): Promise<{ readonly position: RangePosition | undefined; readonly isSame: boolean } | undefined> {
    budget.comparisons -= 1
    const found = (await history.track(position.text, text)).get(position.node)
    const { range } = position
    if (range === undefined || history.moveRange === undefined)
      return found && { position: { node: found.key }, isSame: found.isSame }
    const to = { text, node: found?.key ?? '' }
    return { position: await history.moveRange({ ...position, range }, to), isSame: found?.isSame ?? false }
  }

  /** Returns the position after a merge by way of its branch. */
  async function alongBranch(version: number): Promise<BlockPosition<Text> | undefined> {
    const branch = budget.comparisons > 0 ? await history.branchAt?.(version) : undefined
    if (branch === undefined) return undefined
    const start = await positionAtBase(branch)
    const found = start && (await followBlock(branch.history, start, budget))
    return found && { ...found, text: (await history.textAt(version))! }
  }

  async function positionAtBase({
    base,
    history: branch,
  }: MergedBranch<Text>): Promise<BlockPosition<Text> | undefined> {
    const text = await branch.textAt(0)
    if (text === undefined) return undefined
    if (base !== undefined) {
      const position = await advance(anchor, 0, base)
      return position.text === text ? position : undefined
    }
    if (text === anchor.text) return anchor
    const earlier = await trackTo(anchor, text)
    return earlier?.position && { ...earlier.position, text }
  }
}

/**
 * Returns the number between two others that the highest power of two divides: as a history grows, and for another
 * anchor, most pairs of versions stay the same, and with them what is cached of them.
 */
function roundestBetween(low: number, high: number): number {
  // Numbers may be negative, and 0 is divided by all.
  const [above, below] = [low + 1 + shift, high + shift]
  let power = 1
  while (Math.ceil(above / (power * 2)) * power * 2 < below) power *= 2
  return Math.ceil(above / power) * power - shift
}

const shift = 2 ** 32

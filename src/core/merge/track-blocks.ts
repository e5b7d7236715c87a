/**
 * Block tracking: the blocks of a text found in a later one, so that comments on a block stay with it.
 *
 * Blocks are named by their keys in the document's JSON. A block that is in both texts word for word is found
 * wherever it moved; a changed one by alignment with its neighbours, as in a merge. The rest is deleted.
 */
import { alignBlocks } from './align-blocks.js'
import { listBlocks, uniqueBodies } from './list-blocks.js'

/** A block of the earlier text, in the later one. */
export interface TrackedBlock {
  readonly key: string
  /** True when it is word for word the same, and no other block of either text is: no doubt that it is this one. */
  readonly isSame: boolean
}

/** Returns each block of `before` that still exists in `after`, by its key in `before`. */
export function trackBlocks(before: string, after: string): Map<string, TrackedBlock> {
  const [beforeBlocks, afterBlocks] = [listBlocks(before), listBlocks(after)]
  const partner = alignBlocks(beforeBlocks, afterBlocks).inPlace
  const uniqueInAfter = uniqueBodies(afterBlocks)
  const isTaken = new Set(partner)
  const uniqueInBefore = uniqueBodies(beforeBlocks)
  return new Map(
    beforeBlocks.flatMap(({ key, body }, at) => {
      const same = uniqueInBefore.get(body) === at ? uniqueInAfter.get(body) : undefined
      const aligned = partner[at]!
      if (aligned >= 0) return [[key, { key: afterBlocks[aligned]!.key, isSame: aligned === same }] as const]
      return same === undefined || same < 0 || isTaken.has(same)
        ? []
        : [[key, { key: afterBlocks[same]!.key, isSame: true }] as const]
    }),
  )
}

/** Returns the text of the block with this key, undefined when there is no such block. */
export function findBlockText(text: string, key: string): string | undefined {
  return listBlocks(text).find((block) => block.key === key)?.words
}

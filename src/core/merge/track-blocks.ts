/**
 * Block tracking: the blocks of a text found in a later one, so that comments on a block stay with it.
 *
 * Blocks are named by their keys in the document's JSON. A block that is in both texts word for word is found
 * wherever it moved; a changed one by alignment with its neighbours, as in a merge. The rest is deleted.
 */
import { alignBlocks } from './align-blocks.js'
import { listBlocks, uniqueBodies } from './list-blocks.js'

/** Returns the key in `after` of each block of `before` that still exists. */
export function trackBlocks(before: string, after: string): Map<string, string> {
  const [beforeBlocks, afterBlocks] = [listBlocks(before), listBlocks(after)]
  const partner = alignBlocks(beforeBlocks, afterBlocks)
  const uniqueInAfter = uniqueBodies(afterBlocks)
  const isTaken = new Set(partner)
  const uniqueInBefore = uniqueBodies(beforeBlocks)
  return new Map(
    beforeBlocks.flatMap(({ key, body }, at) => {
      const aligned = partner[at]!
      if (aligned >= 0) return [[key, afterBlocks[aligned]!.key] as const]
      const elsewhere = uniqueInBefore.get(body) === at ? uniqueInAfter.get(body) : undefined
      return elsewhere === undefined || elsewhere < 0 || isTaken.has(elsewhere)
        ? []
        : [[key, afterBlocks[elsewhere]!.key] as const]
    }),
  )
}

/** Returns the text of the block with this key, undefined when there is no such block. */
export function findBlockText(text: string, key: string): string | undefined {
  return listBlocks(text).find((block) => block.key === key)?.words
}

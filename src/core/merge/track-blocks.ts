/**
 * Where the blocks of a text are in a later one: what was said about a block stays with it.
 *
 * Blocks are named by their keys in the document's JSON. A block that stands in both texts word for word is found
 * wherever it went; one that was changed, between its neighbours, as a merge finds it. The rest is gone.
 */
import { alignChunks } from './align.js'
import { listBlocks, soleBodies } from './shown-blocks.js'

/** Returns the key in `after` of each block of `before` that is still there. */
export function followBlocks(before: string, after: string): Map<string, string> {
  const [was, is] = [listBlocks(before), listBlocks(after)]
  const partner = alignChunks(was, is)
  const sole = soleBodies(is)
  const isTaken = new Set(partner)
  const moved = soleBodies(was)
  return new Map(
    was.flatMap(({ key, body }, at) => {
      const beside = partner[at]!
      if (beside >= 0) return [[key, is[beside]!.key] as const]
      const elsewhere = moved.get(body) === at ? sole.get(body) : undefined
      return elsewhere === undefined || elsewhere < 0 || isTaken.has(elsewhere)
        ? []
        : [[key, is[elsewhere]!.key] as const]
    }),
  )
}

/** Returns the words of the block with this key, undefined when the text has none. */
export function findWords(text: string, key: string): string | undefined {
  return listBlocks(text).find((block) => block.key === key)?.words
}

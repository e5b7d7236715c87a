/**
 * Where the blocks of a text are in a later one: what was said about a block stays with it.
 *
 * Blocks are named by their keys in the document's JSON. A block that stands in both texts word for word is found
 * wherever it went; one that was changed, between its neighbours, as a merge finds it. The rest is gone.
 */
import { documentJson } from '../document/json.js'
import type { JsonObject, JsonValue } from '../document/json-node.js'
import { parsePage } from '../markdown/parse.js'
import { type Known, alignChunks } from './align.js'

/** A block with its key and its words. */
interface Found extends Known {
  readonly key: string
  readonly words: string
}

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

/** All blocks of a text, parents first. */
function listBlocks(text: string): Found[] {
  const found: Found[] = []
  const { document } = parsePage(text)
  visit(documentJson(document, { resolve: (url) => ({ kind: 'url', url }) }))
  return found

  /** Returns the words inside. */
  function visit(node: JsonObject): string {
    const at = found.length
    const isBlock = node['object'] === 'block' && typeof node['key'] === 'string'
    if (isBlock) found.push({ key: node['key'] as string, kind: String(node['type']), body: '', words: '' })
    const words = wordsIn(node)
    if (isBlock) {
      const { key, kind } = found[at]!
      found[at] = { key, kind, words, body: `${kind} ${JSON.stringify(node['data'])}\n${words}` }
    }
    return words
  }

  function wordsIn({ object, text: words, ...node }: JsonObject): string {
    if (object === 'leaf') return String(words ?? '')
    const inside = (['nodes', 'leaves', 'fragments'] as const).flatMap((row) => rowOf(node[row])).map(visit)
    return inside.join(object === 'text' || object === 'inline' ? '' : ' ').trim()
  }
}

function rowOf(row: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(row) ? (row as JsonObject[]) : []
}

/** Body → its index, or -1 when it stands more than once. */
function soleBodies(blocks: readonly Known[]): Map<string, number> {
  const indices = new Map<string, number>()
  for (const [at, { body }] of blocks.entries()) indices.set(body, indices.has(body) ? -1 : at)
  return indices
}

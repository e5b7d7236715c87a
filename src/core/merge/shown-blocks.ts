/** The blocks of a text as a document shows them, with the words that they say: what blocks are found again by. */
import { documentJson } from '../document/json.js'
import type { JsonObject, JsonValue } from '../document/json-node.js'
import { parsePage } from '../markdown/parse.js'
import type { Known } from './align.js'

/** A block with its key and its words; `body` is all that it shows. */
export interface ShownBlock extends Known {
  readonly key: string
  readonly words: string
  /** What it is besides its words: its kind, and how it is set. */
  readonly own: string
  /** The index of the block that it stands in, -1 at the top; those inside follow it. */
  readonly parent: number
  readonly hasBlocks: boolean
}

/** Returns all blocks of a text, parents first. */
export function listBlocks(text: string): ShownBlock[] {
  const found: ShownBlock[] = []
  const { document } = parsePage(text)
  visit(documentJson(document, { resolve: (url) => ({ kind: 'url', url }) }), -1)
  return found

  /** Returns the words inside. */
  function visit(node: JsonObject, parent: number): string {
    if (node['object'] !== 'block' || typeof node['key'] !== 'string') return wordsIn(node, parent)
    const at = found.length
    const kind = String(node['type'])
    const own = `${kind} ${JSON.stringify(node['data'])}`
    const block = { key: node['key'], kind, own, parent, words: '', body: '', hasBlocks: false }
    found.push(block)
    const words = wordsIn(node, at)
    found[at] = { ...block, words, body: `${own}\n${words}`, hasBlocks: found.length > at + 1 }
    return words
  }

  function wordsIn({ object, text: words, ...node }: JsonObject, parent: number): string {
    if (object === 'leaf') return String(words ?? '')
    const inside = (['nodes', 'leaves', 'fragments'] as const)
      .flatMap((row) => rowOf(node[row]))
      .map((one) => visit(one, parent))
    return inside.join(object === 'text' || object === 'inline' ? '' : ' ').trim()
  }
}

function rowOf(row: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(row) ? (row as JsonObject[]) : []
}

/** Returns for each body its index, or -1 when it stands more than once. */
export function soleBodies(blocks: readonly Known[]): Map<string, number> {
  const indices = new Map<string, number>()
  for (const [at, { body }] of blocks.entries()) indices.set(body, indices.has(body) ? -1 : at)
  return indices
}

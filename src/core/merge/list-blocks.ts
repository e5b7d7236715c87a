/** Blocks of a text as its rendered document has them, with their visible text: the input of block alignment. */
import { documentJson } from '../document/json.js'
import { type DocumentJson, nodesIn } from '../document/json-node.js'
import { parsePage } from '../markdown/parse.js'
import type { AlignableBlock } from './align-blocks.js'

/** A block with its key and its visible text; `body` adds kind and settings to the text. */
export interface TextBlock extends AlignableBlock {
  readonly key: string
  readonly words: string
  /** Kind and settings, without the text. */
  readonly attributesKey: string
  /** The index of the enclosing block, -1 at the top; descendants follow their block. */
  readonly parent: number
  readonly hasChildren: boolean
}

/** Returns all blocks of a text, parents first. */
export function listBlocks(text: string): TextBlock[] {
  const found: TextBlock[] = []
  const { document } = parsePage(text)
  visit(documentJson(document, { resolve: (url) => ({ kind: 'url', url }) }), -1)
  return found

  /** Returns the text inside. */
  function visit(node: DocumentJson, parent: number): string {
    if (node['object'] !== 'block' || typeof node['key'] !== 'string') return textIn(node, parent)
    const at = found.length
    const kind = String(node['type'])
    const attributesKey = `${kind} ${JSON.stringify(node['data'])}`
    const block = { key: node['key'], kind, attributesKey, parent, words: '', body: '', hasChildren: false }
    found.push(block)
    const words = textIn(node, at)
    found[at] = { ...block, words, body: `${attributesKey}\n${words}`, hasChildren: found.length > at + 1 }
    return words
  }

  function textIn({ object, text: words, ...node }: DocumentJson, parent: number): string {
    if (object === 'leaf') return String(words ?? '')
    const texts = (['nodes', 'leaves', 'fragments'] as const)
      .flatMap((value) => nodesIn(node[value]))
      .map((child) => visit(child, parent))
    return texts.join(object === 'text' || object === 'inline' ? '' : ' ').trim()
  }
}

/** Returns for each body its index, or -1 when it occurs more than once. */
export function uniqueBodies(blocks: readonly AlignableBlock[]): Map<string, number> {
  const indices = new Map<string, number>()
  for (const [at, { body }] of blocks.entries()) indices.set(body, indices.has(body) ? -1 : at)
  return indices
}

/**
 * Blocks that an edit left as they were: the input of blame, which passes those on to the version before.
 *
 * A block is unchanged when its document is the same, with its marks and the destinations of its links, wherever it moved;
 * other ways to write the same in Markdown do not count.
 */
import { documentJson } from '../document/json.js'
import { type DocumentJson, nodesIn } from '../document/json-node.js'
import type { Span } from '../document/types.js'
import { parsePage } from '../markdown/parse.js'
import { alignBlocks } from './align-blocks.js'
import { listBlocks } from './list-blocks.js'

/** A block of a text, by its key in the document's JSON. */
export interface BlockSource {
  readonly key: string
  readonly type: string
  readonly span: Span
}

/** Returns the blocks of a text that have a source of their own, parents first. */
export function listBlockSources(text: string): BlockSource[] {
  const found: BlockSource[] = []
  visitBlocks(documentOf(text), (block) => {
    const span = block['span'] as unknown as Span | undefined
    if (span !== undefined)
      found.push({ key: String(block['key']), type: String(block['type']), span: { ...span } })
  })
  return found
}

/** Returns for each unchanged block of `after` its key in `before`, by its key in `after`. */
export function findUnchangedBlocks(before: string, after: string): Map<string, string> {
  const [was, is] = [listBlocks(before), listBlocks(after)]
  const [contentBefore, contentAfter] = [contentOfBlocks(before), contentOfBlocks(after)]
  const { inPlace, moved } = alignBlocks(was, is)
  const unchanged = new Map<string, string>()
  for (const [at, { key }] of was.entries()) {
    const partner = inPlace[at]! >= 0 ? inPlace[at]! : moved[at]!
    if (partner < 0) continue
    const partnerKey = is[partner]!.key
    if (contentBefore.get(key) === contentAfter.get(partnerKey)) unchanged.set(partnerKey, key)
  }
  return unchanged
}

/** Returns what makes up each block, by its key. */
function contentOfBlocks(text: string): Map<string, string> {
  const contents = new Map<string, string>()
  visitBlocks(documentOf(text), (block) => {
    const content = JSON.stringify(block, (name, value: unknown) => (isPosition(name) ? undefined : value))
    contents.set(String(block['key']), content)
  })
  return contents
}

/** Members that change when something else does. */
const isPosition = (name: string): boolean => name === 'key' || name === 'span'

function documentOf(text: string): DocumentJson {
  const { document } = parsePage(text)
  return documentJson(document, { resolve: (url) => ({ kind: 'url', url }), spans: true })
}

function visitBlocks(node: DocumentJson, visit: (block: DocumentJson) => void): void {
  if (node['object'] === 'block' && typeof node['key'] === 'string') visit(node)
  for (const member of ['nodes', 'leaves', 'fragments']) {
    for (const child of nodesIn(node[member])) visitBlocks(child, visit)
  }
}

/**
 * Serializes a document as the API's JSON: objects `document`, `block`, `inline`, `text`, `leaf`, `mark`. Keys are the
 * positions of the nodes, so the same text always gives the same JSON; destinations are resolved by `resolve`.
 */
import { blockJson } from './json-blocks.js'
import type { DocumentJson, JsonOptions, JsonWriter } from './json-node.js'
import type { Document } from './types.js'

/** Returns the document as the API returns it. */
export function documentJson(document: Document, options: JsonOptions): DocumentJson {
  const writer: JsonWriter = {
    ...options,
    blocks: (blocks, key) => blocks.map((block, index) => blockJson(block, `${key}.${index}`, writer)),
  }
  return {
    object: 'document',
    data: { schemaVersion: 2 },
    nodes: document.blocks.map((block, index) => blockJson(block, String(index), writer)),
  }
}

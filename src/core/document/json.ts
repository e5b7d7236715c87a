/**
 * A document as the API's JSON: objects `document`, `block`, `inline`, `text`, `leaf`, `mark`. Keys are the places
 * of the nodes, so the same text always gives the same JSON; what a destination points to is asked of `resolve`.
 */
import { blockJson } from './json-blocks.js'
import type { Document, Reference } from './types.js'

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }
export type JsonObject = { readonly [key: string]: JsonValue }

export interface JsonOptions {
  /** The content reference that a destination means; undefined for a plain URL. */
  readonly resolve: (url: string, kind: Reference['kind']) => JsonObject | undefined
}

/** Returns the document as the API shows it. */
export function documentJson(document: Document, options: JsonOptions): JsonObject {
  return {
    object: 'document',
    data: { schemaVersion: 2 },
    nodes: document.blocks.map((block, index) => blockJson(block, String(index), options)),
  }
}

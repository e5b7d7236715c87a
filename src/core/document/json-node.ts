/** What the nodes of the API's JSON are made of, and made with. */
import type { Block, Reference } from './types.js'

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

/** What nodes are made with: notes in a line and cells of a table hold blocks in their turn. */
export interface JsonWriter extends JsonOptions {
  /** Returns the nodes of a row of blocks; `key` is the place of the row. */
  readonly blocks: (blocks: readonly Block[], key: string) => readonly JsonObject[]
}

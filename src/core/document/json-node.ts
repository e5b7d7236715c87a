/** Types of the API's document JSON and of its serializer. */
import type { Block, Reference } from './types.js'

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }
export type DocumentJson = { readonly [key: string]: JsonValue }

export interface JsonOptions {
  /** Returns the content reference of a destination; undefined for a plain URL. */
  readonly resolve: (url: string, kind: Reference['kind']) => DocumentJson | undefined
  /** Whether blocks have their `span`, the half-open range of UTF-16 offsets of their source in the text. */
  readonly spans?: boolean
}

/** Serializer passed to inlines and tables, since footnotes and cells contain blocks again. */
export interface JsonWriter extends JsonOptions {
  /** Returns the nodes of a list of blocks; `key` is the position of the list. */
  readonly blocks: (blocks: readonly Block[], key: string) => readonly DocumentJson[]
}

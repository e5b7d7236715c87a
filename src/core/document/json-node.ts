/** The API's document JSON: its types, those of its serializer, and access to child nodes. */
import type { Block, Reference } from './types.js'

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }
export type DocumentJson = { readonly [key: string]: JsonValue }

/** Returns the nodes in a member of a node; none where it has no such member. */
export function nodesIn(member: JsonValue | undefined): readonly DocumentJson[] {
  return Array.isArray(member) ? (member as DocumentJson[]) : []
}

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

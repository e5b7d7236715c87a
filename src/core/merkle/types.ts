/**
 * How pure code asks for stored objects.
 *
 * Core does no IO, yet walks trees that are too large to hold at once. A `Step` is a computation
 * that pauses with the hashes it wants to read and goes on when it is handed their contents; the
 * store drives it (from memory, SQLite or PostgreSQL), a test drives it from a Map. Asking for many
 * hashes at once is one round trip.
 */
import type { Hash } from '../ids.js'

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined }

/** One node of an ordered map: entries in ascending key order. */
export type MapNode = LeafNode | InnerNode

export interface LeafNode {
  readonly level: 0
  readonly entries: readonly (readonly [key: string, value: Json])[]
}

export interface InnerNode {
  /** 1 just above the leaves. */
  readonly level: number
  /** First key below the child, the child's hash, the number of leaf entries below it. */
  readonly entries: readonly (readonly [firstKey: string, child: Hash, count: number])[]
}

/** What a step waits for: map nodes, or texts of pages (decoded from UTF-8). */
export type Load = { readonly nodes: readonly Hash[] } | { readonly texts: readonly Hash[] }

/** The answer, in the order of the question. */
export type Loaded = readonly MapNode[] | readonly string[]

export type Step<Result> = Generator<Load, Result, Loaded>

/** A map by its root; null is the empty map. */
export type MapRoot = Hash | null

/**
 * Where new objects go. `putNode` and `putText` are pure apart from collecting: they answer the name
 * of the object and remember it for the store to write in the same transaction.
 */
export interface Sink {
  putNode(node: MapNode): Hash
  putText(text: string): Hash
}

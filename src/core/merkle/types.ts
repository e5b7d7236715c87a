/**
 * Effects as generators: how pure code loads stored objects.
 *
 * Core does no IO, yet walks trees that are too large to hold in memory. A `Step` is a computation that yields the
 * hashes it wants to load and resumes with their contents; the store drives it (from memory, SQLite or
 * PostgreSQL), a test drives it from a Map. Loading many hashes together is one round trip.
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
export type MapNode<Value = Json> = LeafNode<Value> | InnerNode<Value>

export interface LeafNode<Value = Json> {
  readonly level: 0
  readonly entries: readonly (readonly [key: string, value: Value])[]
}

export interface InnerNode<Value = Json> {
  /** 1 just above the leaves. */
  readonly level: number
  /** First key below the child, the child's hash, the number of leaf entries below it. */
  readonly entries: readonly (readonly [firstKey: string, child: NodeHash<Value>, count: number])[]
}

declare const valueType: unique symbol

/** The hash of a node, with the type of the map's values; the type exists at compile time only. */
export type NodeHash<Value = Json> = Hash & { readonly [valueType]: Value }

/** A map by the hash of its root node; null is the empty map. */
export type MapRoot<Value = Json> = NodeHash<Value> | null

/** A load that a step yields: map nodes, or texts of pages (decoded from UTF-8). */
export type LoadRequest = { readonly nodes: readonly Hash[] } | { readonly texts: readonly Hash[] }

/** The loaded objects, in the order of the request. */
export type LoadResult = readonly MapNode[] | readonly string[]

export type Step<Result> = Generator<LoadRequest, Result, LoadResult>

/**
 * Collects new objects. `putNode` and `putText` have no other effect: they return the hash
 * of the object, and the store writes the collected objects in the same transaction.
 */
export interface Sink {
  putNode(node: MapNode): Hash
  /** `former` is the stored text that it replaces, if any: the store may write the difference. */
  putText(text: string, former?: Hash): Hash
}

/**
 * Kinds of cached values: each has a name, the weight of a value and its cache tags. A kind is declared once, beside the
 * code that makes its values, and gives the compiler the type of what is found.
 */
import type { CacheTag } from '../db/commit-tags.js'

/** Values whose keys are hashes or revisions: the value of a key never changes. */
export interface CacheKind<in out Value> {
  /** Prefix of its keys. */
  readonly prefix: string
  /** Approximate bytes of memory. */
  weigh(value: Value): number
}

/** Rows that can change: a commit with one of a value's tags makes it stale. */
export interface RowCacheKind<in out Value> extends CacheKind<Value> {
  tags(value: Value): readonly CacheTag[]
}

export interface AnyCacheKind {
  readonly prefix: string
}

/** The values of one kind. */
export interface CacheNamespace<Value> {
  get(key: string): Value | undefined
  /** `weight` in bytes. An existing value stays: a key has one value. */
  set(key: string, value: Value, weight: number): void
}

/** Bytes of an entry besides its value and its key. */
export const entryWeight = 300

/** A row with its columns, decoded. */
const rowWeight = 1_500

const names = new Set<string>()

/** `weigh` may be left out where callers pass the weight to `set`. */
export function cacheKind<Value>(name: string, weigh: (value: Value) => number = () => 0): CacheKind<Value> {
  return { prefix: prefixOf(name), weigh }
}

export function rowCacheKind<Value>(
  name: string,
  tags: (value: Value) => readonly CacheTag[],
  weigh: (value: Value) => number = () => rowWeight,
): RowCacheKind<Value> {
  return { prefix: prefixOf(name), tags, weigh }
}

/** Two kinds of one name would find each other's values. */
function prefixOf(name: string): string {
  if (names.has(name)) throw new Error(`There are two kinds of cached values named "${name}"`)
  names.add(name)
  return `${name} `
}

/** A cache that stores nothing: for work that reads everything once. */
export function noCache<Value>(): CacheNamespace<Value> {
  return { get: () => undefined, set: () => {} }
}

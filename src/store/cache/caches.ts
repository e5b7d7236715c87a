/**
 * Read-through cache with dependency tracking: one LRU of this process with one budget of bytes.
 *
 * Values named by a hash or a revision never change and stay until they are evicted (`put`, `find`). Rows that can
 * change are read through a read context (`readThrough`), which is created when a request arrives, before anything is
 * read for it, and holds the data version as of which cached rows are valid. A row is cached with the version of its
 * read context, never a later one, and is stale once a commit carries one of its tags. Misses are not cached: an
 * attacker's guesses must not evict what people use.
 */
import { isDeepStrictEqual } from 'node:util'
import { LRUCache } from 'lru-cache'
import type { DataVersion } from '../db/commits.js'
import type { Database, Db } from '../db/database.js'
import type { CacheTag } from '../db/commit-tags.js'
import {
  type AnyCacheKind,
  type CacheKind,
  type CacheNamespace,
  type RowCacheKind,
  entryWeight,
} from './kinds.js'

/** A row, or several, as read from the database. A response that depends on it keeps it, to check later that it is current. */
export interface CachedRead<Value = unknown> {
  readonly value: Value
  readonly tags: readonly CacheTag[]
  /** Read at or after this version, or read again and found equal. */
  validAt: DataVersion
  /** True once it was read again and found different. */
  isStale: boolean
}

/** Returns a cached value without a lookup; undefined once it was evicted. */
export type CacheHandle<Value> = () => Value | undefined

/** The data version as of which one request reads cached rows, and what it read. */
export interface ReadContext {
  readonly version: DataVersion
  readonly dependencies: CachedRead[]
  /** Statements executed for the request; a loaded value counts as two, since it may take several. */
  reads: number
  /** False once the request read rows that were not cached: then `dependencies` is not all that its response depends on. */
  isComplete: boolean
}

export interface CacheStats {
  readonly kind: string
  readonly bytes: number
  readonly hits: number
  readonly misses: number
}

export interface Caches {
  /** The read context of a request, created on the first call; `request` is any object that identifies it. */
  readContext(request: object): ReadContext | Promise<ReadContext>
  /** Learns of all earlier commits without creating a read context: for callers of `areCurrent` alone. */
  catchUp(): void | Promise<void>
  /** Returns the value as of the read context: cached, or loaded and cached. Concurrent calls for one key share a load. */
  readThrough<Value>(
    context: ReadContext,
    kind: RowCacheKind<Value>,
    key: string,
    load: (db: Db) => Promise<Value | undefined>,
  ): Promise<Value | undefined>
  /** True while no read is stale; call `catchUp` before. */
  areCurrent(reads: readonly CachedRead[]): boolean
  /** Returns the value of a key whose value never changes. */
  find<Value>(kind: CacheKind<Value>, key: string): Value | undefined
  put<Value>(kind: CacheKind<Value>, key: string, value: Value): void
  /** Updates the weight of an entry, if this is still its value. */
  reweigh<Value>(kind: CacheKind<Value>, key: string, value: Value): void
  /** Returns a handle of the value (of an entry, or a part of it) that works until the entry is evicted. */
  handle<Value extends object>(kind: AnyCacheKind, key: string, value: Value): CacheHandle<Value>
  /** `find` and `put` for the keys of one kind. */
  namespace<Value>(kind: CacheKind<Value>): CacheNamespace<Value>
  /** For the operator, by kind. */
  stats(): readonly CacheStats[]
}

/**
 * A handle looks its entry up every so many uses, which keeps it recently used. A lookup at each use would be a third of
 * the work for a cached response besides sending it: among many pages the lookup misses the processor's cache.
 */
const usesBetweenLookups = 16

interface Entry {
  readonly kind: AnyCacheKind
  readonly value: unknown
  readonly weight: number
}

interface PendingLoad {
  readonly version: DataVersion
  readonly read: Promise<CachedRead | undefined>
}

interface Tally {
  bytes: number
  hits: number
  misses: number
}

/** Returns empty caches with a budget in bytes, which are estimated. */
export function createCaches(database: Database, budget: number): Caches {
  const tallies = new Map<AnyCacheKind, Tally>()
  const loads = new Map<string, PendingLoad>()
  const contexts = new WeakMap<object, ReadContext | Promise<ReadContext>>()
  const entries = new LRUCache<string, Entry>({
    maxSize: Math.max(1, budget),
    // One value of a quarter of the budget would evict thousands.
    maxEntrySize: Math.max(1, Math.floor(budget / 4)),
    sizeCalculation: ({ weight }) => weight,
    dispose: ({ kind, weight }) => {
      tallyOf(kind).bytes -= weight
    },
  })

  function tallyOf(kind: AnyCacheKind): Tally {
    let tally = tallies.get(kind)
    if (tally === undefined) tallies.set(kind, (tally = { bytes: 0, hits: 0, misses: 0 }))
    return tally
  }

  function findEntry(kind: AnyCacheKind, key: string): Entry | undefined {
    const entry = entries.get(kind.prefix + key)
    if (entry === undefined) tallyOf(kind).misses += 1
    else tallyOf(kind).hits += 1
    return entry
  }

  function put(kind: AnyCacheKind, key: string, value: unknown, bytes: number): void {
    const weight = Math.ceil(bytes) + key.length + entryWeight
    const name = kind.prefix + key
    entries.set(name, { kind, value, weight })
    if (entries.peek(name)?.value === value) tallyOf(kind).bytes += weight
  }

  const isCurrent = ({ isStale, validAt, tags }: CachedRead) =>
    !isStale && database.isUnchanged(validAt, tags)

  async function load<Value>(
    context: ReadContext,
    kind: RowCacheKind<Value>,
    key: string,
    read: (db: Db) => Promise<Value | undefined>,
  ): Promise<CachedRead<Value> | undefined> {
    const value = await read(database.read)
    const cached = entries.peek(kind.prefix + key)?.value as CachedRead<Value> | undefined
    // A load of a later version was faster: its value is newer.
    const isLate = cached !== undefined && cached.validAt > context.version
    if (cached !== undefined && !isLate) {
      if (value !== undefined && isDeepStrictEqual(cached.value, value)) {
        cached.validAt = context.version
        return cached
      }
      cached.isStale = true
      entries.delete(kind.prefix + key)
    }
    if (value === undefined) return undefined
    const fresh = { value, tags: kind.tags(value), validAt: context.version, isStale: false }
    if (!isLate) put(kind, key, fresh, kind.weigh(value))
    return fresh
  }

  /** Joins a running load of the key that began at the same version or a later one, else begins one. */
  function shareLoad<Value>(
    context: ReadContext,
    kind: RowCacheKind<Value>,
    key: string,
    read: (db: Db) => Promise<Value | undefined>,
  ): Promise<CachedRead<Value> | undefined> {
    const name = kind.prefix + key
    const running = loads.get(name)
    if (running !== undefined && running.version >= context.version)
      return running.read as Promise<CachedRead<Value> | undefined>
    const reading = load(context, kind, key, read)
    const loading = { version: context.version, read: reading }
    loads.set(name, loading)
    const end = () => {
      if (loads.get(name) === loading) loads.delete(name)
    }
    reading.then(end, end)
    return reading
  }

  return {
    readContext(request) {
      const known = contexts.get(request)
      if (known !== undefined) return known
      const version = database.dataVersion()
      const context = typeof version === 'number' ? readContextAt(version) : version.then(readContextAt)
      contexts.set(request, context)
      return context
    },
    catchUp() {
      const version = database.dataVersion()
      if (typeof version !== 'number') return version.then(() => {})
    },
    async readThrough(context, kind, key, read) {
      const cached = findEntry(kind, key)?.value as CachedRead<never> | undefined
      const isCached = cached !== undefined && isCurrent(cached)
      if (!isCached) context.reads += 2
      const result = isCached ? cached : await shareLoad(context, kind, key, read)
      if (result === undefined) return undefined
      context.dependencies.push(result)
      return result.value
    },
    areCurrent: (reads) => reads.every(isCurrent),
    find: (kind, key) => findEntry(kind, key)?.value as never,
    put: (kind, key, value) => put(kind, key, value, kind.weigh(value)),
    reweigh(kind, key, value) {
      if (entries.peek(kind.prefix + key)?.value === value) put(kind, key, value, kind.weigh(value))
    },
    handle(kind, key, value) {
      const reference = new WeakRef(value)
      let uses = 0
      return () => {
        const isLookedUp = uses++ % usesBetweenLookups === 0
        return isLookedUp && findEntry(kind, key) === undefined ? undefined : reference.deref()
      }
    },
    namespace(kind) {
      return {
        get: (key) => findEntry(kind, key)?.value as never,
        set: (key, value, weight) => {
          if (!entries.has(kind.prefix + key)) put(kind, key, value, weight)
        },
      }
    },
    stats: () =>
      [...tallies].map(([{ prefix }, { bytes, hits, misses }]) => ({
        kind: prefix.trim(),
        bytes,
        hits,
        misses,
      })),
  }
}

export function readContextAt(version: DataVersion): ReadContext {
  return { version, dependencies: [], reads: 0, isComplete: true }
}

/** Returns the database with its statements counted in the read context. */
export function countReads(db: Db, context: ReadContext): Db {
  return db.withPlugin({
    transformQuery({ node }) {
      context.reads += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
}

/**
 * Everything that this process keeps of what it read or made: one budget of bytes, one rule.
 *
 * What is named by a hash or a revision is kept until room is needed (`keep`, `find`). What can change is read
 * through a look (`recall`): a look is taken when a request comes in, before anything is read for it, and tells how
 * much of what is kept may still be believed. What was read is kept with the moment of the look, never with a
 * later one, and falls when something is committed that it follows from. Absence is not kept: an attacker's
 * guesses must not push out what people use.
 */
import { isDeepStrictEqual } from 'node:util'
import { LRUCache } from 'lru-cache'
import type { Moment } from '../db/commits.js'
import type { Database, Db } from '../db/database.js'
import type { Concern } from '../db/affected-tables.js'
import { type AnyKind, type Kind, type Place, type RowKind, entryWeight } from './kinds.js'

/** Something that was read and can change. Whoever answers by it holds on to it, to see whether it still holds. */
export interface Recalled<Value = unknown> {
  readonly value: Value
  readonly concerns: readonly Concern[]
  /** Read after this moment, or read again and found the same. */
  checked: Moment
  /** True once it was read again and found different. */
  isGone: boolean
}

/** A value that is weighed with what is kept, and found without being looked for; undefined once it had to make room. */
export type Held<Value> = () => Value | undefined

/** What one request may believe, and what it believed. */
export interface Look {
  readonly moment: Moment
  readonly seen: Recalled[]
  /** Statements that rows were read by for the request; a value that was loaded counts as two, since it may take several. */
  reads: number
  /** False once rows were read for the request that were not recalled: then `seen` is not all that it follows from. */
  isWhole: boolean
}

export interface CacheFigures {
  readonly kind: string
  readonly bytes: number
  readonly hits: number
  readonly misses: number
}

export interface Caches {
  /** The look of a request, taken once; `request` is the object that stands for it. */
  look(request: object): Look | Promise<Look>
  /** Learns of what was committed before, without a look: for those who only ask what still holds. */
  catchUp(): void | Promise<void>
  /** Returns the value as it is at the look: kept, or loaded and kept. Those who wait for the same share one load. */
  recall<Value>(
    look: Look,
    kind: RowKind<Value>,
    key: string,
    load: (db: Db) => Promise<Value | undefined>,
  ): Promise<Value | undefined>
  /** True while all of what was recalled is as it was; asked after catching up. */
  stillHolds(recalled: readonly Recalled[]): boolean
  /** Returns what is kept under a name that means one value for ever. */
  find<Value>(kind: Kind<Value>, key: string): Value | undefined
  keep<Value>(kind: Kind<Value>, key: string, value: Value): void
  /** Weighs what is kept under a name once more, where that is still this value. */
  weighAgain<Value>(kind: Kind<Value>, key: string, value: Value): void
  /** Holds what is kept under a name, or a part of it, as long as that is kept. */
  hold<Value extends object>(kind: AnyKind, key: string, value: Value): Held<Value>
  /** The same under names of one kind. */
  place<Value>(kind: Kind<Value>): Place<Value>
  /** For the operator, by kind. */
  figures(): readonly CacheFigures[]
}

/**
 * Every so many times what is held is looked up, so that it is not taken for forgotten. Each time would be a third of
 * what is done for an answer at hand besides sending it: among many pages no lookup is at hand in the processor.
 */
const turnsBetweenLooks = 16

interface Entry {
  readonly kind: AnyKind
  readonly value: unknown
  readonly weight: number
}

interface Loading {
  readonly moment: Moment
  readonly recalled: Promise<Recalled | undefined>
}

interface Tally {
  bytes: number
  hits: number
  misses: number
}

/** Returns empty caches with a budget in bytes, estimated. */
export function createCaches(database: Database, budget: number): Caches {
  const tallies = new Map<AnyKind, Tally>()
  const loads = new Map<string, Loading>()
  const looks = new WeakMap<object, Look | Promise<Look>>()
  const entries = new LRUCache<string, Entry>({
    maxSize: Math.max(1, budget),
    // One value that takes a quarter of the room would push out thousands.
    maxEntrySize: Math.max(1, Math.floor(budget / 4)),
    sizeCalculation: ({ weight }) => weight,
    dispose: ({ kind, weight }) => {
      tallyOf(kind).bytes -= weight
    },
  })

  function tallyOf(kind: AnyKind): Tally {
    let tally = tallies.get(kind)
    if (tally === undefined) tallies.set(kind, (tally = { bytes: 0, hits: 0, misses: 0 }))
    return tally
  }

  function findEntry(kind: AnyKind, key: string): Entry | undefined {
    const entry = entries.get(kind.prefix + key)
    if (entry === undefined) tallyOf(kind).misses += 1
    else tallyOf(kind).hits += 1
    return entry
  }

  function put(kind: AnyKind, key: string, value: unknown, bytes: number): void {
    const weight = Math.ceil(bytes) + key.length + entryWeight
    const name = kind.prefix + key
    entries.set(name, { kind, value, weight })
    if (entries.peek(name)?.value === value) tallyOf(kind).bytes += weight
  }

  const isStill = ({ isGone, checked, concerns }: Recalled) => !isGone && database.isStill(checked, concerns)

  async function load<Value>(
    look: Look,
    kind: RowKind<Value>,
    key: string,
    read: (db: Db) => Promise<Value | undefined>,
  ): Promise<Recalled<Value> | undefined> {
    const value = await read(database.read)
    const kept = entries.peek(kind.prefix + key)?.value as Recalled<Value> | undefined
    // Somebody who looked later was faster, and knows better.
    const isLate = kept !== undefined && kept.checked > look.moment
    if (kept !== undefined && !isLate) {
      if (value !== undefined && isDeepStrictEqual(kept.value, value)) {
        kept.checked = look.moment
        return kept
      }
      kept.isGone = true
      entries.delete(kind.prefix + key)
    }
    if (value === undefined) return undefined
    const fresh = { value, concerns: kind.concerns(value), checked: look.moment, isGone: false }
    if (!isLate) put(kind, key, fresh, kind.weigh(value))
    return fresh
  }

  /** One load for all who may share it: begun after a moment that is not before their own. */
  function shareLoad<Value>(
    look: Look,
    kind: RowKind<Value>,
    key: string,
    read: (db: Db) => Promise<Value | undefined>,
  ): Promise<Recalled<Value> | undefined> {
    const name = kind.prefix + key
    const running = loads.get(name)
    if (running !== undefined && running.moment >= look.moment)
      return running.recalled as Promise<Recalled<Value> | undefined>
    const recalled = load(look, kind, key, read)
    const loading = { moment: look.moment, recalled }
    loads.set(name, loading)
    const end = () => {
      if (loads.get(name) === loading) loads.delete(name)
    }
    recalled.then(end, end)
    return recalled
  }

  return {
    look(request) {
      const known = looks.get(request)
      if (known !== undefined) return known
      const asked = database.moment()
      const look = typeof asked === 'number' ? lookAt(asked) : asked.then(lookAt)
      looks.set(request, look)
      return look
    },
    catchUp() {
      const asked = database.moment()
      if (typeof asked !== 'number') return asked.then(() => {})
    },
    async recall(look, kind, key, read) {
      const kept = findEntry(kind, key)?.value as Recalled<never> | undefined
      const isKept = kept !== undefined && isStill(kept)
      if (!isKept) look.reads += 2
      const recalled = isKept ? kept : await shareLoad(look, kind, key, read)
      if (recalled === undefined) return undefined
      look.seen.push(recalled)
      return recalled.value
    },
    stillHolds: (recalled) => recalled.every(isStill),
    find: (kind, key) => findEntry(kind, key)?.value as never,
    keep: (kind, key, value) => put(kind, key, value, kind.weigh(value)),
    weighAgain(kind, key, value) {
      if (entries.peek(kind.prefix + key)?.value === value) put(kind, key, value, kind.weigh(value))
    },
    hold(kind, key, value) {
      const held = new WeakRef(value)
      let turns = 0
      return () => {
        const isLookedUp = turns++ % turnsBetweenLooks === 0
        return isLookedUp && findEntry(kind, key) === undefined ? undefined : held.deref()
      }
    },
    place(kind) {
      return {
        get: (key) => findEntry(kind, key)?.value as never,
        set: (key, value, weight) => {
          if (!entries.has(kind.prefix + key)) put(kind, key, value, weight)
        },
      }
    },
    figures: () =>
      [...tallies].map(([{ prefix }, { bytes, hits, misses }]) => ({
        kind: prefix.trim(),
        bytes,
        hits,
        misses,
      })),
  }
}

export function lookAt(moment: Moment): Look {
  return { moment, seen: [], reads: 0, isWhole: true }
}

/** The database, noting in the look how many statements are read through it. */
export function countReads(db: Db, look: Look): Db {
  return db.withPlugin({
    transformQuery({ node }) {
      look.reads += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
}

/**
 * The database interface of all code above: `read`, `write`, and data versions to validate caches by.
 *
 * One portable schema on two engines, each opened by its own module behind `open.ts`. A transaction has its own type,
 * so a function that writes cannot be called outside of one. Contains no queries.
 */
import type { Kysely, KyselyPlugin } from 'kysely'
import type { Attempts } from './attempts.js'
import type { DataVersion } from './commits.js'
import type { Engine } from './engine.js'
import type { LockScope } from './lock-scope.js'
import type { RequestRates } from './request-rates.js'
import type { Tables } from './tables.js'
import type { CacheTag } from './commit-tags.js'

export type Db = Kysely<Tables>

declare const transaction: unique symbol
/** An open transaction: usable wherever a `Db` is read, and required by everything that writes. */
export type Tx = Db & { readonly [transaction]: true }

/** What a commit may announce to listeners in all processes. */
export type Topic = 'jobs'

export interface Database {
  readonly engine: Engine
  readonly read: Db
  /**
   * Runs the work on one snapshot, however many statements it takes. Few snapshots run concurrently, the others wait:
   * avoid it where possible. Read values may be returned, `db` not.
   */
  readSnapshot<T>(work: (db: Db) => Promise<T>): Promise<T>
  /**
   * Runs the work in one transaction and returns its result once that is durable; an error rolls back everything.
   * The work may run again, so it must do nothing that a rollback cannot undo. There are no concurrent writers.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * The same with concurrent writers outside the scope; when the work writes outside of it, it runs again with a wider
   * one. Rows within the scope, and above it, are not changed by others before the end. `prefetch` sends reads together
   * with the request for the locks.
   */
  writeWithLocks<T>(scope: LockScope, work: (tx: Tx) => Promise<T>, prefetch?: Prefetch): Promise<T>
  /** The same for statements on many rows, which are executed in another thread where the engine is in this process. */
  writeInBulk<T>(scope: LockScope, work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * The version after every commit that any process acknowledged before this call. Immediate on SQLite (3 µs, once per
   * turn of the event loop); on PostgreSQL a query that concurrent callers share.
   */
  dataVersion(): DataVersion | Promise<DataVersion>
  /** The version after everything that was read before this call, too, which others may commit between two statements. */
  currentVersion(): DataVersion | Promise<DataVersion>
  /** True while no commit since the version is known that carries one of these tags. */
  isUnchanged(since: DataVersion, tags: readonly CacheTag[]): boolean
  /** Counted outside of transactions. */
  readonly attempts: Attempts
  readonly rates: RequestRates
  /** Calls the listener after each commit that announced the topic; returns a function that unsubscribes it. */
  onAnnounced(topic: Topic, listener: () => void): () => void
  /** Round trips to the server so far; 0 where the engine is in this process. */
  roundTrips(): number
  close(): Promise<void>
}

/** Sends reads whose statements are executed once the locks are held, without waiting for them. */
export type Prefetch = (tx: Tx) => void

const engines = new WeakMap<object, Engine>()

/** Returns the engine of a database; for the few modules with an implementation for each. */
export function engineOf(db: Db): Engine {
  return engines.get(db.getExecutor().adapter)!
}

/** Registers the engine of a handle, for `engineOf`, and returns it with the guard of its statements, if there is one. */
export function register(db: Db, engine: Engine, guard?: KyselyPlugin): Db {
  engines.set(db.getExecutor().adapter, engine)
  return guard === undefined ? db : db.withPlugin(guard)
}

/**
 * The database as everybody above sees it: `read`, `write`, and moments to tell what was committed since.
 *
 * One portable schema on two engines; each has an opener of its own, behind `open.ts`. A transaction is a value
 * of its own type, so a function that writes cannot be called outside of one. Does not know any query.
 */
import type { Kysely, KyselyPlugin } from 'kysely'
import type { Attempts } from './attempts.js'
import type { Moment } from './commits.js'
import type { Engine } from './engine.js'
import type { Hold } from './hold.js'
import type { Rates } from './rates.js'
import type { Tables } from './tables.js'
import type { Concern } from './affected-tables.js'

export type Db = Kysely<Tables>

declare const transaction: unique symbol
/** An open transaction; usable wherever a `Db` is read, and demanded by everything that writes. */
export type Tx = Db & { readonly [transaction]: true }

/** What a commit may tell its listeners, in every process that can hear it. */
export type Topic = 'jobs'

export interface Database {
  readonly engine: Engine
  readonly read: Db
  /**
   * Runs the work on what is committed at one moment, however many statements it takes. Few may do so at a time, the
   * others wait: who can does without. What was read may be handed out, the database not.
   */
  readSnapshot<T>(work: (db: Db) => Promise<T>): Promise<T>
  /**
   * Runs the work in one transaction and answers its result once that is durable; an error undoes everything.
   * The work may run again, so it must do nothing that a transaction cannot undo. Nobody else writes meanwhile.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * The same while others write what is not held; when the work writes something else, it begins again with that.
   * It sees what it holds, and what is above it, as nobody changes it before the end.
   */
  writeHolding<T>(hold: Hold, work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * The moment after everything that was acknowledged before this call, by any process. At once on SQLite (3 µs for all
   * that is done before the process listens again); on PostgreSQL it waits for a question that many share.
   */
  moment(): Moment | Promise<Moment>
  /** The moment after everything that was read before this call, too, which others may commit between two statements. */
  momentNow(): Moment | Promise<Moment>
  /** True while nothing that concerns any of these is known to be committed since the moment. */
  isStill(since: Moment, concerns: readonly Concern[]): boolean
  /** Counted beside all transactions. */
  readonly attempts: Attempts
  readonly rates: Rates
  /** Calls back after each commit that announced the topic; the answer stops it. */
  onAnnounced(topic: Topic, listener: () => void): () => void
  close(): Promise<void>
}

const engines = new WeakMap<object, Engine>()

/** Answers which engine is behind; for the few files that are written twice. */
export function engineOf(db: Db): Engine {
  return engines.get(db.getExecutor().adapter)!
}

/** Notes the engine of a handle, for `engineOf`, and returns it with the guard of its statements, if there is one. */
export function register(db: Db, engine: Engine, guard?: KyselyPlugin): Db {
  engines.set(db.getExecutor().adapter, engine)
  return guard === undefined ? db : db.withPlugin(guard)
}

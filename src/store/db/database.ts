/**
 * The database as everybody above sees it: `read`, `write`, and moments to tell what was committed since.
 *
 * One portable schema on two engines; what differs lies in sqlite.ts and postgres.ts. A transaction is a value
 * of its own type, so a function that writes cannot be called outside of one. Does not know any query.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import type { KyselyPlugin } from 'kysely'
import { closeToOthers, makePrivateFolder, preparePrivateFile, privateFile } from '../files/private.js'
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import {
  type Hold,
  NeedsMore,
  holdsOrganization,
  holdsSpace,
  locksOf,
  widerFor,
  withOrganization,
} from './hold.js'
import type { Engine } from './engine.js'
import { type Attempts, attemptsInMemory, attemptsInPostgres } from './attempts.js'
import { type LockIn, lockIn, retrying } from './one-after-another.js'
import { type Moment, pruneCommits, recordCommit, sqliteMoments } from './commits.js'
import { migrate, migrations } from './migrate.js'
import type { Migration } from './migrations/types.js'
import type { PoolSettings } from './postgres.js'
import { sqliteDialect, sqliteSnapshots } from './sqlite.js'
import { connectSqlite } from './sqlite-connection.js'
import { type Session, sessionOn } from './sqlite-session.js'
import { sessionInThread } from './sqlite-threaded.js'
import type { Tables } from './tables.js'
import { type Concern, type Concerns, watchWrites } from './written.js'

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
  /** Calls back after each commit that announced the topic; the answer stops it. */
  onAnnounced(topic: Topic, listener: () => void): () => void
  close(): Promise<void>
}

const channel = 'octavo'

interface WriteState {
  changed: boolean
  readonly concerns: Concerns
  readonly topics: Set<Topic>
  readonly hold: Hold
  /** Organizations that this transaction made. */
  readonly born: Set<OrganizationId>
  /** Set when the work wrote what it does not hold, in case it caught the error. */
  needed: NeedsMore | undefined
}

const writeStates = new WeakMap<Db, WriteState>()

/** Lets the commit of this transaction wake the listeners of a topic. */
export function announce(tx: Tx, topic: Topic): void {
  writeStates.get(tx)!.topics.add(topic)
}

/** Answers what the transaction holds. */
export function holdOf(tx: Tx): Hold {
  return writeStates.get(tx)!.hold
}

/** Sees to it that nobody else writes in the organization before the transaction ends. */
export function demandOrganization(tx: Tx, id: OrganizationId): void {
  const state = writeStates.get(tx)!
  if (!state.born.has(id) && !holdsOrganization(state.hold, id)) need(state, withOrganization(state.hold, id))
}

/** Sees to it that what the transaction holds lies in this organization, or is all of it. */
export function demandPart(tx: Tx, id: OrganizationId): void {
  const state = writeStates.get(tx)!
  const { hold } = state
  if (hold !== 'everything' && !hold.organizations.includes(id)) need(state, withOrganization(hold, id))
}

/** Sees to it that nobody else writes in the space before the transaction ends. */
export function demandSpace(tx: Tx, id: SpaceId): void {
  const state = writeStates.get(tx)!
  if (state.born.size === 0 && !holdsSpace(state.hold, id)) need(state, 'everything')
}

function need(state: WriteState, wider: Hold): never {
  state.needed ??= new NeedsMore(wider)
  throw state.needed
}

const engines = new WeakMap<object, Engine>()

/** Answers which engine is behind; for the few files that are written twice. */
export function engineOf(db: Db): Engine {
  return engines.get(db.getExecutor().adapter)!
}

export interface DatabaseSettings {
  readonly dataFolder: string
  /** `postgres://…`; SQLite in the data folder without it. */
  readonly url?: string | undefined
  /** The schema to bring it up to; the current one by default. */
  readonly migrations?: readonly Migration[]
  /**
   * Refuses a write inside a write, which on one writing connection waits for itself for ever. For tests: it slows
   * every promise of the process, on Node 20 by a quarter of a request.
   */
  readonly refusesNested?: boolean
  /** The built program of the thread that writes to SQLite; without it this thread does, and waits for the disk. */
  readonly writingThread?: URL | undefined
  /** Milliseconds that one statement may take on PostgreSQL. */
  readonly patience?: number
}

/** Opens the database and brings its schema up to date. */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const { dataFolder, url, migrations: known = migrations, refusesNested = false } = settings
  const { patience, writingThread } = settings
  const database = await (url === undefined
    ? openSqlite(dataFolder, known, writingThread)
    : openPostgres(url, known, patience))
  return refusesNested ? refusingNested(database) : database
}

async function openSqlite(
  dataFolder: string,
  known: readonly Migration[],
  writingThread: URL | undefined,
): Promise<Database> {
  await makePrivateFolder(dataFolder)
  const file = join(dataFolder, 'octavo.sqlite')
  // The engine gives its other files the mode of this one.
  preparePrivateFile(file)
  for (const beside of [`${file}-wal`, `${file}-shm`]) await closeToOthers(beside, privateFile)
  const { session, hear } =
    writingThread === undefined
      ? { session: sessionOn(await connectSqlite(file, 'write')), hear: () => {} }
      : sessionInThread(writingThread, file)
  const writer = new Kysely<Tables>({ dialect: sqliteDialect(session, 'write') })
  try {
    await migrate(writer, 'sqlite', known)
    const readingConnection = await connectSqlite(file, 'read')
    const readHere = sessionOn(readingConnection)
    // Among many reads a writer would wait for all of them after each of its statements.
    const read: Session = (asked) => {
      hear()
      return readHere(asked)
    }
    const reader = new Kysely<Tables>({ dialect: sqliteDialect(read, 'read') })
    const snapshots = register(new Kysely<Tables>({ dialect: sqliteSnapshots(file) }), 'sqlite')
    const { moment, momentNow, isStill, forget } = sqliteMoments(readingConnection)
    const hub = announcements()
    return {
      engine: 'sqlite',
      read: register(reader, 'sqlite'),
      readSnapshot: (work) => snapshots.transaction().execute(work),
      ...writing(register(writer, 'sqlite'), {
        // One connection writes, and begins as writer: everybody holds everything.
        lock: undefined,
        beforeCommit: async () => {},
        afterCommit: (topics) => {
          forget()
          hub.tell(topics)
        },
      }),
      moment() {
        hear()
        return moment()
      },
      momentNow,
      isStill,
      attempts: attemptsInMemory(),
      onAnnounced: hub.on,
      close: async () => {
        await snapshots.destroy()
        await reader.destroy()
        await writer.destroy()
      },
    }
  } catch (error) {
    await writer.destroy()
    throw error
  }
}

async function openPostgres(
  url: string,
  known: readonly Migration[],
  patience: number | undefined,
): Promise<Database> {
  // Loaded where it is used: the client takes 11 MB.
  const [{ connectPostgres, listen, postgresDialect }, { askCommits }] = await Promise.all([
    import('./postgres.js'),
    import('./question.js'),
  ])
  const migrating = new Kysely<Tables>({
    dialect: postgresDialect(connectPostgres(url, { patience: Infinity })),
  })
  await migrate(migrating, 'postgres', known).finally(() => migrating.destroy())
  const settings = patience === undefined ? {} : { patience }
  const open = (own: PoolSettings) =>
    register(
      new Kysely<Tables>({ dialect: postgresDialect(connectPostgres(url, { ...settings, ...own })) }),
      'postgres',
    )
  const pool = open({})
  // Of their own: who holds one and needs a connection beside it never waits for others who do.
  const snapshots = open({ most: 4 })
  const counting = open({ most: 2 })
  const question = await askCommits(url).catch(async (error: unknown) => {
    await pool.destroy()
    throw error
  })
  try {
    const self = randomUUID()
    const hub = announcements()
    const { moment, isStill } = question
    const pruning = pruneNowAndThen(pool)
    const listener = await listen(
      url,
      channel,
      (payload) => {
        const [origin, ...topics] = payload.split(' ')
        // Our own were told when they were committed.
        if (origin !== self) hub.tell(topics as Topic[])
      },
      () => hub.tell(['jobs']),
    )
    return {
      engine: 'postgres',
      read: pool,
      readSnapshot: (work) =>
        snapshots.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
      ...writing(pool, {
        lock: lockIn(),
        // Sent by the server when the transaction commits. Commits that notify queue behind each other there.
        beforeCommit: async (tx, { topics }) => {
          if (topics.size === 0) return
          await sql`select pg_notify(${channel}, ${[self, ...topics].join(' ')})`.execute(tx)
        },
        afterCommit: (topics) => {
          pruning.perhaps()
          hub.tell(topics)
        },
      }),
      moment,
      momentNow: moment,
      isStill,
      attempts: attemptsInPostgres(counting),
      onAnnounced: hub.on,
      close: async () => {
        await listener.close()
        await question.close()
        await pruning.done()
        await snapshots.destroy()
        await counting.destroy()
        await pool.destroy()
      },
    }
  } catch (error) {
    await question.close()
    await pool.destroy()
    throw error
  }
}

const pruningPause = 60_000

/** Removes what no process needs of the record of commits, once a minute while there are commits. */
function pruneNowAndThen(pool: Db): { perhaps(): void; done(): Promise<void> } {
  let at = performance.now()
  let pruning = Promise.resolve()
  return {
    perhaps() {
      if (performance.now() < at + pruningPause) return
      at = performance.now()
      // What stays is removed the next time.
      pruning = pruneCommits(pool).catch(() => {})
    },
    done: () => pruning,
  }
}

function register(db: Db, engine: Engine): Db {
  engines.set(db.getExecutor().adapter, engine)
  return db
}

function refusingNested(database: Database): Database {
  const insideWrite = new AsyncLocalStorage<{ open: boolean }>()
  async function alone<T>(write: () => Promise<T>): Promise<T> {
    if (insideWrite.getStore()?.open)
      throw new Error('A write inside a write: hand the transaction down instead')
    const inside = { open: true }
    try {
      return await insideWrite.run(inside, write)
    } finally {
      inside.open = false
    }
  }
  return {
    ...database,
    write: (work) => alone(() => database.write(work)),
    writeHolding: (hold, work) => alone(() => database.writeHolding(hold, work)),
  }
}

interface Writing {
  /** How locks are had; undefined where there is one writer anyway. */
  readonly lock: LockIn | undefined
  readonly beforeCommit: (tx: Db, state: WriteState) => Promise<void>
  readonly afterCommit: (topics: Iterable<Topic>) => void
}

function writing(
  db: Db,
  { lock, beforeCommit, afterCommit }: Writing,
): Pick<Database, 'write' | 'writeHolding'> {
  async function once<T>(hold: Hold, work: (tx: Tx) => Promise<T>): Promise<T> {
    const state: WriteState = {
      changed: false,
      concerns: new Set(),
      topics: new Set(),
      hold,
      born: new Set(),
      needed: undefined,
    }
    const locks = lock && (await lock(locksOf(hold)))
    try {
      const result = await db.transaction().execute(async (plain) => {
        await locks?.takeIn(plain)
        const tx = plain.withPlugin(watchWrites(state.concerns)).withPlugin(watch(state)) as unknown as Tx
        writeStates.set(tx, state)
        const answer = await work(tx)
        if (state.needed !== undefined) throw state.needed
        if (state.changed) {
          await recordCommit(plain, lock === undefined ? 'sqlite' : 'postgres', state.concerns)
          await beforeCommit(plain, state)
        }
        return answer
      })
      if (state.changed) afterCommit(state.topics)
      return result
    } finally {
      locks?.release()
    }
  }
  const writeHolding: Database['writeHolding'] = (wanted, work) =>
    retrying(lock === undefined ? 'everything' : wanted, (hold) => once(hold, work))
  return { write: (work) => writeHolding('everything', work), writeHolding }
}

function watch(state: WriteState): KyselyPlugin {
  return {
    transformQuery: ({ node }) => {
      const wider = widerFor(node, state.hold, state.born)
      if (wider !== undefined) need(state, wider)
      return node
    },
    transformResult: async ({ result }) => {
      if (result.numAffectedRows) state.changed = true
      return result
    },
  }
}

function announcements() {
  const listeners = new Map<Topic, Set<() => void>>()
  return {
    on(topic: Topic, listener: () => void): () => void {
      const ofTopic = listeners.get(topic) ?? new Set()
      listeners.set(topic, ofTopic.add(listener))
      return () => void ofTopic.delete(listener)
    },
    tell(topics: Iterable<Topic>): void {
      for (const topic of topics) for (const listener of listeners.get(topic) ?? []) listener()
    },
  }
}

/** Opens the database that the settings name, on either engine. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { KyselyPlugin } from 'kysely'
import type { Database } from './database.js'
import { migrations } from './migrate.js'
import type { Migration } from './migrations/types.js'
import { openSqlite } from './sqlite/open.js'

export interface DatabaseSettings {
  readonly dataFolder: string
  /** `postgres://…`; SQLite in the data folder without it. */
  readonly url?: string | undefined
  /** The schema to bring it up to; the current one by default. */
  readonly migrations?: readonly Migration[]
  /**
   * Rejects a write inside a write, which on one writing connection deadlocks with itself. For tests: it slows
   * every promise of the process, on Node 20 by a quarter of a request.
   */
  readonly rejectsNestedWrites?: boolean
  /** Inspects every statement and may reject it; see cross-tenant.ts. For tests. */
  readonly guard?: KyselyPlugin
  /** The built program of SQLite's writer thread; without it this thread writes everything, and blocks on the disk. */
  readonly writingThread?: URL | undefined
  /** Milliseconds that one statement may take on PostgreSQL. */
  readonly statementTimeout?: number
}

/** Opens the database and brings its schema up to date. */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const { dataFolder, url, migrations: known = migrations, rejectsNestedWrites = false } = settings
  const { statementTimeout, writingThread, guard } = settings
  const database = await (url === undefined
    ? openSqlite(dataFolder, known, writingThread, guard)
    : // Imported on demand: the client takes 11 MB.
      (await import('./postgres/open.js')).openPostgres(url, known, statementTimeout, guard))
  return rejectsNestedWrites ? rejectNestedWrites(database) : database
}

interface OpenWrite {
  readonly database: Database
  readonly outer: OpenWrite | undefined
  isOpen: boolean
}

/** One for all databases of the process: each promise carries the value of each such storage. */
const openWrites = new AsyncLocalStorage<OpenWrite>()

function rejectNestedWrites(database: Database): Database {
  async function alone<T>(write: () => Promise<T>): Promise<T> {
    let outer = openWrites.getStore()
    // What a write has started goes on after its end.
    while (outer && !outer.isOpen) outer = outer.outer
    for (let open = outer; open; open = open.outer) {
      if (open.isOpen && open.database === database)
        throw new Error('A write inside a write: hand the transaction down instead')
    }
    const inside = { database, outer, isOpen: true }
    try {
      return await openWrites.run(inside, write)
    } finally {
      inside.isOpen = false
    }
  }
  return {
    ...database,
    write: (work) => alone(() => database.write(work)),
    writeWithLocks: (scope, work, prefetch) => alone(() => database.writeWithLocks(scope, work, prefetch)),
    writeInBulk: (scope, work) => alone(() => database.writeInBulk(scope, work)),
  }
}

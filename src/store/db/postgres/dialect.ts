/**
 * PostgreSQL as Kysely sees it: a pool, statements prepared by name, numbers where others give text.
 *
 * Also the listener: one connection that hears which process committed something. Does not know any table.
 */
import { createHash } from 'node:crypto'
import pg from 'pg'
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'
import { type LendingDesk, createLendingDesk } from './lost.js'

export type PostgresPool = pg.Pool

/** Statements that one connection keeps prepared; what comes later is parsed each time. */
const statementsKept = 1000

/** Milliseconds that one statement may take. */
const usualPatience = 30_000

export interface PoolSettings {
  /** Milliseconds that one statement may take; without end for those who change the schema. */
  readonly patience?: number
  /** Connections at a time. */
  readonly most?: number
}

/** Opens a pool; nothing is connected before the first query. */
export function connectPostgres(
  url: string,
  { patience = usualPatience, most = 16 }: PoolSettings = {},
): PostgresPool {
  const isEndless = patience === Infinity
  return new pg.Pool({
    connectionString: url,
    max: isEndless ? 1 : most,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    // The server ends what takes too long; a server that is stopped cannot, so the client does a little later.
    ...(!isEndless && { statement_timeout: patience, query_timeout: Math.ceil(patience * 1.1) }),
    ...(!isEndless && { idle_in_transaction_session_timeout: 60_000 }),
    // Who waits for others to write is told so, and not that the server is away.
    ...(!isEndless && { lock_timeout: Math.ceil((patience * 2) / 3) }),
    keepAlive: true,
    application_name: 'octavo',
    types: { getTypeParser },
  })
}

/** int8 (times, sizes, counts) as a number: all of ours stay below 2^53. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')

export function postgresDialect(pool: PostgresPool): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => poolDriver(pool),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

interface PooledConnection extends DatabaseConnection {
  readonly client: pg.PoolClient
}

function poolDriver(pool: PostgresPool): Driver {
  const statements = namedStatements()
  const desk = createLendingDesk(pool)
  const clientOf = (connection: DatabaseConnection) => (connection as PooledConnection).client
  return {
    init: async () => {},
    acquireConnection: async () => pooledConnection(await desk.lend(), desk, statements),
    releaseConnection: async (connection) => desk.takeBack(clientOf(connection)),
    beginTransaction: async (
      connection,
      { isolationLevel = 'read committed', accessMode = 'read write' },
    ) => {
      await desk.ask(clientOf(connection), `begin isolation level ${isolationLevel} ${accessMode}`)
    },
    commitTransaction: (connection) => desk.commit(clientOf(connection)),
    rollbackTransaction: (connection) => desk.rollback(clientOf(connection)),
    destroy: () => pool.end(),
  }
}

function pooledConnection(
  client: pg.PoolClient,
  { ask }: LendingDesk,
  nameOf: (sql: string) => string | undefined,
): PooledConnection {
  return {
    client,
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const name = nameOf(sql)
      const result = await ask(client, { text: sql, values: [...parameters], ...(name ? { name } : {}) })
      const writes = /^(INSERT|UPDATE|DELETE|MERGE)$/.test(result.command)
      return writes
        ? { numAffectedRows: BigInt(result.rowCount ?? 0), rows: result.rows }
        : { rows: result.rows ?? [] }
    },
    streamQuery() {
      throw new Error('Rows are read in pages, not streamed')
    },
  }
}

/**
 * Names for statements worth preparing: those seen a second time, up to a bound, since the server keeps a
 * prepared statement as long as its connection lives. Point reads become about twice as fast by it.
 */
function namedStatements(): (sql: string) => string | undefined {
  const names = new Map<string, string>()
  const seenOnce = new Set<string>()
  return (sql) => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= statementsKept) return known
    if (!seenOnce.delete(sql)) {
      if (seenOnce.size >= statementsKept) seenOnce.clear()
      seenOnce.add(sql)
      return undefined
    }
    const name = createHash('sha256').update(sql).digest('base64url')
    names.set(sql, name)
    return name
  }
}

export interface Listener {
  /** False while the connection is lost: then anything may have been missed. */
  isConnected(): boolean
  close(): Promise<void>
}

/**
 * Listens on a channel and hands over each payload; connects again by itself, and then calls `reconnected`.
 * A silent connection is asked every ten seconds whether it still lives.
 */
export async function listen(
  url: string,
  channel: string,
  heard: (payload: string) => void,
  reconnected: () => void,
): Promise<Listener> {
  let client: pg.Client | undefined
  let closed = false
  let timer: NodeJS.Timeout | undefined

  async function connect(ready: () => void): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      query_timeout: 5_000,
      application_name: 'octavo listener',
    })
    next.on('error', () => lose(next))
    next.on('end', () => lose(next))
    next.on('notification', (message) => heard(message.payload ?? ''))
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
    } catch (error) {
      await next.end().catch(() => {})
      throw error
    }
    if (closed) return next.end()
    client = next
    // In the same breath: between the two, an old answer would look current.
    ready()
    plan(10_000, () => beat(next))
  }

  function lose(lost: pg.Client): void {
    if (client !== lost) return
    client = undefined
    lost.end().catch(() => {})
    if (!closed) plan(100, reconnect)
  }

  function reconnect(): void {
    connect(reconnected).catch(() => plan(1_000, reconnect))
  }

  function beat(current: pg.Client): void {
    current.query('select 1').then(
      () => client === current && plan(10_000, () => beat(current)),
      () => lose(current),
    )
  }

  function plan(milliseconds: number, action: () => void): void {
    clearTimeout(timer)
    if (!closed) timer = setTimeout(action, milliseconds).unref()
  }

  await connect(() => {})
  return {
    isConnected: () => client !== undefined,
    close: async () => {
      closed = true
      clearTimeout(timer)
      const last = client
      client = undefined
      await last?.end()
    },
  }
}

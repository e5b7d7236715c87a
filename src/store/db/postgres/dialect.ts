/**
 * Kysely dialect of PostgreSQL: a connection pool, pipelining, named prepared statements, int8 parsed as numbers.
 *
 * Also the listener: one connection that receives announcements of other processes. Does not know any table.
 */
import { createHash } from 'node:crypto'
import pg from 'pg'
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type {
  CompiledQuery,
  DatabaseConnection,
  Dialect,
  Driver,
  QueryResult,
  TransactionSettings,
} from 'kysely'
import type { TransactionConnection } from '../concurrent-transaction.js'
import { type ClientPool, createClientPool } from './client-pool.js'

export type PostgresPool = pg.Pool

/** Prepared statements per connection; later ones are parsed each time. */
const maxPreparedStatements = 1000

/** Milliseconds that one statement may take. */
const defaultStatementTimeout = 30_000

export interface PoolSettings {
  /** Milliseconds; Infinity for migrations. */
  readonly statementTimeout?: number
  /** Concurrent connections. */
  readonly maxConnections?: number
}

/** Opens a pool; nothing is connected before the first query. */
export function connectPostgres(
  url: string,
  { statementTimeout = defaultStatementTimeout, maxConnections = 16 }: PoolSettings = {},
): PostgresPool {
  const isEndless = statementTimeout === Infinity
  return new pg.Pool({
    connectionString: url,
    max: isEndless ? 1 : maxConnections,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    // The server cancels slow statements; a hanging server cannot, so the client gives up a little later.
    ...(!isEndless && {
      statement_timeout: statementTimeout,
      query_timeout: Math.ceil(statementTimeout * 1.1),
    }),
    ...(!isEndless && { idle_in_transaction_session_timeout: 60_000 }),
    // Waiting for another writer's lock is a different error than an unavailable server.
    ...(!isEndless && { lock_timeout: Math.ceil((statementTimeout * 2) / 3) }),
    keepAlive: true,
    pipeline: true,
    application_name: 'octavo',
    types: { getTypeParser },
  })
}

/** Parses int8 (times, sizes, counts) as numbers: ours are below 2^53. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')

/** `onRoundTrip` is called for each group of statements that is sent together. */
export function postgresDialect(pool: PostgresPool, onRoundTrip: () => void = () => {}): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => poolDriver(pool, onRoundTrip),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

interface PooledConnection extends TransactionConnection {
  readonly client: pg.PoolClient
  begin(settings?: TransactionSettings): Promise<void>
}

function poolDriver(pool: PostgresPool, onRoundTrip: () => void): Driver {
  const statements = namedStatements()
  const clients = createClientPool(pool, onRoundTrip)
  const pooled = (connection: DatabaseConnection) => connection as PooledConnection
  return {
    init: async () => {},
    acquireConnection: async () => pooledConnection(await clients.acquire(), clients, statements),
    releaseConnection: async (connection) => clients.release(pooled(connection).client),
    beginTransaction: (connection, settings) => pooled(connection).begin(settings),
    commitTransaction: (connection) => pooled(connection).commit(),
    rollbackTransaction: (connection) => pooled(connection).rollback(),
    destroy: () => pool.end(),
  }
}

function pooledConnection(
  client: pg.PoolClient,
  { query, commit, rollback }: ClientPool,
  nameOf: (sql: string) => string | undefined,
): PooledConnection {
  let begun: Promise<unknown> | undefined
  return {
    client,
    // Sent with the first statement. If it fails, so does that one, and writes wait for it: none is executed without it.
    async begin({ isolationLevel = 'read committed', accessMode = 'read write' }: TransactionSettings = {}) {
      begun = query(client, `begin isolation level ${isolationLevel} ${accessMode}`)
      begun.then(
        () => (begun = undefined),
        () => {},
      )
    },
    async commit() {
      await begun
      await commit(client)
    },
    rollback: () => rollback(client),
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      if (begun !== undefined && /\b(?:insert|update|delete)\b/i.test(sql)) await begun
      const name = nameOf(sql)
      const result = await query(client, { text: sql, values: [...parameters], ...(name ? { name } : {}) })
      if (begun !== undefined) await begun
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
 * Returns names for statements worth preparing: those used a second time, up to a bound, since the server keeps a
 * prepared statement as long as its connection. Point reads become about twice as fast.
 */
function namedStatements(): (sql: string) => string | undefined {
  const names = new Map<string, string>()
  const usedOnce = new Set<string>()
  return (sql) => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= maxPreparedStatements) return known
    if (!usedOnce.delete(sql)) {
      if (usedOnce.size >= maxPreparedStatements) usedOnce.clear()
      usedOnce.add(sql)
      return undefined
    }
    const name = createHash('sha256').update(sql).digest('base64url')
    names.set(sql, name)
    return name
  }
}

export interface ChannelListener {
  /** False while the connection is lost: then anything may have been missed. */
  isConnected(): boolean
  close(): Promise<void>
}

/**
 * Listens on a channel and passes each payload to `onPayload`; reconnects automatically, and then calls `onReconnect`.
 * Sends a heartbeat every ten seconds.
 */
export async function listenOnChannel(
  url: string,
  channel: string,
  onPayload: (payload: string) => void,
  onReconnect: () => void,
): Promise<ChannelListener> {
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
    next.on('notification', (message) => onPayload(message.payload ?? ''))
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
    } catch (error) {
      await next.end().catch(() => {})
      throw error
    }
    if (closed) return next.end()
    client = next
    // In the same turn of the event loop: between the two, a stale response would look current.
    ready()
    schedule(10_000, () => sendHeartbeat(next))
  }

  function lose(lost: pg.Client): void {
    if (client !== lost) return
    client = undefined
    lost.end().catch(() => {})
    if (!closed) schedule(100, reconnect)
  }

  function reconnect(): void {
    connect(onReconnect).catch(() => schedule(1_000, reconnect))
  }

  function sendHeartbeat(current: pg.Client): void {
    current.query('select 1').then(
      () => client === current && schedule(10_000, () => sendHeartbeat(current)),
      () => lose(current),
    )
  }

  function schedule(milliseconds: number, action: () => void): void {
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

/**
 * Data versions on PostgreSQL: one polling query on its own connection, shared by all requests that wait for it.
 *
 * Sent after a request arrived, it returns every commit that any process acknowledged before. A request that arrives
 * while it is running waits for the next one. It never fails: while the connection is lost or silent, all caches are
 * invalid.
 */
import pg from 'pg'
import { type CommitLog, type DataVersion, createCommitLog } from '../commits.js'

/** Timeout of the query, after which the connection is replaced; in milliseconds. */
const queryTimeout = 2_000
const reconnectDelay = 500

/**
 * `$1` and `$2` are the snapshot and the time of the previous poll. A commit is new when its transaction was not visible
 * in that snapshot. None is missing when the log begins before the first invisible one; a long-running transaction of
 * another client makes that one very old, but rows stay for ten minutes, so then the time decides.
 */
const pollQuery = `
  select now::text as snapshot, extract(epoch from clock_timestamp())::float8 as seconds,
    coalesce(begin <= pg_snapshot_xmin($1::pg_snapshot) or
      (begin <= pg_snapshot_xmax($1::pg_snapshot) and extract(epoch from clock_timestamp())::float8 - $2::float8 between 0 and 300), false
    ) as is_whole,
    array(
      select concerns from commits where xid >= pg_snapshot_xmin($1::pg_snapshot) and not pg_visible_in_snapshot(xid, $1::pg_snapshot)
    ) as concerns
  from pg_current_snapshot() as now, (select (select xid from commits order by xid limit 1) as begin) as record`

interface FeedRow {
  readonly snapshot: string
  readonly seconds: number
  readonly is_whole: boolean
  readonly concerns: readonly string[]
}

export interface CommitFeed extends CommitLog {
  dataVersion(): Promise<DataVersion>
  close(): Promise<void>
}

/** `onRoundTrip` is called for each query. */
export async function followCommits(url: string, onRoundTrip: () => void): Promise<CommitFeed> {
  const log = createCommitLog()
  let client: pg.Client | undefined
  let last: FeedRow | undefined
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let isPolling = false
  let next:
    | { readonly answer: Promise<DataVersion>; readonly resolve: (version: DataVersion) => void }
    | undefined

  async function connect(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      query_timeout: queryTimeout,
      application_name: 'octavo moments',
    })
    fresh.on('error', () => lose(fresh))
    fresh.on('end', () => lose(fresh))
    await fresh.connect()
    if (closed) return fresh.end()
    client = fresh
    last = undefined
  }

  function lose(lost: pg.Client): void {
    if (client !== lost) return
    client = undefined
    // Destroyed, because an orderly end would wait for a silent server.
    ;(lost as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    reconnectLater()
  }

  function reconnectLater(): void {
    if (closed) return
    clearTimeout(timer)
    timer = setTimeout(() => void connect().catch(reconnectLater), reconnectDelay).unref()
  }

  async function poll(): Promise<DataVersion> {
    const polled = client
    if (polled === undefined) return log.record(['everybody'])
    try {
      onRoundTrip()
      const values = [last?.snapshot ?? '1:1:', last?.seconds ?? 0]
      const { rows } = await polled.query<FeedRow>({ name: 'moments', text: pollQuery, values })
      const isFirst = last === undefined
      last = rows[0]!
      if (isFirst || !last.is_whole) return log.record(['everybody'])
      return last.concerns.length === 0
        ? log.now()
        : log.record(last.concerns.flatMap((one) => one.split(' ')))
    } catch {
      lose(polled)
      return log.record(['everybody'])
    }
  }

  async function pollAll(): Promise<void> {
    isPolling = true
    while (next !== undefined) {
      const { resolve } = next
      next = undefined
      resolve(await poll())
    }
    isPolling = false
  }

  await connect()
  return {
    ...log,
    dataVersion() {
      if (next === undefined) {
        let resolve = (_version: DataVersion) => {}
        next = { answer: new Promise((done) => (resolve = done)), resolve: (moment) => resolve(moment) }
        // After all requests of this turn of the event loop: one query instead of one for the first and one for the rest.
        if (!isPolling) setImmediate(() => void (isPolling || pollAll()))
      }
      return next.answer
    },
    async close() {
      closed = true
      clearTimeout(timer)
      const last = client
      client = undefined
      await last?.end()
    },
  }
}

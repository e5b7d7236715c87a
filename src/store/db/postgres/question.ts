/**
 * PostgreSQL's moments: one question on a connection of its own, shared by all requests that wait for it.
 *
 * Asked after a request came in, its answer knows of every commit that was acknowledged before, by whichever process.
 * A request that comes in while it is on its way waits for the next one. It never fails: while the connection is
 * lost or silent, nothing that is kept is believed.
 */
import pg from 'pg'
import { type CommitLog, type Moment, createCommitLog } from '../commits.js'

/** A connection that says nothing for so long is given up; in milliseconds. */
const patience = 2_000
const pauseBeforeReconnecting = 500

/**
 * `$1` and `$2` are the snapshot and the time of the question before. A commit is new when its transaction was not visible
 * in that snapshot. None is missing when the record begins before the first that was not; a transaction that
 * somebody holds open elsewhere makes that one very old, but rows stay for ten minutes, so then the time tells.
 */
const question = `
  select now::text as snapshot, extract(epoch from clock_timestamp())::float8 as seconds,
    coalesce(begin <= pg_snapshot_xmin($1::pg_snapshot) or
      (begin <= pg_snapshot_xmax($1::pg_snapshot) and extract(epoch from clock_timestamp())::float8 - $2::float8 between 0 and 300), false
    ) as is_whole,
    array(
      select concerns from commits where xid >= pg_snapshot_xmin($1::pg_snapshot) and not pg_visible_in_snapshot(xid, $1::pg_snapshot)
    ) as concerns
  from pg_current_snapshot() as now, (select (select xid from commits order by xid limit 1) as begin) as record`

interface Answer {
  readonly snapshot: string
  readonly seconds: number
  readonly is_whole: boolean
  readonly concerns: readonly string[]
}

export interface Question extends CommitLog {
  moment(): Promise<Moment>
  close(): Promise<void>
}

export async function askCommits(url: string): Promise<Question> {
  const log = createCommitLog()
  let client: pg.Client | undefined
  let last: Answer | undefined
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let isAsking = false
  let next: { readonly answer: Promise<Moment>; readonly resolve: (moment: Moment) => void } | undefined

  async function connect(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      query_timeout: patience,
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
    // A silent server would keep a polite farewell waiting.
    ;(lost as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    reconnectLater()
  }

  function reconnectLater(): void {
    if (closed) return
    clearTimeout(timer)
    timer = setTimeout(() => void connect().catch(reconnectLater), pauseBeforeReconnecting).unref()
  }

  async function ask(): Promise<Moment> {
    const asked = client
    if (asked === undefined) return log.follow(['everybody'])
    try {
      const values = [last?.snapshot ?? '1:1:', last?.seconds ?? 0]
      const { rows } = await asked.query<Answer>({ name: 'moments', text: question, values })
      const isFirst = last === undefined
      last = rows[0]!
      if (isFirst || !last.is_whole) return log.follow(['everybody'])
      return last.concerns.length === 0
        ? log.now()
        : log.follow(last.concerns.flatMap((one) => one.split(' ')))
    } catch {
      lose(asked)
      return log.follow(['everybody'])
    }
  }

  async function askAll(): Promise<void> {
    isAsking = true
    while (next !== undefined) {
      const { resolve } = next
      next = undefined
      resolve(await ask())
    }
    isAsking = false
  }

  await connect()
  return {
    ...log,
    moment() {
      if (next === undefined) {
        let resolve = (_moment: Moment) => {}
        next = { answer: new Promise((done) => (resolve = done)), resolve: (moment) => resolve(moment) }
        // After all that came in together: one question instead of one for the first and one for the rest.
        if (!isAsking) setImmediate(() => void (isAsking || askAll()))
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

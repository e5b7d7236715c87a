/**
 * Connection pool of PostgreSQL with errors by class, whose connections may break at any time.
 *
 * An acquired connection has no other error listener, and an unhandled `error` event ends the process. So each has one
 * for its lifetime; a broken connection is never reused, and its users get `DatabaseUnavailable`.
 */
import type { Writable } from 'node:stream'
import type pg from 'pg'
import { DatabaseDamaged, DatabaseUnavailable, OutcomeUnknown, StorageFull } from '../unavailable.js'

export interface ClientPool {
  /** Returns a connection of the pool. */
  acquire(): Promise<pg.PoolClient>
  /** Returns it to the pool, or discards it if it is broken. */
  release(client: pg.PoolClient): void
  /** Sends a statement without waiting for the results of earlier ones (pipelining); executed in order. */
  query(client: pg.PoolClient, query: pg.QueryConfig | string): Promise<pg.QueryResult>
  /** Resolves only when the server confirmed the commit; throws `OutcomeUnknown` when it did not reply. */
  commit(client: pg.PoolClient): Promise<void>
  /** Never throws: a transaction that cannot be rolled back ends with its connection. */
  rollback(client: pg.PoolClient): Promise<void>
}

/** `onRoundTrip` is called for each group of statements that is sent together. */
export function createClientPool(pool: pg.Pool, onRoundTrip: () => void): ClientPool {
  const broken = new WeakSet<pg.PoolClient>()
  pool.on('connect', (client) => client.on('error', () => broken.add(client)))
  // A broken idle connection is removed by the pool itself; without a listener its error would end the process.
  pool.on('error', () => {})

  /** Returns whether the connection is lost, and marks it as broken. */
  function isLost(client: pg.PoolClient, error: unknown): boolean {
    if (isConnectionError(error)) broken.add(client)
    return broken.has(client)
  }

  const sending = new WeakSet<pg.PoolClient>()

  /** Collects what is sent in this turn of the event loop, so that it arrives at the server at once. */
  function send(client: pg.PoolClient, query: pg.QueryConfig | string): Promise<pg.QueryResult> {
    if (!sending.has(client)) {
      sending.add(client)
      onRoundTrip()
      const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
      stream.cork()
      // After all promises that are settled by now have continued.
      process.nextTick(() => {
        sending.delete(client)
        stream.uncork()
      })
    }
    return client.query(query)
  }

  return {
    async acquire() {
      try {
        return await pool.connect()
      } catch (error) {
        throw new DatabaseUnavailable(error)
      }
    },
    release: (client) => client.release(broken.has(client)),
    async query(client, query) {
      try {
        return await send(client, query)
      } catch (error) {
        if (isFull(error)) throw new StorageFull(error)
        if (isDamaged(error)) throw new DatabaseDamaged(error)
        if (isLost(client, error) || isStatementTimeout(error)) throw new DatabaseUnavailable(error)
        throw error
      }
    },
    async commit(client) {
      if (broken.has(client))
        throw new DatabaseUnavailable(new Error('the connection broke before the commit'))
      let command: string
      try {
        command = (await send(client, 'commit')).command
      } catch (error) {
        if (isLost(client, error)) throw new OutcomeUnknown(error)
        if (isFull(error)) throw new StorageFull(error)
        throw error
      }
      // PostgreSQL replies ROLLBACK, without an error, to a commit after a failed statement.
      if (command !== 'COMMIT') throw new Error('The transaction had failed before and was rolled back')
    },
    async rollback(client) {
      if (broken.has(client)) return
      await send(client, 'rollback').catch(() => broken.add(client))
    },
  }
}

/** Messages of the client for a closed or silent connection; they have no code. */
const connectionErrorPattern =
  /^(?:Connection terminated|Query read timeout|Client (?:was closed|has encountered))/

function isConnectionError(error: unknown): boolean {
  const { code = '', severity, message } = error as { code?: string; severity?: string; message: string }
  // System errors (ECONNRESET), connection errors (08), a server that stops or starts (57P), and all fatal errors.
  return (
    severity === 'FATAL' ||
    severity === 'PANIC' ||
    /^(?:E[A-Z]+$|08|57P)/.test(code) ||
    connectionErrorPattern.test(message)
  )
}

/** A statement exceeded its timeout; lock timeouts are handled in retry-transaction.ts. */
function isStatementTimeout(error: unknown): boolean {
  return (error as { code?: string }).code === '57014'
}

function isFull(error: unknown): boolean {
  return (error as { code?: string }).code === '53100'
}

/** PostgreSQL reports a corrupt page or index. */
function isDamaged(error: unknown): boolean {
  return /^XX00[12]$/.test((error as { code?: string }).code ?? '')
}

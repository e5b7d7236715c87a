/**
 * Asking PostgreSQL through a connection that may be lost at any moment.
 *
 * A connection that is lent has nobody else who hears that it broke, and an error that nobody hears ends the process.
 * So each is listened to for its whole life; what broke is never lent again, and whoever uses it is told so in one way.
 */
import type pg from 'pg'
import { DatabaseDamaged, DatabaseUnavailable, OutcomeUnknown, StorageFull } from '../unavailable.js'

export interface LendingDesk {
  /** Answers a connection of the pool. */
  lend(): Promise<pg.PoolClient>
  /** Takes it back, or throws it away when it broke. */
  takeBack(client: pg.PoolClient): void
  ask(client: pg.PoolClient, query: pg.QueryConfig | string): Promise<pg.QueryResult>
  /** Resolves only when the server said that it is done; `OutcomeUnknown` when it said nothing. */
  commit(client: pg.PoolClient): Promise<void>
  /** Never throws: a transaction that cannot be rolled back ends with its connection. */
  rollback(client: pg.PoolClient): Promise<void>
}

export function createLendingDesk(pool: pg.Pool): LendingDesk {
  const broken = new WeakSet<pg.PoolClient>()
  pool.on('connect', (client) => client.on('error', () => broken.add(client)))
  // An idle connection that breaks leaves the pool by itself; without a listener it would end the process.
  pool.on('error', () => {})

  /** Answers whether the connection is lost, and remembers it. */
  function isLost(client: pg.PoolClient, error: unknown): boolean {
    if (saysLost(error)) broken.add(client)
    return broken.has(client)
  }

  return {
    async lend() {
      try {
        return await pool.connect()
      } catch (error) {
        throw new DatabaseUnavailable(error)
      }
    },
    takeBack: (client) => client.release(broken.has(client)),
    async ask(client, query) {
      try {
        return await client.query(query)
      } catch (error) {
        if (isFull(error)) throw new StorageFull(error)
        if (isDamaged(error)) throw new DatabaseDamaged(error)
        if (isLost(client, error) || isOverdue(error)) throw new DatabaseUnavailable(error)
        throw error
      }
    },
    async commit(client) {
      if (broken.has(client))
        throw new DatabaseUnavailable(new Error('the connection broke before the commit'))
      let command: string
      try {
        command = (await client.query('commit')).command
      } catch (error) {
        if (isLost(client, error)) throw new OutcomeUnknown(error)
        if (isFull(error)) throw new StorageFull(error)
        throw error
      }
      // What PostgreSQL answers, without an error, for a transaction in which a statement failed.
      if (command !== 'COMMIT') throw new Error('The transaction had failed before and was rolled back')
    },
    async rollback(client) {
      if (broken.has(client)) return
      await client.query('rollback').catch(() => broken.add(client))
    },
  }
}

/** Words of the client for a connection that ended or stayed silent; they come without a code. */
const lostWords = /^(?:Connection terminated|Query read timeout|Client (?:was closed|has encountered))/

function saysLost(error: unknown): boolean {
  const { code = '', severity, message } = error as { code?: string; severity?: string; message: string }
  // Errors of the system (ECONNRESET), of the connection (08), of a server that stops or starts (57P), and all fatal ones.
  return (
    severity === 'FATAL' ||
    severity === 'PANIC' ||
    /^(?:E[A-Z]+$|08|57P)/.test(code) ||
    lostWords.test(message)
  )
}

/** Longer than a statement may take; who waited for a lock that was not given is told so elsewhere. */
function isOverdue(error: unknown): boolean {
  return (error as { code?: string }).code === '57014'
}

function isFull(error: unknown): boolean {
  return (error as { code?: string }).code === '53100'
}

/** A page or an index that PostgreSQL itself finds wrong. */
function isDamaged(error: unknown): boolean {
  return /^XX00[12]$/.test((error as { code?: string }).code ?? '')
}

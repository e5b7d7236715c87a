/**
 * Transactions whose statements may be sent concurrently: on PostgreSQL, those that are sent in one turn of the event loop
 * take one round trip (pipelining). A transaction of Kysely would send each after the result of the one before.
 *
 * Statements are executed in the order in which they were sent, and none after the end: one that is still to be sent when
 * another has failed is refused, since it would be executed outside of the transaction.
 */
import { type DatabaseConnection, type Dialect, type Driver, Transaction } from 'kysely'
import type { Db } from './database.js'
import type { Tables } from './tables.js'
import { OutcomeUnknown } from './unavailable.js'

export interface TransactionConnection extends DatabaseConnection {
  begin(): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
}

interface TransactionSteps<Result> {
  readonly work: (tx: Db) => Promise<Result>
  /** The last statements; undefined for none. */
  readonly beforeCommit: (tx: Db) => Promise<void> | undefined
  /** True where a failed statement makes the commit fail, so that the commit is sent with the last statements. */
  readonly failsAsWhole: boolean
}

/** Runs the work in a transaction and commits it; any error rolls it back. */
export function runTransaction<Result>(
  db: Db,
  { work, beforeCommit, failsAsWhole }: TransactionSteps<Result>,
): Promise<Result> {
  const executor = db.getExecutor()
  return executor.provideConnection(async (acquired) => {
    const connection = acquired as TransactionConnection
    let isOver = false
    const tx = new Transaction<Tables>({
      ...unusedParts,
      executor: executor.withConnectionProvider({
        async provideConnection(use) {
          if (isOver) throw new Error('The transaction is over')
          return use(connection)
        },
      }),
    })
    await connection.begin()
    try {
      const result = await work(tx)
      const last = beforeCommit(tx)
      if (!failsAsWhole) await last
      isOver = true
      await requireCommit(last, connection.commit())
      return result
    } catch (error) {
      isOver = true
      await connection.rollback()
      throw error
    }
  })
}

/** Throws the error of the last statements, which explains that of the commit; except when the outcome is unknown. */
async function requireCommit(last: Promise<void> | undefined, commit: Promise<void>): Promise<void> {
  const [written, committed] = await Promise.allSettled([last, commit])
  const failed = [committed, written].filter((result) => result.status === 'rejected')
  if (failed.length > 0)
    throw (failed.find(({ reason }) => reason instanceof OutcomeUnknown) ?? failed.at(-1)!).reason
}

/** A transaction executes everything by its executor. */
const unusedParts = { config: { dialect: {} as Dialect }, driver: {} as Driver, dialect: {} as Dialect }

/** Opens PostgreSQL: a pool, separate connections for what must not wait for it, and one that listens to other processes. */
import { randomUUID } from 'node:crypto'
import { Kysely, type KyselyPlugin, sql } from 'kysely'
import { createAnnouncements } from '../announcements.js'
import { attemptsInPostgres } from '../attempts.js'
import { createRates, mergeCountsInPostgres } from '../request-rates.js'
import { pruneCommits } from '../commits.js'
import { type Database, type Db, type Topic, register } from '../database.js'
import { migrate } from '../migrate.js'
import type { Migration } from '../migrations/types.js'
import { createAdvisoryLocks } from '../retry-transaction.js'
import { type PoolSettings, connectPostgres, listenOnChannel, postgresDialect } from './dialect.js'
import { followCommits } from './commit-feed.js'
import type { Tables } from '../tables.js'
import { createWriter } from '../transactions.js'

const channel = 'octavo'

/** Connects to a server; `statementTimeout` is in milliseconds. */
export async function openPostgres(
  url: string,
  known: readonly Migration[],
  statementTimeout: number | undefined,
  guard: KyselyPlugin | undefined,
): Promise<Database> {
  const migrating = new Kysely<Tables>({
    dialect: postgresDialect(connectPostgres(url, { statementTimeout: Infinity })),
  })
  await migrate(migrating, 'postgres', known).finally(() => migrating.destroy())
  const settings = statementTimeout === undefined ? {} : { statementTimeout }
  let roundTrips = 0
  const noteRoundTrip = () => void (roundTrips += 1)
  const open = (own: PoolSettings) => {
    const dialect = postgresDialect(connectPostgres(url, { ...settings, ...own }), noteRoundTrip)
    return register(new Kysely<Tables>({ dialect }), 'postgres', guard)
  }
  const pool = open({})
  // Separate pools: a holder of a connection of one that needs another never waits for others that do the same.
  const snapshots = open({ maxConnections: 4 })
  const counting = open({ maxConnections: 2 })
  const commitFeed = await followCommits(url, noteRoundTrip).catch(async (error: unknown) => {
    await pool.destroy()
    throw error
  })
  try {
    const self = randomUUID()
    const announcements = createAnnouncements()
    const { dataVersion, isUnchanged } = commitFeed
    const rates = createRates(mergeCountsInPostgres(counting))
    const pruning = createPruning(pool)
    const listener = await listenOnChannel(
      url,
      channel,
      (payload) => {
        const [origin, ...topics] = payload.split(' ')
        // Those of this process were published after their commit.
        if (origin !== self) announcements.publish(topics as Topic[])
      },
      () => announcements.publish(['jobs']),
    )
    const writer = createWriter(pool, {
      lock: createAdvisoryLocks(),
      // Sent by the server when the transaction commits. Commits that notify are serialized there.
      beforeCommit: async (tx, { topics }) => {
        if (topics.size === 0) return
        await sql`select pg_notify(${channel}, ${[self, ...topics].join(' ')})`.execute(tx)
      },
      afterCommit: (topics) => {
        pruning.ifDue()
        announcements.publish(topics)
      },
    })
    return {
      engine: 'postgres',
      read: pool,
      readSnapshot: (work) =>
        snapshots.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
      ...writer,
      writeInBulk: writer.writeWithLocks,
      dataVersion,
      currentVersion: dataVersion,
      isUnchanged,
      attempts: attemptsInPostgres(counting),
      rates,
      onAnnounced: announcements.on,
      roundTrips: () => roundTrips,
      close: async () => {
        await listener.close()
        await commitFeed.close()
        await pruning.done()
        await snapshots.destroy()
        await rates.close()
        await counting.destroy()
        await pool.destroy()
      },
    }
  } catch (error) {
    await commitFeed.close()
    await pool.destroy()
    throw error
  }
}

const pruneInterval = 60_000

/** Prunes the commit log, once a minute while there are commits. */
function createPruning(pool: Db): { ifDue(): void; done(): Promise<void> } {
  let at = performance.now()
  let pruning = Promise.resolve()
  return {
    ifDue() {
      if (performance.now() < at + pruneInterval) return
      at = performance.now()
      // After an error the next run removes the rows.
      pruning = pruneCommits(pool).catch(() => {})
    },
    done: () => pruning,
  }
}

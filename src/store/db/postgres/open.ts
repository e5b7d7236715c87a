/** PostgreSQL opened: a pool, connections for what must not wait for it, and one that listens to other processes. */
import { randomUUID } from 'node:crypto'
import { Kysely, type KyselyPlugin, sql } from 'kysely'
import { createAnnouncements } from '../announcements.js'
import { attemptsInPostgres } from '../attempts.js'
import { createRates, throughPostgres } from '../rates.js'
import { pruneCommits } from '../commits.js'
import { type Database, type Db, type Topic, register } from '../database.js'
import { migrate } from '../migrate.js'
import type { Migration } from '../migrations/types.js'
import { lockIn } from '../retry-transaction.js'
import { type PoolSettings, connectPostgres, listen, postgresDialect } from './dialect.js'
import { askCommits } from './question.js'
import type { Tables } from '../tables.js'
import { writing } from '../transactions.js'

const channel = 'octavo'

/** Connects to a server; `patience` is the milliseconds that one statement may take. */
export async function openPostgres(
  url: string,
  known: readonly Migration[],
  patience: number | undefined,
  guard: KyselyPlugin | undefined,
): Promise<Database> {
  const migrating = new Kysely<Tables>({
    dialect: postgresDialect(connectPostgres(url, { patience: Infinity })),
  })
  await migrate(migrating, 'postgres', known).finally(() => migrating.destroy())
  const settings = patience === undefined ? {} : { patience }
  const open = (own: PoolSettings) =>
    register(
      new Kysely<Tables>({ dialect: postgresDialect(connectPostgres(url, { ...settings, ...own })) }),
      'postgres',
      guard,
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
    const hub = createAnnouncements()
    const { moment, isStill } = question
    const rates = createRates(throughPostgres(counting))
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
      rates,
      onAnnounced: hub.on,
      close: async () => {
        await listener.close()
        await question.close()
        await pruning.done()
        await snapshots.destroy()
        await rates.close()
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

/** Writes the commit log: a row for each commit with its cache tags, which other processes read (`commits.ts`). */
import type { Kysely } from 'kysely'
import type { CommitTags } from './commit-tags.js'
import type { Engine } from './engine.js'
import { prepared } from './prepared.js'
import type { Tables } from './tables.js'

const insertCommit = prepared<{ readonly concerns: string }>()((db, { concerns }) =>
  db.insertInto('commits').values({ concerns }).returning('id'),
)

/** Rows of the log that SQLite retains; a process that missed more invalidates its whole cache. */
const retainedRows = 1_000

/** Writes the cache tags of a transaction; the last statement before it commits. */
export async function recordCommit(tx: Kysely<Tables>, engine: Engine, tags: CommitTags): Promise<void> {
  const concerns = tags.has('everybody') ? 'everybody' : [...tags].join(' ')
  const { id } = (await insertCommit(tx, { concerns })).rows[0]!
  if (engine === 'sqlite' && id % 250 === 0) {
    await tx
      .deleteFrom('commits')
      .where('id', '<', id - retainedRows)
      .execute()
  }
}

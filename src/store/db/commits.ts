/**
 * How this process knows what it may still believe: which commits it has seen, and whom each concerned.
 *
 * A moment is a place in the order in which this process saw commits. What was read after a moment holds as long as
 * nothing that it follows from was committed since. The record of commits stands in the database; how it is asked
 * differs by engine, and is asked after a request came in, so that nothing acknowledged before can be missing.
 */
import { type Kysely, sql } from 'kysely'
import type { Engine } from './engine.js'
import type { Tables } from './tables.js'
import type { Concern, Concerns } from './affected-tables.js'

/** A place in the order of commits, as one process saw them. */
export type Moment = number

export interface CommitLog {
  /** The moment after the last commit that is known of. */
  now(): Moment
  /** Takes in commits; answers the moment after them. */
  follow(concerns: Iterable<string>): Moment
  /** True while nothing is known to be committed since the moment that concerns any of these. */
  isStill(since: Moment, concerns: readonly Concern[]): boolean
}

/** Organizations whose last commit is remembered one by one; of the others, only that it lies before that of these. */
const remembered = 10_000

export function createCommitLog(): CommitLog {
  let moment = 0
  let lastOfAll = 0
  /** The last commit of those that are not remembered by name. */
  let lastOfOthers = 0
  const last = new Map<string, Moment>()

  function note(concern: string): void {
    if (concern === 'everybody') {
      lastOfAll = moment
      last.clear()
      return
    }
    last.delete(concern)
    last.set(concern, moment)
    if (last.size <= remembered) return
    const [oldest, at] = last.entries().next().value!
    last.delete(oldest)
    lastOfOthers = at
  }

  return {
    now: () => moment,
    follow(concerns) {
      moment += 1
      for (const concern of concerns) if (concern !== '') note(concern)
      return moment
    },
    isStill(since, concerns) {
      if (since < lastOfAll) return false
      for (const concern of concerns) if ((last.get(concern) ?? lastOfOthers) > since) return false
      return true
    },
  }
}

/** Rows of the record that SQLite keeps; a process that slept through more forgets all that it kept. */
const rowsKept = 1_000

/** Writes down whom a transaction concerns; the last statement before it commits. */
export async function recordCommit(tx: Kysely<Tables>, engine: Engine, concerns: Concerns): Promise<void> {
  const { id } = await tx
    .insertInto('commits')
    .values({ concerns: concerns.has('everybody') ? 'everybody' : [...concerns].join(' ') })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (engine === 'sqlite' && id % 250 === 0) {
    await tx
      .deleteFrom('commits')
      .where('id', '<', id - rowsKept)
      .execute()
  }
}

/**
 * Removes rows of PostgreSQL's record that are older than ten minutes, always from its beginning: what stands
 * first tells every process whether it has missed anything. What another cluster's transactions left goes too.
 */
export async function pruneCommits(db: Kysely<Tables>): Promise<void> {
  await sql`delete from commits
    where xid < (select xid from commits where at < clock_timestamp() - interval '10 minutes' order by xid desc limit 1)
       or xid >= pg_snapshot_xmax(pg_current_snapshot())`.execute(db)
}

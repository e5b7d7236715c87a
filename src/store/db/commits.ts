/**
 * Commit log for cache invalidation: the commits that this process knows, with their cache tags.
 *
 * A data version is a position in the order in which this process learned of commits. What was read at a version is
 * current as long as no later commit carries one of its tags. Commits are recorded in a table; how it is polled differs
 * by engine, and it is polled after a request arrived, so that no commit acknowledged before is missing.
 */
import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.js'
import type { CacheTag } from './commit-tags.js'

/** A position in the order of commits, as one process learned of them. */
export type DataVersion = number

export interface CommitLog {
  /** The version after the last known commit. */
  now(): DataVersion
  /** Records commits; returns the version after them. */
  record(tags: Iterable<string>): DataVersion
  /** True while no commit since the version is known that carries one of these tags. */
  isUnchanged(since: DataVersion, tags: readonly CacheTag[]): boolean
}

/** Tags whose last commit is tracked one by one; of all others, only that it is before that of these. */
const maxTrackedTags = 10_000

export function createCommitLog(): CommitLog {
  let version = 0
  let lastOfAll = 0
  /** The last commit of tags that are not tracked. */
  let lastOfOthers = 0
  const last = new Map<string, DataVersion>()

  function note(tag: string): void {
    if (tag === 'everybody') {
      lastOfAll = version
      last.clear()
      return
    }
    last.delete(tag)
    last.set(tag, version)
    if (last.size <= maxTrackedTags) return
    const [oldest, at] = last.entries().next().value!
    last.delete(oldest)
    lastOfOthers = at
  }

  return {
    now: () => version,
    record(tags) {
      version += 1
      for (const tag of tags) if (tag !== '') note(tag)
      return version
    },
    isUnchanged(since, tags) {
      if (since < lastOfAll) return false
      for (const tag of tags) if ((last.get(tag) ?? lastOfOthers) > since) return false
      return true
    },
  }
}

/**
 * Removes rows of PostgreSQL's log that are older than ten minutes, always from its beginning: by the first row every
 * process knows whether it has missed any. Rows of another cluster's transactions are removed too.
 */
export async function pruneCommits(db: Kysely<Tables>): Promise<void> {
  await sql`delete from commits
    where xid < (select xid from commits where at < clock_timestamp() - interval '10 minutes' order by xid desc limit 1)
       or xid >= pg_snapshot_xmax(pg_current_snapshot())`.execute(db)
}

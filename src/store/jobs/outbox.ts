/**
 * The outbox: work that follows from a commit, written by that commit, so neither happens without the other.
 *
 * A job is done at least once: its handler must bear to be called again. One column says when a job may be
 * taken; a job in work is one whose turn comes again when its lease ends, so a dead process needs no clean-up.
 * Whose turn it is follows from a number, never from time: clocks go back, and what is asked for now is due at once
 * whatever they say.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { OrganizationId } from '../../core/ids.js'
import type { Json } from '../../core/merkle/types.js'
import { announce } from '../db/transactions.js'
import { engineOf } from '../db/database.js'
import type { Db, Tx } from '../db/database.js'
import type { Milliseconds } from '../db/columns.js'

export interface NewJob {
  /** Null for the upkeep of the whole installation. */
  readonly organizationId: OrganizationId | null
  readonly type: string
  /** Jobs of one type and key that nobody has begun are one: the earliest time and the latest payload count. */
  readonly key?: string
  readonly payload: Json
  readonly at: Milliseconds
  /** Not before; at once by default. */
  readonly runAt?: Milliseconds
}

export interface ClaimedJob {
  readonly id: string
  readonly organizationId: OrganizationId | null
  readonly type: string
  readonly payload: Json
  /** 1 for the first; those that ended because the process was asked to end are none. */
  readonly attempt: number
  readonly claim: string
}

/** Writes a job; workers of this process, and of all on PostgreSQL, wake when the transaction commits. */
export async function enqueue(tx: Tx, job: NewJob): Promise<void> {
  await tx
    .insertInto('jobs')
    .values({
      id: randomUUID(),
      organization_id: job.organizationId,
      type: job.type,
      key: job.key ?? null,
      payload: JSON.stringify(job.payload),
      due_at: job.runAt ?? 0,
      number: sql`(select coalesce(max(number), 0) + 1 from jobs where due_at is not null)`,
      claim: null,
      error: null,
      created_at: job.at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['type', 'key'])
        // Said in the words of the index: with parameters, PostgreSQL could not tell which index is meant.
        .where(sql<boolean>`key is not null and attempts = 0`)
        .doUpdateSet({
          payload: sql`excluded.payload`,
          due_at: sql`case when jobs.due_at < excluded.due_at then jobs.due_at else excluded.due_at end`,
        }),
    )
    .execute()
  announce(tx, 'jobs')
}

/**
 * Jobs of these types that may be taken at some time. Of one type and key only one is in work at a time: two would
 * wait for each other, and keep the lanes from everybody else.
 */
function takeable(db: Db, types: readonly string[], now: Milliseconds) {
  return db
    .selectFrom('jobs')
    .where('due_at', 'is not', null)
    .where('type', 'in', types)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('jobs as other')
            .select('other.id')
            .whereRef('other.type', '=', 'jobs.type')
            .whereRef('other.key', '=', 'jobs.key')
            .where('other.claim', 'is not', null)
            .where('other.due_at', '>', now)
            .whereRef('other.id', '<>', 'jobs.id'),
        ),
      ),
    )
}

/** Answers when the next job of these types may be taken, undefined when there is none. */
export async function findNextDue(
  db: Db,
  types: readonly string[],
  now: Milliseconds,
): Promise<Milliseconds | undefined> {
  // The first in order, not the least of all: PostgreSQL would look at every waiting job for that.
  const row = await takeable(db, types, now).select('due_at').orderBy('due_at').limit(1).executeTakeFirst()
  return row?.due_at ?? undefined
}

/** Answers whether a job of this type and key waits or is in work. */
export async function isExpected(db: Db, type: string, key: string): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select('id')
    .where('type', '=', type)
    .where('key', '=', key)
    .where('due_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Takes the job that was asked for first of those that are due, for the time of the lease; undefined when none is due. */
export async function claimJob(
  tx: Tx,
  { types, now, lease }: { types: readonly string[]; now: Milliseconds; lease: Milliseconds },
): Promise<ClaimedJob | undefined> {
  const due = takeable(tx, types, now)
    .select('id')
    // Read in the order of the numbers: by when they are due, all that wait would be sorted for each one that is taken.
    .where(sql<boolean>`+due_at <= ${now}`)
    .orderBy('number')
    .limit(1)
  const claim = randomUUID()
  const row = await tx
    .updateTable('jobs')
    .set((is) => ({ claim, due_at: now + lease, attempts: is('attempts', '+', 1) }))
    .where('id', '=', engineOf(tx) === 'postgres' ? due.forUpdate().skipLocked() : due)
    .returning(['id', 'organization_id', 'type', 'payload', 'attempts', 'given_back'])
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      organizationId: row.organization_id,
      type: row.type,
      payload: JSON.parse(row.payload) as Json,
      attempt: row.attempts - row.given_back,
      claim,
    }
  )
}

/** Prolongs the lease; answers false when the job has been lost to somebody else. */
export async function extendLease(tx: Tx, job: ClaimedJob, until: Milliseconds): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('jobs')
    .set({ due_at: until })
    .where('id', '=', job.id)
    .where('claim', '=', job.claim)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Removes a job that is done, unless it has been lost to somebody else. */
export async function completeJob(tx: Tx, job: ClaimedJob): Promise<void> {
  await tx.deleteFrom('jobs').where('id', '=', job.id).where('claim', '=', job.claim).execute()
}

/** Gives a job back with its error, to be tried again at a time; null gives it up and keeps it to be seen. */
export async function failJob(
  tx: Tx,
  job: ClaimedJob,
  { error, retryAt }: { error: string; retryAt: Milliseconds | null },
): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ claim: null, due_at: retryAt, error })
    .where('id', '=', job.id)
    .where('claim', '=', job.claim)
    .execute()
  if (retryAt !== null) announce(tx, 'jobs')
}

/** Gives a job back at once and with its attempt: nothing failed, whoever worked on it was asked to end. */
export async function giveJobBack(tx: Tx, job: ClaimedJob, now: Milliseconds): Promise<void> {
  await tx
    .updateTable('jobs')
    .set((is) => ({ claim: null, due_at: now, given_back: is('given_back', '+', 1) }))
    .where('id', '=', job.id)
    .where('claim', '=', job.claim)
    .execute()
  announce(tx, 'jobs')
}

/** Takes back some jobs of these types that were written before a time, oldest first; none that is in work. */
export async function withdrawJobs(
  tx: Tx,
  { types, before, limit }: { types: readonly string[]; before: Milliseconds; limit: number },
): Promise<Omit<ClaimedJob, 'attempt' | 'claim'>[]> {
  const rows = await tx
    .deleteFrom('jobs')
    .where('id', 'in', (jobs) =>
      jobs
        .selectFrom('jobs')
        .select('id')
        .where('type', 'in', types)
        .where('created_at', '<', before)
        .where('claim', 'is', null)
        .orderBy('created_at')
        .limit(limit),
    )
    .returning(['id', 'organization_id', 'type', 'payload'])
    .execute()
  return rows.map(({ organization_id: organizationId, payload, ...job }) => ({
    ...job,
    organizationId,
    payload: JSON.parse(payload) as Json,
  }))
}

/**
 * Transactional outbox: jobs that follow from a commit are written by that commit, so neither happens without the other.
 *
 * Delivery is at least once: handlers must be idempotent. One column says when a job may be claimed; a running job is due
 * again when its lease ends, so a dead process needs no clean-up. The order follows from a number, never from time:
 * clocks go back, and a job without `runAt` is due immediately whatever they say.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { OrganizationId } from '../../core/ids.js'
import { announce } from '../db/transactions.js'
import { engineOf } from '../db/database.js'
import { prepared } from '../db/prepared.js'
import type { Row } from '../db/tables.js'
import type { Db, Tx } from '../db/database.js'
import type { Milliseconds } from '../db/columns.js'
import type { JobPayloads, JobType } from './payloads.js'

export interface NewJob<Type extends JobType = JobType> {
  /** Null for maintenance of the whole installation. */
  readonly organizationId: OrganizationId | null
  readonly type: Type
  /** Unclaimed jobs of one type and key are merged: the earliest time and the latest payload win. */
  readonly key?: string
  readonly payload: JobPayloads[Type]
  readonly at: Milliseconds
  /** Not before; immediately by default. */
  readonly runAt?: Milliseconds
}

export interface ClaimedJob<Type extends JobType = JobType> {
  readonly id: string
  readonly organizationId: OrganizationId | null
  readonly type: Type
  readonly key: string | null
  readonly payload: JobPayloads[Type]
  /** 1 for the first; only failures of the job count. */
  readonly attempt: number
  /** Earlier claims that ended with their process: it was killed, or could not extend the lease. */
  readonly kills: number
  readonly claim: string
}

/** Writes a job; workers of this process, and of all on PostgreSQL, wake when the transaction commits. */
export async function enqueue<Type extends JobType>(tx: Tx, job: NewJob<Type>): Promise<void> {
  await insertJob(tx, {
    id: randomUUID(),
    organization_id: job.organizationId,
    type: job.type,
    key: job.key ?? null,
    payload: JSON.stringify(job.payload),
    due_at: job.runAt ?? 0,
    created_at: job.at,
  })
  announce(tx, 'jobs')
}

type JobRow = Pick<
  Row<'jobs'>,
  'id' | 'organization_id' | 'type' | 'key' | 'payload' | 'due_at' | 'created_at'
>

const insertJob = prepared<JobRow>()((db, { id, organization_id, type, key, payload, due_at, created_at }) =>
  db
    .insertInto('jobs')
    .values({
      id,
      organization_id,
      type,
      key,
      payload,
      due_at,
      number: sql`(select coalesce(max(number), 0) + 1 from jobs where due_at is not null)`,
      claim: null,
      error: null,
      created_at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['type', 'key'])
        // Literally as in the index: with parameters, PostgreSQL could not infer the index.
        .where(sql<boolean>`key is not null and attempts = 0`)
        .doUpdateSet({
          payload: sql`excluded.payload`,
          due_at: sql`case when jobs.due_at < excluded.due_at then jobs.due_at else excluded.due_at end`,
        }),
    ),
)

/**
 * Jobs of these types that can be claimed, now or later. Of one type and key only one runs at a time: two would wait for
 * each other, and block other jobs.
 */
function claimable(db: Db, types: readonly string[], now: Milliseconds) {
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

/** Returns when the next job of these types is due, undefined when there is none. */
export async function findNextDue(
  db: Db,
  types: readonly string[],
  now: Milliseconds,
): Promise<Milliseconds | undefined> {
  // The first by an index, not the minimum: PostgreSQL would read every waiting job for that.
  const row = await claimable(db, types, now).select('due_at').orderBy('due_at').limit(1).executeTakeFirst()
  return row?.due_at ?? undefined
}

/** Returns whether a job of this type and key is waiting or running. */
export async function isJobPending(db: Db, type: JobType, key: string): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select('id')
    .where('type', '=', type)
    .where('key', '=', key)
    .where('due_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Claims the due job that was enqueued first, for the time of the lease; returns undefined when none is due. */
export async function claimJob<Type extends JobType>(
  tx: Tx,
  { types, now, lease }: { types: readonly Type[]; now: Milliseconds; lease: Milliseconds },
): Promise<ClaimedJob<Type> | undefined> {
  const due = claimable(tx, types, now)
    .select('id')
    // The unary plus makes it read by number: by due time, all waiting jobs would be sorted for each claim.
    .where(sql<boolean>`+due_at <= ${now}`)
    .orderBy('number')
    .limit(1)
  const claim = randomUUID()
  const row = await tx
    .updateTable('jobs')
    .set((is) => ({ claim, due_at: now + lease, attempts: is('attempts', '+', 1) }))
    .where('id', '=', engineOf(tx) === 'postgres' ? due.forUpdate().skipLocked() : due)
    .returning(['id', 'organization_id', 'type', 'key', 'payload', 'attempts', 'given_back', 'failures'])
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { attempts, given_back: releases, failures } = row
  return {
    id: row.id,
    organizationId: row.organization_id,
    ...parseJob<Type>(row),
    key: row.key,
    attempt: failures + 1,
    // Jobs that failed before failures were counted: their number is not known.
    kills: Math.max(0, attempts - releases - failures - 1),
    claim,
  }
}

/** Extends the lease; returns false when the job has been lost to another worker. */
export async function extendLease(tx: Tx, job: ClaimedJob, until: Milliseconds): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('jobs')
    .set({ due_at: until })
    .where('id', '=', job.id)
    .where('claim', '=', job.claim)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Removes a finished job, unless it has been lost to another worker, and the dead jobs of its type and key: they would
 * have been merged with it, had they still been waiting.
 */
export async function completeJob(tx: Tx, job: ClaimedJob): Promise<void> {
  const { id, claim, type, key } = job
  await tx.deleteFrom('jobs').where('id', '=', id).where('claim', '=', claim).execute()
  if (key === null) return
  await tx
    .deleteFrom('jobs')
    .where('type', '=', type)
    .where('key', '=', key)
    .where('due_at', 'is', null)
    .execute()
}

/** Records a failure, to be retried at a time; null gives the job up and keeps it for inspection. */
export async function failJob(
  tx: Tx,
  job: ClaimedJob,
  { error, retryAt }: { error: string; retryAt: Milliseconds | null },
): Promise<void> {
  await tx
    .updateTable('jobs')
    .set((is) => ({ claim: null, due_at: retryAt, error, failures: is('failures', '+', 1) }))
    .where('id', '=', job.id)
    .where('claim', '=', job.claim)
    .execute()
  if (retryAt !== null) announce(tx, 'jobs')
}

/** Releases a job without counting the attempt: it did not fail, its worker was stopped. */
export async function releaseJob(tx: Tx, job: ClaimedJob, now: Milliseconds): Promise<void> {
  await tx
    .updateTable('jobs')
    .set((is) => ({ claim: null, due_at: now, given_back: is('given_back', '+', 1) }))
    .where('id', '=', job.id)
    .where('claim', '=', job.claim)
    .execute()
  announce(tx, 'jobs')
}

/** Deletes and returns some jobs of these types that were written before a time, oldest first; no running ones. */
export async function cancelJobs<Type extends JobType>(
  tx: Tx,
  { types, before, limit }: { types: readonly Type[]; before: Milliseconds; limit: number },
): Promise<Omit<ClaimedJob<Type>, 'key' | 'attempt' | 'kills' | 'claim'>[]> {
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
  return rows.map((row) => ({ id: row.id, organizationId: row.organization_id, ...parseJob<Type>(row) }))
}

/** Only `enqueue` writes payloads, so the stored one is of its job's type. */
function parseJob<Type extends JobType>(row: {
  readonly type: string
  readonly payload: string
}): Pick<ClaimedJob<Type>, 'type' | 'payload'> {
  return { type: row.type as Type, payload: JSON.parse(row.payload) as JobPayloads[Type] }
}

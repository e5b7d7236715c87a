/**
 * Triggers of garbage collection: what may leave unreferenced objects, which are removed revisions and aborted imports.
 *
 * Both enqueue a collection of their organization in the same transaction, so other organizations are never scanned.
 * Removing revisions also increments `departures`, so that a collection that is reading revisions meanwhile is repeated.
 */
import { sql } from 'kysely'
import type { OrganizationId } from '../../core/ids.js'
import type { Db, Tx } from '../db/database.js'
import type { Milliseconds } from '../db/columns.js'
import { enqueue } from '../jobs/outbox.js'
import { grace } from '../files/gc-grace.js'

/** Job: deletes unreferenced objects and files of an organization. */
export const collectObjectsJob = 'collect-objects'

declare module '../jobs/payloads.js' {
  interface JobPayloads {
    [collectObjectsJob]: { readonly organizationId: OrganizationId }
  }
}

/**
 * Must be called in every transaction that removes revisions of an organization, or transfers them to another. `after` is
 * how long their objects are retained.
 */
export async function recordDeparture(
  tx: Tx,
  organizationId: OrganizationId,
  now: Milliseconds,
  after: Milliseconds = grace,
): Promise<void> {
  await tx
    .insertInto('departures')
    .values({ organization_id: organizationId, count: 1 })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet({ count: sql`departures.count + 1` }),
    )
    .execute()
  await scheduleCollection(tx, organizationId, now, after)
}

/** Enqueues a collection of the organization for when no current object can be part of an unfinished write any more. */
export async function scheduleCollection(
  tx: Tx,
  organizationId: OrganizationId,
  now: Milliseconds,
  after: Milliseconds = grace,
): Promise<void> {
  await enqueue(tx, {
    organizationId,
    type: collectObjectsJob,
    key: organizationId,
    payload: { organizationId },
    at: now,
    runAt: now + after,
  })
}

/** Returns a number that changes whenever revisions have been removed from the organization. */
export async function countDepartures(db: Db, organizationId: OrganizationId): Promise<number> {
  const row = await db
    .selectFrom('departures')
    .select('count')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return row?.count ?? 0
}

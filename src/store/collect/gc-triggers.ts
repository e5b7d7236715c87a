/**
 * What may leave objects behind that nobody names: revisions that go, and imports that stop half-way.
 *
 * Both ask for a collection of their organization, by a job of the same transaction, so an organization that lets
 * go of nothing is never looked through. Whoever removes revisions also counts up `departures`: a collection that
 * reads the revisions meanwhile must not trust what it read.
 */
import { sql } from 'kysely'
import type { OrganizationId } from '../../core/ids.js'
import type { Db, Tx } from '../db/database.js'
import type { Milliseconds } from '../db/columns.js'
import { enqueue } from '../jobs/outbox.js'
import { grace } from '../files/gc-grace.js'

/** Collects the objects and files of an organization that nothing names: `{ organizationId }`. */
export const collectObjectsJob = 'collect-objects'

/** Must be called in every transaction that removes revisions of an organization, or gives them to another. */
export async function noteDeparture(
  tx: Tx,
  organizationId: OrganizationId,
  now: Milliseconds,
): Promise<void> {
  await tx
    .insertInto('departures')
    .values({ organization_id: organizationId, count: 1 })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet({ count: sql`departures.count + 1` }),
    )
    .execute()
  await collectLater(tx, organizationId, now)
}

/** Has the organization looked through when nothing that is there now can be on its way any more. */
export async function collectLater(tx: Tx, organizationId: OrganizationId, now: Milliseconds): Promise<void> {
  await enqueue(tx, {
    organizationId,
    type: collectObjectsJob,
    key: organizationId,
    payload: { organizationId },
    at: now,
    runAt: now + grace,
  })
}

/** Answers a number that differs from any earlier one once revisions have left the organization. */
export async function countDepartures(db: Db, organizationId: OrganizationId): Promise<number> {
  const row = await db
    .selectFrom('departures')
    .select('count')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return row?.count ?? 0
}

/**
 * Trash expiry: the deleting transaction schedules a job that removes the space after seven days.
 *
 * The job checks the row again when it runs, so restoring a space need not cancel it, and for a space that was deleted
 * twice only the later job has an effect. History is deleted in short steps, the head last, so that a space in the
 * trash stays readable meanwhile. Objects and files without references are collected a week later.
 */
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import { removeGrantsOn } from '../../access/rules/grants.js'
import type { Services } from '../../access/route/scope.js'
import { recordDeparture } from '../../store/collect/gc-triggers.js'
import type { Tx } from '../../store/db/database.js'
import type { LockScope } from '../../store/db/lock-scope.js'
import { enqueue } from '../../store/jobs/outbox.js'
import type { JobHandler } from '../../store/jobs/worker.js'
import { deleteSpace as deleteFromIndex } from '../../store/search/pages.js'
import { type SpaceRow, deleteSomeHistory, deleteSpaceRow, findSpaceAnywhere, lockSpace } from './store.js'

/** Deletes a space permanently, unless it was restored. */
export const removeSpaceJob = 'remove-space'

declare module '../../store/jobs/payloads.js' {
  interface JobPayloads {
    [removeSpaceJob]: { readonly spaceId: SpaceId }
  }
}

/** Milliseconds in which a deleted space can be restored. */
export const trashRetention = 7 * 24 * 60 * 60 * 1000

/** Schedules the removal of a deleted space. */
export async function scheduleRemoval(
  tx: Tx,
  {
    organizationId,
    spaceId,
    now,
    runAt = now + trashRetention,
  }: {
    readonly organizationId: OrganizationId
    readonly spaceId: SpaceId
    readonly now: number
    readonly runAt?: number
  },
): Promise<void> {
  // Without a key: after restoring and deleting again, the earlier job must not replace the later one.
  await enqueue(tx, {
    organizationId,
    type: removeSpaceJob,
    payload: { spaceId },
    at: now,
    runAt,
  })
}

/** Removes a space from the sites and translations that use it, and leaves those consistent. */
export type DetachSpace = (tx: Tx, organizationId: OrganizationId, spaceId: SpaceId) => Promise<void>

/** The handler of `removeSpaceJob`: deletes history and change requests in steps, then the rest in one transaction. */
export function removeSpaceHandler(
  { database }: Pick<Services, 'database'>,
  now: () => number,
  detach: DetachSpace,
): JobHandler<typeof removeSpaceJob> {
  return async ({ spaceId }, { job: { organizationId }, signal }) => {
    const whole: LockScope = organizationId === null ? 'everything' : { organizations: [organizationId] }
    const inside: LockScope = whole === 'everything' ? whole : { ...whole, space: spaceId }

    /** One transaction; returns undefined when the space is gone or must not be removed. */
    const step = <Result>(
      hold: LockScope,
      work: (tx: Tx, row: SpaceRow) => Promise<Result>,
    ): Promise<Result | undefined> => {
      signal.throwIfAborted()
      return database.writeWithLocks(hold, async (tx) => {
        const found = await findSpaceAnywhere(tx, spaceId)
        if (found === undefined) return undefined
        const row = await lockSpace(tx, found.organization_id, spaceId)
        if (row.deleted_at === null || row.deleted_at > now() - trashRetention) return undefined
        await recordDeparture(tx, row.organization_id, now())
        return work(tx, row)
      })
    }

    while ((await step(inside, deleteSomeHistory)) === true);
    await step(whole, async (tx, row) => {
      await removeGrantsOn(tx, row.organization_id, [spaceId])
      await deleteFromIndex(tx, { organizationId: row.organization_id, spaceId })
      await detach(tx, row.organization_id, spaceId)
      await deleteSpaceRow(tx, row)
    })
  }
}

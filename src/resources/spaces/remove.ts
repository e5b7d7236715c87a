/**
 * The end of the trash: a job that the deleting transaction writes removes the space when its seven days are over.
 *
 * It looks again when its time has come, so restoring a space needs no word to it, and of a space that was deleted
 * twice only the later job finds anything to do. History goes in short steps, the head last, so that whoever looks
 * into the trash meanwhile finds it whole. Objects and files that nothing else names are collected a week later.
 */
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import { removeGrantsOn } from '../../access/rules/grants.js'
import type { Services } from '../../access/route/scope.js'
import { noteDeparture } from '../../store/collect/gc-triggers.js'
import type { Tx } from '../../store/db/database.js'
import type { Hold } from '../../store/db/hold.js'
import { enqueue } from '../../store/jobs/outbox.js'
import type { JobHandler } from '../../store/jobs/worker.js'
import { deleteSpace as deleteFromIndex } from '../../store/search/pages.js'
import { type SpaceRow, deleteSomeHistory, deleteSpaceRow, findSpaceAnywhere, lockSpace } from './store.js'

/** Removes a space for good, unless it was restored. */
export const removeSpaceJob = 'remove-space'

/** How long a deleted space can be restored, in milliseconds. */
export const trashLife = 7 * 24 * 60 * 60 * 1000

/** Has a space that is deleted now removed for good when its time in the trash is over. */
export async function removeLater(
  tx: Tx,
  { organizationId, spaceId, now }: { organizationId: OrganizationId; spaceId: SpaceId; now: number },
): Promise<void> {
  // Without a key: after restoring and deleting again, the earlier job must not take the place of the later.
  const job = { organizationId, type: removeSpaceJob, payload: { spaceId } }
  await enqueue(tx, { ...job, at: now, runAt: now + trashLife })
}

/** Takes a space out of whatever shows it, and leaves that whole. */
export type LeavePlaces = (tx: Tx, organizationId: OrganizationId, spaceId: SpaceId) => Promise<void>

/** The handler of `removeSpaceJob`: history and change requests go in steps, then the rest at once. */
export function removeSpaceHandler(
  { database }: Pick<Services, 'database'>,
  now: () => number,
  leave: LeavePlaces,
): JobHandler {
  return async (payload, { job: { organizationId }, signal }) => {
    const { spaceId } = payload as { spaceId: SpaceId }
    const whole: Hold = organizationId === null ? 'everything' : { organizations: [organizationId] }
    const inside: Hold = whole === 'everything' ? whole : { ...whole, space: spaceId }

    /** One transaction; answers undefined when the space is gone, or not to be removed. */
    const step = <Result>(
      hold: Hold,
      work: (tx: Tx, row: SpaceRow) => Promise<Result>,
    ): Promise<Result | undefined> => {
      signal.throwIfAborted()
      return database.writeHolding(hold, async (tx) => {
        const found = await findSpaceAnywhere(tx, spaceId)
        if (found === undefined) return undefined
        const row = await lockSpace(tx, found.organization_id, spaceId)
        if (row.deleted_at === null || row.deleted_at > now() - trashLife) return undefined
        await noteDeparture(tx, row.organization_id, now())
        return work(tx, row)
      })
    }

    while ((await step(inside, deleteSomeHistory)) === true);
    await step(whole, async (tx, row) => {
      await removeGrantsOn(tx, row.organization_id, [spaceId])
      await deleteFromIndex(tx, { organizationId: row.organization_id, spaceId })
      await leave(tx, row.organization_id, spaceId)
      await deleteSpaceRow(tx, row)
    })
  }
}

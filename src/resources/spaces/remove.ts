/**
 * The end of the trash: a job that the deleting transaction writes removes the space when its seven days are over.
 *
 * It looks again when its time has come, so restoring a space needs no word to it, and of a space that was deleted
 * twice only the later job finds anything to do. Objects and files stay: other spaces of the organization share
 * them by their hash, and to know that none does would take a walk through all of them.
 */
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import { removeGrantsOn } from '../../access/rules/grants.js'
import type { Services } from '../../access/route/scope.js'
import type { Tx } from '../../store/db/database.js'
import { enqueue } from '../../store/jobs/outbox.js'
import type { JobHandler } from '../../store/jobs/worker.js'
import { deleteSpace as deleteFromIndex } from '../../store/search/search.js'
import { deleteSpaceRow, findSpace, lockSpace } from './store.js'

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

/** The handler of `removeSpaceJob`: rows, history, change requests, grants, links from sites and the index go at once. */
export function removeSpaceHandler({ database }: Pick<Services, 'database'>, now: () => number): JobHandler {
  return (payload, { job: { organizationId } }) =>
    database.writeHolding({ organizations: organizationId === null ? [] : [organizationId] }, async (tx) => {
      const { spaceId } = payload as { spaceId: SpaceId }
      if ((await findSpace(tx, spaceId)) === undefined) return
      const { deleted_at: deletedAt } = await lockSpace(tx, spaceId)
      if (deletedAt === null || deletedAt > now() - trashLife) return
      await removeGrantsOn(tx, [spaceId])
      await deleteFromIndex(tx, spaceId)
      await deleteSpaceRow(tx, spaceId)
    })
}

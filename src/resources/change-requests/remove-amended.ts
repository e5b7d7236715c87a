/**
 * Removes revisions of a change request that were amended more than an hour ago, but for those that something refers to,
 * such as a comment that was written on one while it was being amended.
 */
import type { ChangeRequestId, RevisionId, SpaceId } from '../../core/ids.js'
import type { Services } from '../../access/route/scope.js'
import { amendedRetention, deleteAmended, hasAmended } from '../../store/content/amended-revisions.js'
import { recordDeparture } from '../../store/collect/gc-triggers.js'
import { graceOfSaves } from '../../store/files/gc-grace.js'
import type { Tx } from '../../store/db/database.js'
import type { LockScope } from '../../store/db/lock-scope.js'
import type { JobHandler } from '../../store/jobs/worker.js'
import { enqueueRemoveAmended, type removeAmendedJob } from '../content/content-jobs.js'
import { findSpaceAnywhere, lockSpace } from '../spaces/store.js'
import { listReferencedRevisions } from './store.js'

/** Few, because other writers of the space wait for each step. */
const rowsPerStep = 200

/** Returns the handler of `removeAmendedJob`. */
export function removeAmendedHandler(
  { database }: Pick<Services, 'database'>,
  now: () => number,
): JobHandler<typeof removeAmendedJob> {
  return async ({ spaceId, changeRequestId }, { job: { organizationId }, signal }) => {
    const locks: LockScope =
      organizationId === null ? 'everything' : { organizations: [organizationId], space: spaceId }
    for (let removed = rowsPerStep; removed === rowsPerStep;) {
      signal.throwIfAborted()
      removed = await database.writeWithLocks(locks, (tx) => removeSome(tx, spaceId, changeRequestId, now()))
    }
  }
}

async function removeSome(
  tx: Tx,
  spaceId: SpaceId,
  changeRequestId: ChangeRequestId,
  now: number,
): Promise<number> {
  // The organization of the job is that of the space then: it may have been transferred.
  const found = await findSpaceAnywhere(tx, spaceId)
  if (found === undefined) return 0
  const { organization_id: organizationId } = await lockSpace(tx, found.organization_id, spaceId)
  const branch = { organizationId, spaceId, changeRequestId }
  const except: readonly RevisionId[] = await listReferencedRevisions(tx, organizationId, changeRequestId)
  const removed = await deleteAmended(tx, branch, {
    before: now - amendedRetention,
    except,
    limit: rowsPerStep,
  })
  if (removed > 0) await recordDeparture(tx, organizationId, now, graceOfSaves)
  if (removed < rowsPerStep && (await hasAmended(tx, branch, except)))
    await enqueueRemoveAmended(tx, { ...branch, now, runAt: now + amendedRetention })
  return removed
}

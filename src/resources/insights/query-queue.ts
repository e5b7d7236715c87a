/**
 * Fair queue of insights queries: aggregation runs on the main thread and holds its groups in memory. One query runs
 * per organization and two in total, so that a busy organization delays few others.
 */
import { ApiError } from '../../contract/errors.js'
import type { OrganizationId } from '../../core/ids.js'
import {
  type BoundedQueue,
  QueueRejection,
  createBoundedQueue,
} from '../../store/search-workers/bounded-queue.js'

const concurrency = 2
const maxWaiting = 200
/** Queries of one organization that wait behind the running one. */
export const maxWaitingPerOrganization = 4

const installationQueue = createBoundedQueue({ concurrency, maxWaiting })
const organizationQueues = new Map<OrganizationId, BoundedQueue>()

/** Runs the query in the organization's turn; throws `insights_busy` when too many wait. */
export async function runQueued<T>(
  organizationId: OrganizationId,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const queue =
    organizationQueues.get(organizationId) ??
    createBoundedQueue({ concurrency: 1, maxWaiting: maxWaitingPerOrganization })
  organizationQueues.set(organizationId, queue)
  try {
    return await queue.run(() => installationQueue.run(work, signal), signal)
  } catch (error) {
    // Those who disconnected never receive this error.
    if (error instanceof QueueRejection) throw new ApiError('insights_busy')
    throw error
  } finally {
    if (queue.count().running === 0) organizationQueues.delete(organizationId)
  }
}

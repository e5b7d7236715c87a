/**
 * Turns of those who ask what readers do: the thread that answers requests adds up, and holds what it found until the
 * end. One question of an organization is answered at a time and two in all, so that a crowded one keeps few waiting.
 */
import { ApiError } from '../../contract/errors.js'
import type { OrganizationId } from '../../core/ids.js'
import { type Line, NotLetIn, createLine } from '../../store/search-workers/bounded-queue.js'

const atOnce = 2
const mostWaiting = 200
/** Questions of one organization that wait behind the one that is answered. */
export const mostWaitingOfOne = 4

const everybody = createLine({ atOnce, mostWaiting })
const organizations = new Map<OrganizationId, Line>()

/** Does the work when it is the organization's turn; throws `insights_busy` where too many wait. */
export async function inTurn<T>(
  organizationId: OrganizationId,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const line = organizations.get(organizationId) ?? createLine({ atOnce: 1, mostWaiting: mostWaitingOfOne })
  organizations.set(organizationId, line)
  try {
    return await line.enter(() => everybody.enter(work, signal), signal)
  } catch (error) {
    // Nobody hears what is said to those who left.
    if (error instanceof NotLetIn) throw new ApiError('insights_busy')
    throw error
  } finally {
    if (line.count().inside === 0) organizations.delete(organizationId)
  }
}

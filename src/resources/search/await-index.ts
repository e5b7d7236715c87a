/** Read-your-writes for search: waits for the index of a space, for clients that search what they just merged and ask to wait. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { WaitPreference } from '../../access/route/request-context.js'
import type { Db } from '../../store/db/database.js'
import { findIndexState } from '../../store/search/index-state.js'
import type { SpaceRow } from '../spaces/store.js'

/** Milliseconds between two polls: initial and maximum. */
const pollInterval = { first: 10, longest: 200 }

/**
 * Resolves when the index has reached the head of the space, when the client's wait time is over, or when the client
 * has disconnected. With a wait of zero seconds nothing is polled.
 */
export async function awaitIndex(
  db: Db,
  { organization_id: organizationId, id: spaceId, head_number: head }: SpaceRow,
  { seconds, signal }: WaitPreference,
): Promise<void> {
  let left = seconds * 1_000
  for (
    let pause = pollInterval.first;
    left > 0 && !signal.aborted;
    pause = Math.min(pause * 1.5, pollInterval.longest)
  ) {
    const state = await findIndexState(db, { organizationId, spaceId })
    if (state !== undefined && state.headNumber >= head) return
    await sleep(pause)
    left -= pause
  }
}

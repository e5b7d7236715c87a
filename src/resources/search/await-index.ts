/** Waiting for the index of a space: for programs that search for what they have just merged, and say so. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Waiting } from '../../access/route/route.js'
import type { Db } from '../../store/db/database.js'
import { findIndexState } from '../../store/search/state.js'
import type { SpaceRow } from '../spaces/store.js'

/** Milliseconds between two looks: at first, and at most. */
const look = { first: 10, longest: 200 }

/**
 * Resolves when the index is at the head of the space or past it, when the seconds are over that whoever asks would
 * wait, or when they have gone. With no second nothing is looked at.
 */
export async function awaitIndex(
  db: Db,
  { organization_id: organizationId, id: spaceId, head_number: head }: SpaceRow,
  { seconds, signal }: Waiting,
): Promise<void> {
  let left = seconds * 1_000
  for (let pause = look.first; left > 0 && !signal.aborted; pause = Math.min(pause * 1.5, look.longest)) {
    const state = await findIndexState(db, { organizationId, spaceId })
    if (state !== undefined && state.headNumber >= head) return
    await sleep(pause)
    left -= pause
  }
}

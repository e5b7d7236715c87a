/** What follows from new content of a space, written to the outbox by the same transaction. */
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import { enqueue } from '../../store/jobs/outbox.js'

/** Brings the search index of a space up to its head. */
export const indexSpaceJob = 'index-space'

export async function announceSpaceContent(
  tx: Tx,
  { organizationId, spaceId, now }: { organizationId: OrganizationId; spaceId: SpaceId; now: number },
): Promise<void> {
  // One job for however many revisions come before it is begun: the index goes straight to the head.
  await enqueue(tx, { organizationId, type: indexSpaceJob, key: spaceId, payload: { spaceId }, at: now })
}

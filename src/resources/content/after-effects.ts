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
  await announceLinks(tx, { organizationId, spaceId, now })
  await announceToTranslations(tx, { organizationId, spaceId, now })
}

/** Brings up to its head what a space names in other spaces. */
export const followLinksJob = 'follow-links'

export async function announceLinks(
  tx: Tx,
  { organizationId, spaceId, now }: { organizationId: OrganizationId; spaceId: SpaceId; now: number },
): Promise<void> {
  await enqueue(tx, { organizationId, type: followLinksJob, key: spaceId, payload: { spaceId }, at: now })
}

/** Brings one translation up to its source. */
export const translateSpaceJob = 'translate-space'

/** Milliseconds in which what is written in a source is gathered for one run. */
const gatheredFor = 20_000

/** Has the translations run that follow this space by themselves. */
async function announceToTranslations(
  tx: Tx,
  { organizationId, spaceId, now }: { organizationId: OrganizationId; spaceId: SpaceId; now: number },
): Promise<void> {
  const followers = await tx
    .selectFrom('space_translations')
    .select('space_id')
    .where('organization_id', '=', organizationId)
    .where('source_space_id', '=', spaceId)
    .where('follows', '=', 1)
    .execute()
  for (const { space_id: follower } of followers) {
    await enqueue(tx, {
      organizationId,
      type: translateSpaceJob,
      key: follower,
      payload: { organizationId, spaceId: follower },
      at: now,
      runAt: now + gatheredFor,
    })
  }
}

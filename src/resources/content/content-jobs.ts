/** Jobs that follow from new content of a space, enqueued in the outbox by the same transaction. */
import type { ChangeRequestId, OrganizationId, SpaceId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import { enqueue } from '../../store/jobs/outbox.js'

/** Brings the search index of a space up to its head. */
export const indexSpaceJob = 'index-space'

export async function enqueueContentJobs(
  tx: Tx,
  { organizationId, spaceId, now }: { organizationId: OrganizationId; spaceId: SpaceId; now: number },
): Promise<void> {
  await Promise.all([
    // One job for all revisions written before it starts: the index goes straight to the head.
    enqueue(tx, { organizationId, type: indexSpaceJob, key: spaceId, payload: { spaceId }, at: now }),
    enqueueFollowLinks(tx, { organizationId, spaceId, now }),
    enqueueTranslations(tx, { organizationId, spaceId, now }),
  ])
}

/** Updates the stored links of a space into other spaces to its head. */
export const followLinksJob = 'follow-links'

export async function enqueueFollowLinks(
  tx: Tx,
  { organizationId, spaceId, now }: { organizationId: OrganizationId; spaceId: SpaceId; now: number },
): Promise<void> {
  await enqueue(tx, { organizationId, type: followLinksJob, key: spaceId, payload: { spaceId }, at: now })
}

/** Updates one translation to its source. */
export const translateSpaceJob = 'translate-space'

declare module '../../store/jobs/payloads.js' {
  interface JobPayloads {
    [indexSpaceJob]: { readonly spaceId: SpaceId }
    [followLinksJob]: { readonly spaceId: SpaceId }
    [removeAmendedJob]: { readonly spaceId: SpaceId; readonly changeRequestId: ChangeRequestId }
    [translateSpaceJob]: {
      readonly organizationId: OrganizationId
      readonly spaceId: SpaceId
      /** Number of the requested run; absent when an edit of the source started it. */
      readonly asked?: number
    }
  }
}

/** Deletes revisions of a change request that were amended a while ago. */
export const removeAmendedJob = 'remove-amended'

interface RemoveAmended {
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
  readonly changeRequestId: ChangeRequestId
  readonly now: number
  readonly runAt: number
}

export async function enqueueRemoveAmended(
  tx: Tx,
  { organizationId, spaceId, changeRequestId, now, runAt }: RemoveAmended,
): Promise<void> {
  const payload = { spaceId, changeRequestId }
  await enqueue(tx, {
    organizationId,
    type: removeAmendedJob,
    key: changeRequestId,
    payload,
    at: now,
    runAt,
  })
}

/** Milliseconds in which edits of a source are collected for one run. */
const debounceMilliseconds = 20_000

/** Enqueues the translations that follow this space automatically. */
async function enqueueTranslations(
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
      runAt: now + debounceMilliseconds,
    })
  }
}

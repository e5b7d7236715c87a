/** Creating a space: its first revision holds one empty page, or nothing. */
import type { CollectionId, OrganizationId, RevisionId, SpaceId, UserId } from '../../core/ids.js'
import { emptySnapshot } from '../../core/pages/build.js'
import { defaultConfig } from '../../core/config.js'
import type { Snapshot } from '../../core/pages/types.js'
import { recordEvent } from '../../access/events/record.js'
import { newId } from '../../access/ids.js'
import { insertRevision } from '../../store/content/revisions.js'
import type { Tx } from '../../store/db/database.js'
import { emojiCode } from './present.js'
import { type SpaceRow, insertSpace } from './store.js'

export interface NewSpace {
  readonly title?: string
  readonly emoji?: string
  readonly language?: string
  readonly editMode?: 'live' | 'locked'
}

interface Circumstances {
  /** That nothing else has; a new one when left out. */
  readonly id?: SpaceId
  readonly organizationId: OrganizationId
  /** Where it stands; at the top of the organization when left out. */
  readonly collectionId?: CollectionId | null
  readonly userId: UserId
  readonly now: number
}

/** Returns the row of a new space whose head is a revision of this snapshot; its objects are written by the caller. */
export async function createSpace(
  tx: Tx,
  wanted: NewSpace,
  { id = newId<SpaceId>(), organizationId, collectionId = null, userId, now }: Circumstances,
  snapshot: Snapshot = emptySnapshot(defaultConfig),
): Promise<SpaceRow> {
  const revisionId = newId<RevisionId>()
  const row = await insertSpace(tx, {
    id,
    organization_id: organizationId,
    collection_id: collectionId,
    title: wanted.title ?? 'Untitled space',
    emoji: wanted.emoji === undefined ? null : emojiCode(wanted.emoji),
    visibility: 'private',
    edit_mode: wanted.editMode ?? 'locked',
    default_level: 'inherit',
    revision_id: revisionId,
    language: wanted.language ?? null,
    created_by: userId,
    created_at: now,
    updated_at: now,
    deleted_at: null,
  })
  await insertRevision(tx, {
    id: revisionId,
    organizationId,
    spaceId: id,
    changeRequestId: null,
    number: 1,
    type: 'edits',
    snapshot,
    parents: [],
    createdBy: userId,
    createdAt: now,
    mergedFrom: null,
    message: null,
    git: null,
  })
  await recordEvent(tx, { organizationId, stream: { spaceId: id }, type: 'space_created', userId, now })
  return row
}

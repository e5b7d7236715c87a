/**
 * Writing a revision: objects, row, head and after-effects, all in the caller's transaction.
 *
 * A head moves only from where it was read; whoever loses the race is told to read again. History is in the order of
 * this line: a clock that went back, or was read before a wait, makes no revision older than those it stands on.
 */
import type { ChangeRequestId, RevisionId, UserId } from '../../core/ids.js'
import type { Snapshot } from '../../core/pages/types.js'
import { recordEvent } from '../../access/events/record.js'
import { newId } from '../../access/ids.js'
import { ApiError } from '../../contract/errors.js'
import { moveChangeRequestHead, moveSpaceHead } from '../../store/content/heads.js'
import { type Revision, type RevisionType, insertRevision } from '../../store/content/revisions.js'
import type { ObjectSink } from '../../store/content/sink.js'
import type { Tx } from '../../store/db/database.js'
import { announceSpaceContent } from './after-effects.js'
import { requireSeenSpecifications } from './seen-specifications.js'
import type { ContentHere } from './content.js'

export interface Commit {
  readonly type: RevisionType
  readonly snapshot: Snapshot
  readonly sink: ObjectSink
  readonly userId: UserId
  readonly now: number
  /** The revisions beside the head that this one descends from. */
  readonly otherParents?: readonly Revision[]
  readonly mergedFrom?: ChangeRequestId
  readonly message?: string
}

/** Writes a revision on top of the content's revision and moves its head there; throws 409 when it moved meanwhile. */
export async function commit(tx: Tx, content: ContentHere, wanted: Commit): Promise<Revision> {
  const { organizationId, spaceId, changeRequestId, revision: parent } = content
  const parents = [parent, ...(wanted.otherParents ?? [])]
  const createdAt = Math.max(wanted.now, ...parents.map((one) => one.createdAt))
  const revision: Revision = {
    id: newId<RevisionId>(),
    organizationId,
    spaceId,
    changeRequestId,
    // The first of a change request stands on a revision of the space.
    number: parent.changeRequestId === changeRequestId ? parent.number + 1 : 1,
    type: wanted.type,
    snapshot: wanted.snapshot,
    parents: parents.map(({ id }) => id),
    createdBy: wanted.userId,
    createdAt,
    mergedFrom: wanted.mergedFrom ?? null,
    message: wanted.message ?? null,
    git: null,
  }
  await requireSeenSpecifications(tx, { ...wanted, parents, organizationId })
  await wanted.sink.flush(tx)
  await insertRevision(tx, revision)
  const move = { from: parent.id, to: revision.id, at: createdAt }
  const moved =
    changeRequestId === null
      ? await moveSpaceHead(tx, organizationId, spaceId, move)
      : await moveChangeRequestHead(tx, organizationId, changeRequestId, move)
  if (!moved) throw new ApiError('content_moved')
  if (changeRequestId === null) await announceSpaceContent(tx, { organizationId, spaceId, now: wanted.now })
  const things = changeRequestId === null ? {} : { changeRequestId }
  await recordEvent(tx, {
    organizationId,
    stream: { spaceId },
    type: changeRequestId === null ? 'space_content_updated' : 'change_request_updated',
    userId: wanted.userId,
    data: { ...things, revisionId: revision.id },
    now: wanted.now,
  })
  return revision
}

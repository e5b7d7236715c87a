/**
 * Commits a revision: objects, row, head, event and jobs, all in the caller's transaction.
 *
 * Compare-and-swap: a head moves only from the revision that was read; the loser of a race gets a 409 and reads again.
 * History is in order of the branch: no revision is older than its parents, even when the clock went back.
 *
 * A person's saves to a change request within ten minutes are one revision of its history: each amends the head, unless
 * something refers to that (`amendable` of its row, which comments, reviews and other revisions end).
 */
import type { ChangeRequestId, RevisionId, UserId } from '../../core/ids.js'
import type { Snapshot } from '../../core/pages/types.js'
import { type NewEvent, recordEvent } from '../../access/events/record.js'
import { newId } from '../../access/ids.js'
import type { Actor } from '../../access/signin/actor.js'
import { ApiError } from '../../contract/errors.js'
import { amendWindow, amendedRetention } from '../../store/content/amended-revisions.js'
import { type Amendable, moveChangeRequestHead, moveSpaceHead } from '../../store/content/heads.js'
import { type Revision, type RevisionType, insertRevision } from '../../store/content/revisions.js'
import type { ObjectSink } from '../../store/content/sink.js'
import type { Tx } from '../../store/db/database.js'
import { enqueueContentJobs, enqueueRemoveAmended } from './content-jobs.js'
import { requireSpecificationAccess } from './specification-access.js'
import type { ContentContext } from './content.js'

export interface CommitInput {
  readonly type: RevisionType
  readonly snapshot: Snapshot
  readonly sink: ObjectSink
  readonly userId: UserId
  readonly now: number
  /** Parents besides the head. */
  readonly otherParents?: readonly Revision[]
  readonly mergedFrom?: ChangeRequestId
  readonly message?: string
  /** Of what a person saves while writing, which may amend their last save: the session or token. */
  readonly save?: Pick<Actor, 'credentialId'>
  /** Writes rows about the revision: sent together with it. */
  readonly alongside?: (revision: Revision) => Promise<unknown>
}

/** Writes a revision on top of the content's revision and moves its head there; throws 409 when it moved meanwhile. */
export async function commit(tx: Tx, content: ContentContext, input: CommitInput): Promise<Revision> {
  const { organizationId, spaceId, changeRequestId, revision: parent } = content
  const parents = [parent, ...(input.otherParents ?? [])]
  const amended = findAmended(content, input)
  const amends = amended !== undefined
  const isSave = input.save !== undefined && changeRequestId !== null
  const amendable: Amendable | null = isSave
    ? { by: input.userId, since: amended?.since ?? input.now, credential: input.save!.credentialId }
    : null
  const createdAt = Math.max(input.now, ...parents.map((one) => one.createdAt))
  const revision: Revision = {
    id: newId<RevisionId>(),
    organizationId,
    spaceId,
    changeRequestId,
    // The first revision of a change request has a revision of the space as its parent.
    number: amends ? parent.number : parent.changeRequestId === changeRequestId ? parent.number + 1 : 1,
    saves: amends ? parent.saves + 1 : 1,
    type: input.type,
    snapshot: input.snapshot,
    parents: amends ? parent.parents : parents.map(({ id }) => id),
    createdBy: input.userId,
    createdAt,
    mergedFrom: input.mergedFrom ?? null,
    message: input.message ?? null,
    git: null,
  }
  await requireSpecificationAccess(tx, { ...input, parents, organizationId })
  const move = { from: parent.id, to: revision.id, at: createdAt }
  const changeRequestData = changeRequestId === null ? {} : { changeRequestId }
  const event: NewEvent = {
    organizationId,
    stream: { spaceId },
    type: changeRequestId === null ? 'space_content_updated' : 'change_request_updated',
    userId: input.userId,
    data: { ...changeRequestData, revisionId: revision.id },
    now: input.now,
  }
  // Sent together, and executed in this order: the revision exists when the head moves to it.
  const [, , moved] = await Promise.all([
    // The links of a text that a person is writing are stored when it is merged.
    input.sink.flush(tx, input.snapshot, { isAmendable: isSave }),
    insertRevision(tx, revision),
    changeRequestId === null
      ? moveSpaceHead(tx, organizationId, spaceId, move)
      : moveChangeRequestHead(tx, organizationId, changeRequestId, { ...move, amendable, amends }),
    recordEvent(tx, event),
    changeRequestId === null && enqueueContentJobs(tx, { organizationId, spaceId, now: input.now }),
    // Once for all saves of a revision.
    revision.saves === 2 &&
      enqueueRemoveAmended(tx, {
        organizationId,
        spaceId,
        changeRequestId: changeRequestId!,
        now: input.now,
        runAt: amendable!.since + amendWindow + amendedRetention,
      }),
    input.alongside?.(revision),
  ])
  if (!moved) throw new ApiError('content_moved')
  return revision
}

/** Returns the state of the head when this commit amends it. */
function findAmended(
  { changeRequestId, amendable }: ContentContext,
  { save, userId, now }: CommitInput,
): Amendable | undefined {
  if (save === undefined || changeRequestId === null || amendable?.by !== userId) return undefined
  return now < amendable.since + amendWindow ? amendable : undefined
}

/** Returns whether the audit entry of an earlier save with the same session or token stands for this revision. */
export function isContinued(content: ContentContext, { saves }: Revision, actor: Actor): boolean {
  return saves > 1 && content.amendable?.credential === actor.credentialId
}

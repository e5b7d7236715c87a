/**
 * Delivery of notifications: jobs that follow from an act decide whom it concerns and write the entries of their inboxes,
 * the mails about them and one event, in one transaction. Run again, they change nothing: see `putEntries`.
 *
 * Only members who may read the space are notified, never who acted, and of one act everyone once.
 */
import { type Notification, notifyJob } from '../../access/events/notifications.js'
import { recordPersonalEvent } from '../../access/events/record.js'
import type { Services } from '../../access/route/scope.js'
import { inboxEventType } from '../../contract/events.js'
import type { InboxKind } from '../../contract/inbox.js'
import type { ChangeRequestId, OrganizationId, SpaceId, UserId } from '../../core/ids.js'
import type { Db, Tx } from '../../store/db/database.js'
import { enqueue } from '../../store/jobs/outbox.js'
import type { JobHandlers } from '../../store/jobs/worker.js'
import { type ChangeRequestRow, findChangeRequest } from '../change-requests/store.js'
import { type CommentRow, findCommentOrReply, listEarlierRepliers } from '../comments/store.js'
import { findMember } from '../members/store.js'
import { listPeopleWithAccess } from '../permissions/store.js'
import { type ReviewRequest, notifyReviewerJob, notifyReviewersJob } from '../reviews/notify.js'
import {
  findRequestsTo,
  findReviewers,
  listLatestReviews,
  listReviewersByRole,
  listTeamReviewers,
} from '../reviews/store.js'
import { findSpace } from '../spaces/store.js'
import { type NewEntry, deleteRequests, markRequestsRead, putEntries, trimEntries } from './store.js'

/** Mails an entry to its person, at once or with the others of the day, as they prefer. */
export const sendInboxMailJob = 'send-inbox-mail'

export interface InboxMail {
  readonly organizationId: OrganizationId
  readonly userId: UserId
  readonly entryId: string
  /** True when a review is requested from no one in particular: then there is no request that could be withdrawn. */
  readonly isOpen?: boolean
  readonly at: number
}

declare module '../../store/jobs/payloads.js' {
  interface JobPayloads {
    [sendInboxMailJob]: InboxMail
  }
}

/** Who of a thread is notified of a reply: those who replied last. */
const maxRepliers = 100

/** What an act says to whom. */
interface Delivery extends Pick<NewEntry, 'change_request_id' | 'comment_id' | 'review_id' | 'team_id'> {
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
  readonly actorId: UserId
  readonly at: number
  /** The first kind of a person counts. */
  readonly recipients: readonly (readonly [InboxKind, readonly UserId[]])[]
  readonly isOpen?: boolean
}

/** Returns the handlers of the jobs that write entries of inboxes. */
export function inboxHandlers({ database }: Pick<Services, 'database'>): JobHandlers {
  async function deliver(delivery: Delivery, settle?: (tx: Tx) => Promise<void>): Promise<void> {
    const { organizationId, spaceId, actorId, at, recipients, isOpen, ...subject } = delivery
    const kinds = new Map<UserId, InboxKind>()
    for (const [kind, users] of recipients)
      for (const user of users) if (user !== actorId && !kinds.has(user)) kinds.set(user, kind)
    const readers = await findReadersAmong(database.read, { organizationId, spaceId }, [...kinds.keys()])
    if (readers.length === 0 && settle === undefined) return
    const scope = { organizations: [organizationId], space: spaceId }
    await database.writeWithLocks(scope, async (tx) => {
      await settle?.(tx)
      const entries = readers.map((user) => ({
        ...subject,
        organization_id: organizationId,
        user_id: user,
        kind: kinds.get(user)!,
        actor_id: actorId,
        space_id: spaceId,
        at,
      }))
      const written = await putEntries(tx, entries)
      for (const { id: entryId, user_id: userId } of written) {
        await trimEntries(tx, organizationId, userId)
        const payload = { organizationId, userId, entryId, at, ...(isOpen && { isOpen }) }
        await enqueue(tx, {
          organizationId,
          type: sendInboxMailJob,
          key: `${userId} ${entryId}`,
          payload,
          at,
        })
      }
      const users = written.map((row) => row.user_id)
      if (users.length > 0)
        await recordPersonalEvent(tx, { organizationId, spaceId, type: inboxEventType, users, now: at })
    })
  }

  async function findRequest({
    organizationId,
    spaceId,
    changeRequestId,
  }: {
    readonly organizationId: OrganizationId
    readonly spaceId: SpaceId
    readonly changeRequestId: ChangeRequestId
  }): Promise<ChangeRequestRow | undefined> {
    const space = await findSpace(database.read, organizationId, spaceId)
    if (space === undefined || space.deleted_at !== null) return undefined
    return findChangeRequest(database.read, space, changeRequestId)
  }

  /** Tells the reviewers of an open change request, if they may still review and are still requested. */
  async function deliverRequest(
    request: ReviewRequest,
    changeRequest: ChangeRequestRow,
    users: readonly UserId[],
  ): Promise<void> {
    const { organizationId, spaceId, changeRequestId, requestedBy, team, at, isOpen } = request
    const kind = team === undefined ? 'review-requested' : 'assigned'
    const able = await findReviewers(database.read, organizationId, spaceId, users)
    const requested: UserId[] = []
    for (const user of able) {
      const requests = isOpen ? [] : await findRequestsTo(database.read, changeRequest, user)
      const isRequested = requests.some(({ team_id: other }) => other === (team ?? null))
      if (isOpen || isRequested) requested.push(user)
    }
    await deliver({
      organizationId,
      spaceId,
      actorId: requestedBy,
      at,
      recipients: [[kind, requested]],
      change_request_id: changeRequestId,
      comment_id: null,
      review_id: null,
      team_id: team ?? null,
      ...(isOpen && { isOpen }),
    })
  }

  async function findOpenRequest(request: ReviewRequest): Promise<ChangeRequestRow | undefined> {
    const found = await findRequest(request)
    return found?.status === 'open' ? found : undefined
  }

  return {
    async [notifyJob](notification) {
      const delivery = await planDelivery(database.read, notification, findRequest)
      if (delivery === undefined) return
      await deliver(delivery, settlementOf(notification))
    },

    async [notifyReviewersJob](request) {
      const { team, requestedBy } = request
      const changeRequest = await findOpenRequest(request)
      if (changeRequest === undefined) return
      const reviewers =
        team === undefined
          ? await listReviewersByRole(database.read, request, requestedBy)
          : await listTeamReviewers(database.read, changeRequest, team, requestedBy)
      await deliverRequest(request, changeRequest, reviewers)
    },

    async [notifyReviewerJob](request) {
      const changeRequest = await findOpenRequest(request)
      if (changeRequest !== undefined) await deliverRequest(request, changeRequest, [request.user])
    },
  }
}

/** Returns what an act changes about earlier entries. */
function settlementOf(notification: Notification): ((tx: Tx) => Promise<void>) | undefined {
  const { organizationId, at: before } = notification
  if (notification.type === 'review') {
    const { changeRequestId, actorId } = notification
    return (tx) => markRequestsRead(tx, { organizationId, changeRequestId, before }, actorId)
  }
  if (notification.type === 'request-withdrawn') {
    const { changeRequestId, target } = notification
    return (tx) => deleteRequests(tx, { organizationId, changeRequestId, before }, target)
  }
  return undefined
}

/** Returns whom an act concerns and how; undefined when what it is about is gone. */
async function planDelivery(
  db: Db,
  notification: Notification,
  findRequest: (of: {
    readonly organizationId: OrganizationId
    readonly spaceId: SpaceId
    readonly changeRequestId: ChangeRequestId
  }) => Promise<ChangeRequestRow | undefined>,
): Promise<Delivery | undefined> {
  const { organizationId, spaceId, actorId, at } = notification
  const act = { organizationId, spaceId, actorId, at }
  const subject = { change_request_id: null, comment_id: null, review_id: null, team_id: null }
  if (notification.type === 'comment') {
    const comment = await findCommentOrReply(db, { organizationId, spaceId }, notification.commentId)
    if (comment === undefined) return undefined
    const { change_request_id: changeRequestId, review_id } = comment
    const mentioned = await withoutGuests(db, act, notification.mentioned)
    const owners =
      notification.isEdit || comment.comment_id !== null || changeRequestId === null
        ? []
        : [(await findRequest({ ...act, changeRequestId }))?.created_by ?? []].flat()
    const thread = notification.isEdit ? [] : await listThread(db, comment)
    return {
      ...act,
      ...subject,
      change_request_id: changeRequestId,
      comment_id: comment.id,
      review_id,
      recipients: [
        ['mentioned', mentioned],
        ['replied', [...thread, ...owners]],
      ],
    }
  }
  const { changeRequestId } = notification
  const changeRequest = await findRequest({ ...act, changeRequestId })
  if (changeRequest === undefined) return undefined
  const about = { ...act, ...subject, change_request_id: changeRequestId }
  switch (notification.type) {
    case 'description':
      return { ...about, recipients: [['mentioned', await withoutGuests(db, act, notification.mentioned)]] }
    case 'review': {
      const creator = notification.hasComment ? [] : [changeRequest.created_by]
      return { ...about, review_id: notification.reviewId, recipients: [['replied', creator]] }
    }
    case 'request-withdrawn':
      return { ...about, recipients: [] }
    case 'merge': {
      const reviewers = (await listLatestReviews(db, changeRequest)).map((review) => review.reviewer_id)
      return { ...about, recipients: [['merged', [changeRequest.created_by, ...reviewers]]] }
    }
  }
}

/** Returns who takes part in the thread of a reply; no one for a comment. */
async function listThread(db: Db, reply: CommentRow): Promise<readonly UserId[]> {
  const { organization_id: organizationId, space_id: spaceId, comment_id: id } = reply
  if (id === null) return []
  const comment = await findCommentOrReply(db, { organizationId, spaceId }, id)
  const repliers = await listEarlierRepliers(db, reply, maxRepliers)
  return comment === undefined ? repliers : [comment.posted_by, ...repliers]
}

/** Guests see no other members, so they mention none. */
async function withoutGuests(
  db: Db,
  { organizationId, actorId }: Pick<Notification, 'organizationId' | 'actorId'>,
  mentioned: readonly UserId[],
): Promise<readonly UserId[]> {
  if (mentioned.length === 0) return []
  const author = await findMember(db, organizationId, actorId)
  return author === undefined || author.role === null ? [] : mentioned
}

/** Returns those of the users who may read the space. */
async function findReadersAmong(
  db: Db,
  { organizationId, spaceId }: { readonly organizationId: OrganizationId; readonly spaceId: SpaceId },
  users: readonly UserId[],
): Promise<readonly UserId[]> {
  if (users.length === 0) return []
  const target = { organizationId, kind: 'space', id: spaceId } as const
  const list = { limit: users.length }
  const { items } = await listPeopleWithAccess(db, target, { users, joined: true }, list)
  return items.map((member) => member.user_id)
}

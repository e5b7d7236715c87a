/**
 * Outbox of notifications: what somebody did that other people are notified of, written in the transaction of the act. The
 * worker decides later who they are and writes the entries of their inboxes.
 */
import type {
  ChangeRequestId,
  CommentId,
  OrganizationId,
  ReviewId,
  SpaceId,
  TeamId,
  UserId,
} from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import { enqueue } from '../../store/jobs/outbox.js'

export const notifyJob = 'notify'

interface ActOrigin {
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
  readonly actorId: UserId
  readonly at: number
}

export type Act =
  /** A comment or a reply was posted, or edited: an edit notifies only those whom it newly mentions. */
  | {
      readonly type: 'comment'
      readonly commentId: CommentId
      readonly mentioned: readonly UserId[]
      readonly isEdit: boolean
    }
  | {
      readonly type: 'description'
      readonly changeRequestId: ChangeRequestId
      readonly mentioned: readonly UserId[]
    }
  /** A review was submitted, and answers the requests to the reviewer. `hasComment`: its comment is an act of its own. */
  | {
      readonly type: 'review'
      readonly changeRequestId: ChangeRequestId
      readonly reviewId: ReviewId
      readonly hasComment: boolean
    }
  /** A request for a review was withdrawn. */
  | {
      readonly type: 'request-withdrawn'
      readonly changeRequestId: ChangeRequestId
      readonly target: UserId | TeamId
    }
  | { readonly type: 'merge'; readonly changeRequestId: ChangeRequestId }

export type Notification = ActOrigin & Act

declare module '../../store/jobs/payloads.js' {
  interface JobPayloads {
    [notifyJob]: Notification
  }
}

export async function enqueueNotification(tx: Tx, notification: Notification): Promise<void> {
  const { organizationId, at } = notification
  await enqueue(tx, { organizationId, type: notifyJob, payload: notification, at })
}

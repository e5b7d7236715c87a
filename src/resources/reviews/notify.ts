/**
 * Notifications of review requests: of the requested users, the members of requested teams, and when the request names
 * neither, of those whose role is to review. Enqueued in the transaction of the request; that they may read the change
 * request is checked on delivery.
 */
import type { ChangeRequestId, OrganizationId, SpaceId, TeamId, UserId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import { enqueue } from '../../store/jobs/outbox.js'
import type { ChangeRequestRow } from '../change-requests/store.js'
import type { ReviewerTarget } from './store.js'

/** Notifies one user. */
export const notifyReviewerJob = 'send-review-request'
/** Notifies the users of a team, or the reviewers when the request names no one. */
export const notifyReviewersJob = 'tell-reviewers'

/** The payload of both jobs. */
export interface ReviewRequest {
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
  readonly changeRequestId: ChangeRequestId
  readonly requestedBy: UserId
  readonly user?: UserId
  readonly team?: TeamId
  /** True when the request names no one: then there is no row that could be removed before sending. */
  readonly isOpen: boolean
  readonly at: number
}

declare module '../../store/jobs/payloads.js' {
  interface JobPayloads {
    [notifyReviewerJob]: ReviewRequest & { readonly user: UserId }
    [notifyReviewersJob]: ReviewRequest
  }
}

interface ReviewRequester {
  readonly userId: UserId
  readonly now: number
}

/** Enqueues notifications of the targets, or of all reviewers by role when there is no target. */
export async function notifyReviewers(
  tx: Tx,
  { organization_id: organizationId, space_id: spaceId, id: changeRequestId }: ChangeRequestRow,
  targets: readonly ReviewerTarget[],
  { userId: requestedBy, now: at }: ReviewRequester,
): Promise<void> {
  const request = { organizationId, spaceId, changeRequestId, requestedBy, at, isOpen: targets.length === 0 }
  if (request.isOpen) return enqueueReviewRequest(tx, request)
  for (const one of targets) await enqueueReviewRequest(tx, { ...request, ...one })
}

/** Enqueues one notification; repeated requests to the same target before sending are sent once. */
async function enqueueReviewRequest(tx: Tx, request: ReviewRequest): Promise<void> {
  const { organizationId, changeRequestId, user, team, at } = request
  if (user === request.requestedBy) return
  const job = { organizationId, key: `${changeRequestId} ${user ?? team ?? ''}`, at }
  if (user === undefined) await enqueue(tx, { ...job, type: notifyReviewersJob, payload: request })
  else await enqueue(tx, { ...job, type: notifyReviewerJob, payload: { ...request, user } })
}

/**
 * Who is asked for a review is told by mail: the people who are named, the people of teams, and where nobody is named
 * those whose role is to review. Written to the outbox by the transaction that asks; who may read it is judged when it
 * is sent.
 */
import type { ChangeRequestId, OrganizationId, SpaceId, TeamId, UserId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import { enqueue } from '../../store/jobs/outbox.js'
import type { ChangeRequestRow } from '../change-requests/store.js'
import type { Asked } from './store.js'

/** Tells one person. */
export const sendReviewRequestJob = 'send-review-request'
/** Finds out who is told, where a team is asked, or nobody by name. */
export const tellReviewersJob = 'tell-reviewers'

/** The payload of both jobs. */
export interface ReviewRequest {
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
  readonly changeRequestId: ChangeRequestId
  readonly requestedBy: UserId
  readonly user?: UserId
  readonly team?: TeamId
  /** True where nobody was named: then there is no question that could be taken back. */
  readonly isOpen: boolean
  readonly at: number
}

interface Asking {
  readonly userId: UserId
  readonly now: number
}

/** Has those told who were asked; all whose role it is when nobody was. */
export async function tellAsked(
  tx: Tx,
  { organization_id: organizationId, space_id: spaceId, id: changeRequestId }: ChangeRequestRow,
  asked: readonly Asked[],
  { userId: requestedBy, now: at }: Asking,
): Promise<void> {
  const request = { organizationId, spaceId, changeRequestId, requestedBy, at, isOpen: asked.length === 0 }
  if (request.isOpen) return tellLater(tx, request)
  for (const one of asked) await tellLater(tx, { ...request, ...one })
}

/** The same question to the same people before it was sent is sent once. */
export async function tellLater(tx: Tx, request: ReviewRequest): Promise<void> {
  const { organizationId, changeRequestId, user, team, at } = request
  if (user === request.requestedBy) return
  await enqueue(tx, {
    organizationId,
    type: user === undefined ? tellReviewersJob : sendReviewRequestJob,
    key: `${changeRequestId} ${user ?? team ?? ''}`,
    payload: { ...request },
    at,
  })
}

/** Requests reviews from users who may review, and from teams; a draft becomes open. */
import type { UserId } from '../../core/ids.js'
import type { Reader } from '../../access/rules/levels.js'
import { ApiError } from '../../contract/errors.js'
import type { Tx } from '../../store/db/database.js'
import { requireChangeable } from '../change-requests/status.js'
import { notifyOfDescription } from '../change-requests/notify.js'
import { type ChangeRequestRow, notAmendable, updateChangeRequestRow } from '../change-requests/store.js'
import type { MarkdownText } from '../comments/change.js'
import { getTeams } from '../teams/change-members.js'
import {
  type ReviewerTarget,
  type RequestedReviewerRow,
  findReviewers,
  putRequestedReviewers,
} from './store.js'
import { notifyReviewers } from './notify.js'

export interface ReviewRequestInput {
  readonly users?: readonly string[]
  readonly teams?: readonly string[]
  readonly subject?: string
  readonly description?: MarkdownText
}

/** Stores the requests and returns their rows, users before teams. */
export async function requestReviewers(
  tx: Tx,
  changeRequest: ChangeRequestRow,
  { users = [], teams = [], subject, description }: ReviewRequestInput,
  { reader, now }: { readonly reader: Reader; readonly now: number },
): Promise<RequestedReviewerRow[]> {
  requireChangeable(changeRequest)
  const people = await getReviewers(tx, changeRequest, users)
  // Guests cannot see teams.
  if (reader.role === null && teams.length > 0)
    throw new ApiError('invalid_reference', { member: 'teams[0]', thing: 'a team' })
  const groups = await getTeams(tx, reader.organizationId, [...new Set(teams)], (at) => `teams[${at}]`)
  const targets: ReviewerTarget[] = [...people.map((user) => ({ user })), ...groups.map((team) => ({ team }))]
  const row = await updateChangeRequestRow(tx, changeRequest, {
    status: 'open',
    updated_at: now,
    ...notAmendable,
    ...(subject !== undefined && { subject }),
    ...(description !== undefined && { description: description.markdown }),
  })
  const descriptions = { before: changeRequest.description, after: row.description }
  await notifyOfDescription(tx, row, descriptions, { userId: reader.userId, now })
  await notifyReviewers(tx, changeRequest, targets, { userId: reader.userId, now })
  return putRequestedReviewers(tx, changeRequest, targets, { requested_by: reader.userId, created_at: now })
}

async function getReviewers(
  tx: Tx,
  { organization_id: organizationId, space_id: spaceId }: ChangeRequestRow,
  users: readonly string[],
): Promise<UserId[]> {
  const ids = [...new Set(users)] as UserId[]
  const able = await findReviewers(tx, organizationId, spaceId, ids)
  const wrong = users.findIndex((id) => !able.has(id as UserId))
  if (wrong === -1) return ids
  throw new ApiError('invalid_request', {
    problem: `The member "users[${wrong}]" names nobody who may review here: that takes the role "review" on the space.`,
  })
}

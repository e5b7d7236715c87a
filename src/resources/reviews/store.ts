/** Queries on reviews and requested reviewers. */
import { type SqlBool, sql } from 'kysely'
import type {
  ChangeRequestId,
  OrganizationId,
  RequestedReviewerId,
  ReviewId,
  SpaceId,
  TeamId,
  UserId,
} from '../../core/ids.js'
import { newId } from '../../access/ids.js'
import { reaches, spaceActions } from '../../access/rules/levels.js'
import { memberLevelsOn } from '../../access/rules/member-levels.js'
import { roles } from '../../contract/shapes.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { NewRow, Row } from '../../store/db/tables.js'
import type { ChangeRequestRow } from '../change-requests/store.js'

/** A review with its current validity. */
export type ReviewRow = Row<'reviews'> & {
  /** 1 once the content changed, the reviewer reviewed again or is requested again, or it is withdrawn. */
  readonly is_outdated: number
}

/** Lists the reviews of a change request, oldest first. */
export function listReviews(
  db: Db,
  changeRequest: ChangeRequestRow,
  { outdated }: { readonly outdated?: boolean | undefined },
  { page, limit }: PageRequest,
): Promise<ListPage<ReviewRow>> {
  let query = reviewsOf(db, changeRequest)
  if (outdated !== undefined)
    query = query.where(sql<SqlBool>`${isOutdated(changeRequest)} = ${sql.lit(outdated ? 1 : 0)}`)
  return listPage(db, query, {
    page,
    limit,
    order: [{ column: 'reviews.number', type: 'integer', direction: 'asc' }],
    id: 'reviews.id',
  })
}

/** Returns the latest review of each reviewer, unless it is withdrawn. */
export async function listLatestReviews(db: Db, changeRequest: ChangeRequestRow): Promise<ReviewRow[]> {
  const { organization_id: organizationId, id } = changeRequest
  return reviewsOf(db, changeRequest)
    .where(sql<SqlBool>`not exists (${laterThan(organizationId, id)})`)
    .where('reviews.withdrawn_at', 'is', null)
    .orderBy('reviews.number')
    .execute()
}

export function findReview(
  db: Db,
  changeRequest: ChangeRequestRow,
  id: ReviewId,
): Promise<ReviewRow | undefined> {
  return reviewsOf(db, changeRequest).where('reviews.id', '=', id).executeTakeFirst()
}

function reviewsOf(db: Db, changeRequest: ChangeRequestRow) {
  return db
    .selectFrom('reviews')
    .selectAll('reviews')
    .select(isOutdated(changeRequest).as('is_outdated'))
    .where('reviews.organization_id', '=', changeRequest.organization_id)
    .where('reviews.change_request_id', '=', changeRequest.id)
}

/** Computed on read, so that nothing has to be updated when content changes. */
function isOutdated({ organization_id: organizationId, id, revision_id: head }: ChangeRequestRow) {
  const target = sql`select 1 from requested_reviewers where requested_reviewers.organization_id = ${organizationId}
    and requested_reviewers.change_request_id = ${id} and requested_reviewers.user_id = reviews.reviewer_id`
  return sql<number>`(case when reviews.revision_id <> ${head} or reviews.withdrawn_at is not null or exists (${laterThan(organizationId, id)}) or exists (${target})
    then 1 else 0 end)`
}

/** Selects later reviews of the same reviewer than the outer one. */
function laterThan(organizationId: OrganizationId, id: ChangeRequestId) {
  return sql`select 1 from reviews as later where later.organization_id = ${organizationId}
    and later.change_request_id = ${id} and later.reviewer_id = reviews.reviewer_id
    and later.number > reviews.number`
}

/** Inserts a review with the next number. */
export async function insertReview(
  tx: Tx,
  { organization_id: organizationId, id, revision_id: revision }: ChangeRequestRow,
  review: Pick<NewRow<'reviews'>, 'status' | 'reviewer_id' | 'requested_by' | 'created_at'>,
): Promise<ReviewRow> {
  const { last } = await tx
    .selectFrom('reviews')
    .select(({ fn }) => fn.max<number | null>('number').as('last'))
    .where('organization_id', '=', organizationId)
    .where('change_request_id', '=', id)
    .executeTakeFirstOrThrow()
  const row = await tx
    .insertInto('reviews')
    .values({
      ...review,
      organization_id: organizationId,
      id: newId<ReviewId>(),
      change_request_id: id,
      number: (last ?? 0) + 1,
      revision_id: revision,
      withdrawn_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...row, is_outdated: 0 }
}

/** Marks a review as withdrawn; one that is withdrawn already stays as it is. */
export async function withdrawReviewRow(
  tx: Tx,
  { organization_id: organizationId, id }: Pick<ReviewRow, 'organization_id' | 'id'>,
  now: number,
): Promise<void> {
  await tx
    .updateTable('reviews')
    .set({ withdrawn_at: now })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('withdrawn_at', 'is', null)
    .execute()
}

export type RequestedReviewerRow = Row<'requested_reviewers'>

/** Lists open review requests, oldest first; without teams for actors who cannot see teams. */
export function listRequestedReviewers(
  db: Db,
  { organization_id: organizationId, id }: ChangeRequestRow,
  { withTeams }: { readonly withTeams: boolean },
  list: PageRequest,
): Promise<ListPage<RequestedReviewerRow>> {
  let query = db
    .selectFrom('requested_reviewers')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('change_request_id', '=', id)
  if (!withTeams) query = query.where('user_id', 'is not', null)
  return listPage(db, query, {
    ...list,
    order: [{ column: 'requested_reviewers.created_at', type: 'integer', direction: 'asc' }],
    id: 'requested_reviewers.id',
  })
}

/** The user or team that a review is requested from. */
export type ReviewerTarget = { readonly user: UserId } | { readonly team: TeamId }

/** Inserts requests to users and teams, replacing earlier ones to the same. */
export async function putRequestedReviewers(
  tx: Tx,
  { organization_id, id, revision_id }: ChangeRequestRow,
  target: readonly ReviewerTarget[],
  { requested_by, created_at }: Pick<RequestedReviewerRow, 'requested_by' | 'created_at'>,
): Promise<RequestedReviewerRow[]> {
  const rows: RequestedReviewerRow[] = []
  for (const one of target) {
    await deleteRequestedReviewer(tx, { organization_id, id }, 'user' in one ? one.user : one.team)
    const row = await tx
      .insertInto('requested_reviewers')
      .values({
        organization_id,
        id: newId<RequestedReviewerId>(),
        change_request_id: id,
        user_id: 'user' in one ? one.user : null,
        team_id: 'team' in one ? one.team : null,
        revision_id,
        requested_by,
        created_at,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    rows.push(row)
  }
  return rows
}

/** Deletes the request to a user or team; false when there is none. */
export async function deleteRequestedReviewer(
  tx: Tx,
  { organization_id: organizationId, id }: Pick<ChangeRequestRow, 'organization_id' | 'id'>,
  target: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('requested_reviewers')
    .where('organization_id', '=', organizationId)
    .where('change_request_id', '=', id)
    .where((one) => one.or([one('user_id', '=', target as UserId), one('team_id', '=', target as TeamId)]))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Returns the open requests to a user, direct ones before those to their teams. */
export async function findRequestsTo(
  db: Db,
  { organization_id: organizationId, id }: ChangeRequestRow,
  userId: UserId,
): Promise<RequestedReviewerRow[]> {
  const rows = await db
    .selectFrom('requested_reviewers')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('change_request_id', '=', id)
    .where((one) =>
      one.or([
        one('user_id', '=', userId),
        one('team_id', 'in', (teams) =>
          teams
            .selectFrom('team_members')
            .select('team_members.team_id')
            .where('team_members.organization_id', '=', organizationId)
            .where('team_members.user_id', '=', userId),
        ),
      ]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.toSorted((a, b) => Number(a.user_id === null) - Number(b.user_id === null))
}

/** Returns which of these users may currently review in the space. */
export async function findReviewers(
  db: Db,
  organizationId: OrganizationId,
  spaceId: SpaceId,
  ids: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  if (ids.length === 0) return new Set()
  const query = await membersWithRole(db, { organizationId, spaceId }, reviewerRoles)
  const rows = await query.where('members.user_id', 'in', ids).execute()
  return new Set(rows.map((row) => row.user_id))
}

interface ReviewedSpace {
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
}

/** Users who are notified of one request. */
const maxNotified = 100

/** Returns the first hundred members of a team who may review, except `without` and those who are requested directly. */
export async function listTeamReviewers(
  db: Db,
  changeRequest: ChangeRequestRow,
  team: TeamId,
  without: UserId,
): Promise<readonly UserId[]> {
  const { organization_id: organizationId, space_id: spaceId } = changeRequest
  const query = await membersWithRole(db, { organizationId, spaceId }, reviewerRoles)
  const rows = await query
    .where('members.user_id', '!=', without)
    .where('members.user_id', 'in', (teams) =>
      teams
        .selectFrom('team_members')
        .select('team_members.user_id')
        .where('team_members.organization_id', '=', organizationId)
        .where('team_members.team_id', '=', team),
    )
    .where('members.user_id', 'not in', (target) =>
      target
        .selectFrom('requested_reviewers')
        .select((one) => one.fn.coalesce('requested_reviewers.user_id', sql<UserId>`''`).as('user_id'))
        .where('requested_reviewers.organization_id', '=', organizationId)
        .where('requested_reviewers.change_request_id', '=', changeRequest.id),
    )
    .orderBy('members.user_id')
    .limit(maxNotified)
    .execute()
  return rows.map((row) => row.user_id)
}

/** Returns the members, except `without`, with the lowest role in the space that may review and that has any member. */
export async function listReviewersByRole(
  db: Db,
  space: ReviewedSpace,
  without: UserId,
): Promise<readonly UserId[]> {
  for (const role of reviewerRoles) {
    const query = await membersWithRole(db, space, [role])
    const rows = await query
      .where('members.user_id', '!=', without)
      .orderBy('members.user_id')
      .limit(maxNotified)
      .execute()
    if (rows.length > 0) return rows.map((row) => row.user_id)
  }
  return []
}

/** Roles that may review, lowest first. */
const reviewerRoles = roles.filter((role) => reaches(role, spaceActions.review))

/** Selects the active members with one of the roles in a space. */
async function membersWithRole(
  db: Db,
  { organizationId, spaceId }: ReviewedSpace,
  wanted: readonly (typeof roles)[number][],
) {
  const isWanted = (level: (typeof roles)[number] | null) => level !== null && wanted.includes(level)
  const target = { kind: 'space', id: spaceId } as const
  const { level, candidates } = await memberLevelsOn(db, organizationId, target, isWanted)
  const query = db
    .selectFrom('members')
    .select('members.user_id')
    .where('members.organization_id', '=', organizationId)
    .where('members.disabled', '=', 0)
    .where('members.accepted_at', 'is not', null)
    .where(sql<SqlBool>`${level} in (${sql.join(wanted)})`)
  return candidates === undefined ? query : query.where('members.user_id', 'in', candidates)
}

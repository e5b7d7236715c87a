/** Rows of reviews, and of who was asked for one. */
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
import { membersOn } from '../../access/rules/members.js'
import { roles } from '../../contract/shapes.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { NewRow, Row } from '../../store/db/tables.js'
import type { ChangeRequestRow } from '../change-requests/store.js'

/** A review as it counts now. */
export type ReviewRow = Row<'reviews'> & {
  /** 1 once the content, a later review or a later question went past it. */
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

/** Returns the review that each person gave last. */
export async function listLastReviews(db: Db, changeRequest: ChangeRequestRow): Promise<ReviewRow[]> {
  const { organization_id: organizationId, id } = changeRequest
  return reviewsOf(db, changeRequest)
    .where(sql<SqlBool>`not exists (${laterThan(organizationId, id)})`)
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

/** Judged whenever it is asked: nothing has to be marked when content changes. */
function isOutdated({ organization_id: organizationId, id, revision_id: head }: ChangeRequestRow) {
  const asked = sql`select 1 from requested_reviewers where requested_reviewers.organization_id = ${organizationId}
    and requested_reviewers.change_request_id = ${id} and requested_reviewers.user_id = reviews.reviewer_id`
  return sql<number>`(case when reviews.revision_id <> ${head} or exists (${laterThan(organizationId, id)}) or exists (${asked})
    then 1 else 0 end)`
}

/** Reviews that the same person gave after the one at hand. */
function laterThan(organizationId: OrganizationId, id: ChangeRequestId) {
  return sql`select 1 from reviews as later where later.organization_id = ${organizationId}
    and later.change_request_id = ${id} and later.reviewer_id = reviews.reviewer_id
    and later.number > reviews.number`
}

/** Adds a review behind those that are there. */
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
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...row, is_outdated: 0 }
}

export type RequestedRow = Row<'requested_reviewers'>

/** Lists who was asked and has not answered, in the order in which they were asked; without teams for who may know of none. */
export function listRequested(
  db: Db,
  { organization_id: organizationId, id }: ChangeRequestRow,
  { withTeams }: { readonly withTeams: boolean },
  list: PageRequest,
): Promise<ListPage<RequestedRow>> {
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

/** Whom a question is put to. */
export type Asked = { readonly user: UserId } | { readonly team: TeamId }

/** Asks people and teams, in the place of what they were asked before. */
export async function putRequested(
  tx: Tx,
  { organization_id, id, revision_id }: ChangeRequestRow,
  asked: readonly Asked[],
  { requested_by, created_at }: Pick<RequestedRow, 'requested_by' | 'created_at'>,
): Promise<RequestedRow[]> {
  const rows: RequestedRow[] = []
  for (const one of asked) {
    await deleteRequested(tx, { organization_id, id }, 'user' in one ? one.user : one.team)
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

/** Takes back what a person or a team was asked; false when it was nothing. */
export async function deleteRequested(
  tx: Tx,
  { organization_id: organizationId, id }: Pick<ChangeRequestRow, 'organization_id' | 'id'>,
  asked: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('requested_reviewers')
    .where('organization_id', '=', organizationId)
    .where('change_request_id', '=', id)
    .where((one) => one.or([one('user_id', '=', asked as UserId), one('team_id', '=', asked as TeamId)]))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Returns what somebody was asked, by name before through a team. */
export async function findAsked(
  db: Db,
  { organization_id: organizationId, id }: ChangeRequestRow,
  userId: UserId,
): Promise<RequestedRow[]> {
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

/** Returns which of these people may review in a space now. */
export async function findReviewers(
  db: Db,
  organizationId: OrganizationId,
  spaceId: SpaceId,
  ids: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  if (ids.length === 0) return new Set()
  const query = await membersWithRole(db, { organizationId, spaceId }, ableToReview)
  const rows = await query.where('members.user_id', 'in', ids).execute()
  return new Set(rows.map((row) => row.user_id))
}

interface Reviewing {
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
}

/** How many are told of one question. */
const mostTold = 100

/** Returns the people of a team who may review now, the first hundred, without one and those who are asked by name. */
export async function listTeamReviewers(
  db: Db,
  changeRequest: ChangeRequestRow,
  team: TeamId,
  without: UserId,
): Promise<readonly UserId[]> {
  const { organization_id: organizationId, space_id: spaceId } = changeRequest
  const query = await membersWithRole(db, { organizationId, spaceId }, ableToReview)
  const rows = await query
    .where('members.user_id', '!=', without)
    .where('members.user_id', 'in', (teams) =>
      teams
        .selectFrom('team_members')
        .select('team_members.user_id')
        .where('team_members.organization_id', '=', organizationId)
        .where('team_members.team_id', '=', team),
    )
    .where('members.user_id', 'not in', (asked) =>
      asked
        .selectFrom('requested_reviewers')
        .select((one) => one.fn.coalesce('requested_reviewers.user_id', sql<UserId>`''`).as('user_id'))
        .where('requested_reviewers.organization_id', '=', organizationId)
        .where('requested_reviewers.change_request_id', '=', changeRequest.id),
    )
    .orderBy('members.user_id')
    .limit(mostTold)
    .execute()
  return rows.map((row) => row.user_id)
}

/** Returns those whose role in a space is to review, without one; where there is nobody, those of the next higher role. */
export async function listReviewersByRole(
  db: Db,
  place: Reviewing,
  without: UserId,
): Promise<readonly UserId[]> {
  for (const role of ableToReview) {
    const query = await membersWithRole(db, place, [role])
    const rows = await query
      .where('members.user_id', '!=', without)
      .orderBy('members.user_id')
      .limit(mostTold)
      .execute()
    if (rows.length > 0) return rows.map((row) => row.user_id)
  }
  return []
}

/** From the lowest. */
const ableToReview = roles.filter((role) => reaches(role, spaceActions.review))

/** Selects the members who have one of the roles in a space now. */
async function membersWithRole(
  db: Db,
  { organizationId, spaceId }: Reviewing,
  wanted: readonly (typeof roles)[number][],
) {
  const isWanted = (level: (typeof roles)[number] | null) => level !== null && wanted.includes(level)
  const target = { kind: 'space', id: spaceId } as const
  const { level, candidates } = await membersOn(db, organizationId, target, isWanted)
  const query = db
    .selectFrom('members')
    .select('members.user_id')
    .where('members.organization_id', '=', organizationId)
    .where('members.disabled', '=', 0)
    .where('members.accepted_at', 'is not', null)
    .where(sql<SqlBool>`${level} in (${sql.join(wanted)})`)
  return candidates === undefined ? query : query.where('members.user_id', 'in', candidates)
}

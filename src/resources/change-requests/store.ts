/** Queries on the table `change_requests` and its contributions. */
import type { SelectQueryBuilder } from 'kysely'
import type { ChangeRequestId, OrganizationId, RevisionId, SpaceId, UserId } from '../../core/ids.js'
import type { Reader } from '../../access/rules/levels.js'
import { isVisibleSpace } from '../../access/rules/visible.js'
import type { ChangeRequestStatus } from '../../contract/change-requests.js'
import type { Db, Tx } from '../../store/db/database.js'
import { prepared } from '../../store/db/prepared.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { NewRow, Row, RowUpdate } from '../../store/db/tables.js'
import type { SpaceKey } from '../spaces/store.js'

export type ChangeRequestRow = Row<'change_requests'>

/** Set where something begins to refer to the head: the next save is a revision of its own. */
export const notAmendable = {
  amendable_by: null,
  amendable_since: null,
  amendable_credential: null,
} as const

/** Finds a change request of the space by its id or its number. */
export async function findChangeRequest(
  db: Db,
  space: SpaceKey,
  name: string,
): Promise<ChangeRequestRow | undefined> {
  const { organization_id: organizationId, id: spaceId } = space
  // Ids are 20 letters and digits, so no name is both; numbers have at most nine digits.
  const isNumber = /^\d{1,9}$/.test(name)
  const { rows } = isNumber
    ? await selectByNumber(db, { organizationId, spaceId, number: Number(name) })
    : await selectById(db, { organizationId, spaceId, id: name as ChangeRequestId })
  return rows[0]
}

interface InSpace {
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
}

const selectById = prepared<InSpace & { readonly id: ChangeRequestId }>()((db, values) =>
  selectInSpace(db, values).where('id', '=', values.id),
)

const selectByNumber = prepared<InSpace & { readonly number: number }>()((db, values) =>
  selectInSpace(db, values).where('number', '=', values.number),
)

function selectInSpace(db: Db, { organizationId, spaceId }: InSpace) {
  return db
    .selectFrom('change_requests')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
}

/** Returns the change requests of the space with these ids. */
export async function findChangeRequestsById(
  db: Db,
  space: SpaceKey,
  ids: readonly ChangeRequestId[],
): Promise<ChangeRequestRow[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('change_requests')
    .selectAll()
    .where('organization_id', '=', space.organization_id)
    .where('space_id', '=', space.id)
    .where('id', 'in', ids)
    .execute()
}

export interface ChangeRequestFilter {
  readonly status: ChangeRequestStatus | 'all'
  readonly creator?: string | undefined
  readonly contributor?: string | undefined
  readonly requestedReviewer?: string | undefined
}

/** Lists the change requests of a space, newest first. */
export function listChangeRequests(
  db: Db,
  { organization_id: organizationId, id: spaceId }: SpaceKey,
  filter: ChangeRequestFilter,
  list: PageRequest,
): Promise<ListPage<ChangeRequestRow>> {
  const query = db
    .selectFrom('change_requests')
    .selectAll('change_requests')
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
  return listPage(db, applyFilter(query, filter), {
    ...list,
    order: [{ column: 'change_requests.number', type: 'integer', direction: 'desc' }],
    id: 'change_requests.id',
  })
}

/** Lists the change requests of all spaces visible to the reader, newest first, with the heads of their spaces. */
export function listChangeRequestsInOrganization(
  db: Db,
  reader: Reader,
  filter: ChangeRequestFilter,
  { page, limit }: PageRequest,
): Promise<ListPage<ChangeRequestRow & { readonly head: RevisionId }>> {
  const { organizationId } = reader
  const query = db
    .selectFrom('change_requests')
    .innerJoin('spaces', (join) =>
      join
        .onRef('spaces.organization_id', '=', 'change_requests.organization_id')
        .onRef('spaces.id', '=', 'change_requests.space_id'),
    )
    .selectAll('change_requests')
    .select('spaces.revision_id as head')
    .where('change_requests.organization_id', '=', organizationId)
    .where((space) => isVisibleSpace(space as never, reader) as never)
  return listPage(db, applyFilter(query, filter), {
    page,
    limit,
    order: [{ column: 'change_requests.created_at', type: 'integer', direction: 'desc' }],
    id: 'change_requests.id',
  })
}

function applyFilter<Query extends SelectQueryBuilder<any, any, any>>(
  query: Query,
  { status, creator, contributor, requestedReviewer }: ChangeRequestFilter,
): Query {
  let found: SelectQueryBuilder<any, any, any> = query
  if (status !== 'all') found = found.where('change_requests.status', '=', status)
  if (creator !== undefined) found = found.where('change_requests.created_by', '=', creator)
  if (contributor !== undefined) {
    found = found.where((where) => {
      const writers = where.selectFrom('contributions').where('contributions.user_id', '=', contributor)
      const authors = where.selectFrom('comments').where('comments.posted_by', '=', contributor)
      return where.or([
        where.exists(ofChangeRequest(writers, 'contributions').select('contributions.user_id')),
        where.exists(ofChangeRequest(authors, 'comments').select('comments.id')),
      ])
    })
  }
  if (requestedReviewer !== undefined) {
    found = found.where((where) => {
      const requests = where
        .selectFrom('requested_reviewers')
        .where((one) =>
          one.or([
            one('requested_reviewers.user_id', '=', requestedReviewer),
            one.exists(
              one
                .selectFrom('team_members')
                .select('team_members.user_id')
                .whereRef('team_members.organization_id', '=', 'requested_reviewers.organization_id')
                .whereRef('team_members.team_id', '=', 'requested_reviewers.team_id')
                .where('team_members.user_id', '=', requestedReviewer),
            ),
          ]),
        )
      return where.exists(ofChangeRequest(requests, 'requested_reviewers').select('requested_reviewers.id'))
    })
  }
  return found as Query
}

/** Joins the table to the outer change request. */
function ofChangeRequest<Query extends SelectQueryBuilder<any, any, any>>(
  query: Query,
  table: string,
): Query {
  return query
    .whereRef(`${table}.organization_id`, '=', 'change_requests.organization_id')
    .whereRef(`${table}.change_request_id`, '=', 'change_requests.id') as Query
}

export function insertChangeRequest(tx: Tx, row: NewRow<'change_requests'>): Promise<ChangeRequestRow> {
  return tx.insertInto('change_requests').values(row).returningAll().executeTakeFirstOrThrow()
}

export function updateChangeRequestRow(
  tx: Tx,
  { organization_id: organizationId, id }: Pick<ChangeRequestRow, 'organization_id' | 'id'>,
  change: RowUpdate<'change_requests'>,
): Promise<ChangeRequestRow> {
  return tx
    .updateTable('change_requests')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns who edited these change requests, last first. */
export async function listEditorsOf(
  db: Db,
  organizationId: OrganizationId,
  ids: readonly ChangeRequestId[],
): Promise<Pick<Row<'contributions'>, 'change_request_id' | 'user_id'>[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('contributions')
    .select(['change_request_id', 'user_id'])
    .where('organization_id', '=', organizationId)
    .where('change_request_id', 'in', ids)
    .orderBy('updated_at', 'desc')
    .orderBy('user_id')
    .execute()
}

/** Returns the users who edited a change request, with count and time of the last edit. */
export function listEditors(
  db: Db,
  { organization_id: organizationId, id }: Pick<ChangeRequestRow, 'organization_id' | 'id'>,
): Promise<Row<'contributions'>[]> {
  return db
    .selectFrom('contributions')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('change_request_id', '=', id)
    .execute()
}

/** Counts one edit of the user in the change request. */
export async function recordContribution(
  tx: Tx,
  { id, organization_id }: ChangeRequestRow,
  userId: UserId,
  now: number,
): Promise<void> {
  await countContribution(tx, { organizationId: organization_id, id, userId, now })
}

const countContribution = prepared<{
  readonly organizationId: OrganizationId
  readonly id: ChangeRequestId
  readonly userId: UserId
  readonly now: number
}>()((db, { organizationId, id, userId, now }) =>
  db
    .insertInto('contributions')
    .values({
      organization_id: organizationId,
      change_request_id: id,
      user_id: userId,
      updated_at: now,
      count: 1,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'change_request_id', 'user_id'])
        .doUpdateSet((set) => ({ updated_at: now, count: set('contributions.count', '+', 1) })),
    ),
)

/** Returns the revisions to which comments, reviews and requests of reviews on a change request refer. */
export async function listReferencedRevisions(
  db: Db,
  organizationId: OrganizationId,
  id: ChangeRequestId,
): Promise<RevisionId[]> {
  const of = (table: 'comments' | 'reviews' | 'requested_reviewers') =>
    db
      .selectFrom(table)
      .select('revision_id')
      .where('organization_id', '=', organizationId)
      .where('change_request_id', '=', id)
  const rows = await of('comments').union(of('reviews')).union(of('requested_reviewers')).execute()
  return rows.map(({ revision_id: revision }) => revision)
}

/** Adds `by` to the number of open comments and returns the status of the change request. */
export async function countComments(
  tx: Tx,
  { organization_id: organizationId, id }: Pick<ChangeRequestRow, 'organization_id' | 'id'>,
  by: number,
): Promise<string> {
  const row = await tx
    .updateTable('change_requests')
    // A comment may refer to the head.
    .set((is) => ({ comments: is('comments', '+', by), ...notAmendable }))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning('status')
    .executeTakeFirstOrThrow()
  return row.status
}

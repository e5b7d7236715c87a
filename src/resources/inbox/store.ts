/**
 * Queries on inbox entries. A person's inbox spans their organizations; of each it contains the entries about the spaces
 * that they may read now.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { ChangeRequestId, InboxEntryId, OrganizationId, TeamId, UserId } from '../../core/ids.js'
import type { InboxKind } from '../../contract/inbox.js'
import type { Reader } from '../../access/rules/levels.js'
import { isVisibleSpace } from '../../access/rules/visible.js'
import { acrossOrganizations } from '../../store/db/cross-tenant.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { NewRow, Row } from '../../store/db/tables.js'

/** An entry with what it is about. */
export type InboxEntryRow = Row<'inbox_entries'> & {
  readonly organization_title: string
  readonly space_title: string
  readonly request_number: number | null
  readonly request_subject: string | null
  readonly request_status: string | null
  readonly comment_body: string | null
  /** The comment that it replies to. */
  readonly comment_parent: string | null
  readonly review_status: string | null
  readonly team_title: string | null
}

/** Entries of one member that are retained in one organization. */
export const maxEntries = 1_000

export interface InboxFilter {
  readonly read?: boolean | undefined
  readonly kind?: InboxKind | undefined
  readonly id?: InboxEntryId
}

/** Lists the entries of a person in the organizations where they are these readers, newest first. */
export function listEntries(
  db: Db,
  readers: readonly Reader[],
  filter: InboxFilter,
  list: PageRequest,
): Promise<ListPage<InboxEntryRow>> {
  const all = allInboxes(db)
  return listPage(all, withSubjects(visibleEntries(all, readers, filter)), {
    ...list,
    order: [{ column: 'inbox_entries.at', type: 'integer', direction: 'desc' }],
    id: 'inbox_entries.id',
  })
}

export function findEntry(
  db: Db,
  readers: readonly Reader[],
  id: InboxEntryId,
): Promise<InboxEntryRow | undefined> {
  return withSubjects(visibleEntries(allInboxes(db), readers, { id })).executeTakeFirst()
}

export async function countUnread(db: Db, readers: readonly Reader[]): Promise<number> {
  const { count } = await visibleEntries(allInboxes(db), readers, { read: false })
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

const allInboxes = (db: Db): Db => acrossOrganizations(db, 'the inbox of a person')

/** Selects from the entries about spaces that the readers, all the same person, may read. */
function visibleEntries(db: Db, readers: readonly Reader[], { read, kind, id }: InboxFilter) {
  let query = db
    .selectFrom('inbox_entries')
    .innerJoin('spaces', (join) =>
      join
        .onRef('spaces.organization_id', '=', 'inbox_entries.organization_id')
        .onRef('spaces.id', '=', 'inbox_entries.space_id'),
    )
    .where((where) =>
      where.or(
        readers.map((reader) =>
          where.and([
            where('inbox_entries.organization_id', '=', reader.organizationId),
            where('inbox_entries.user_id', '=', reader.userId),
            isVisibleSpace(where as never, reader) as never,
          ]),
        ),
      ),
    )
  if (read !== undefined) query = query.where('inbox_entries.read_at', read ? 'is not' : 'is', null)
  if (kind !== undefined) query = query.where('inbox_entries.kind', '=', kind)
  if (id !== undefined) query = query.where('inbox_entries.id', '=', id)
  return query
}

function withSubjects(query: ReturnType<typeof visibleEntries>) {
  return query
    .innerJoin('organizations', 'organizations.id', 'inbox_entries.organization_id')
    .leftJoin('change_requests', (join) =>
      join
        .onRef('change_requests.organization_id', '=', 'inbox_entries.organization_id')
        .onRef('change_requests.id', '=', 'inbox_entries.change_request_id'),
    )
    .leftJoin('comments', (join) =>
      join
        .onRef('comments.organization_id', '=', 'inbox_entries.organization_id')
        .onRef('comments.id', '=', 'inbox_entries.comment_id'),
    )
    .leftJoin('reviews', (join) =>
      join
        .onRef('reviews.organization_id', '=', 'inbox_entries.organization_id')
        .onRef('reviews.id', '=', 'inbox_entries.review_id'),
    )
    .leftJoin('teams', (join) =>
      join
        .onRef('teams.organization_id', '=', 'inbox_entries.organization_id')
        .onRef('teams.id', '=', 'inbox_entries.team_id'),
    )
    .selectAll('inbox_entries')
    .select([
      'organizations.title as organization_title',
      'spaces.title as space_title',
      'change_requests.number as request_number',
      'change_requests.subject as request_subject',
      'change_requests.status as request_status',
      'comments.body as comment_body',
      'comments.comment_id as comment_parent',
      'reviews.status as review_status',
      'teams.title as team_title',
    ])
}

export type NewEntry = Omit<NewRow<'inbox_entries'>, 'id' | 'read_at' | 'mailed_at'> & {
  readonly kind: InboxKind
}

/**
 * Writes entries and returns those that are new. What an entry is about gives its id: the same act delivered again
 * changes nothing, and a later one of the same kind about the same thing makes the entry new and unread.
 */
export async function putEntries(
  tx: Tx,
  entries: readonly NewEntry[],
): Promise<readonly Pick<Row<'inbox_entries'>, 'id' | 'user_id'>[]> {
  if (entries.length === 0) return []
  return tx
    .insertInto('inbox_entries')
    .values(entries.map((entry) => ({ ...entry, id: idOf(entry), read_at: null, mailed_at: null })))
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'user_id', 'id'])
        .doUpdateSet({
          actor_id: sql`excluded.actor_id`,
          review_id: sql`excluded.review_id`,
          at: sql`excluded.at`,
          read_at: null,
          mailed_at: null,
        })
        .where(sql<boolean>`inbox_entries.at < excluded.at`),
    )
    .returning(['id', 'user_id'])
    .execute()
}

function idOf(entry: NewEntry): InboxEntryId {
  const { organization_id, user_id, kind, comment_id, review_id, change_request_id, team_id } = entry
  const subject = [comment_id ?? review_id ?? change_request_id, team_id]
  const name = JSON.stringify([organization_id, user_id, kind, ...subject])
  return createHash('sha256').update(name).digest('hex').slice(0, 20) as InboxEntryId
}

/** Deletes the entries of a member beyond the last thousand. */
export async function trimEntries(tx: Tx, organizationId: OrganizationId, userId: UserId): Promise<void> {
  const ofMember = tx
    .selectFrom('inbox_entries')
    .select('at')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
  const last = await ofMember.orderBy('at', 'desc').offset(maxEntries).limit(1).executeTakeFirst()
  if (last === undefined) return
  await tx
    .deleteFrom('inbox_entries')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('at', '<=', last.at)
    .execute()
}

type EntryKey = Pick<Row<'inbox_entries'>, 'organization_id' | 'user_id' | 'id'>

export async function markEntry(
  tx: Tx,
  { organization_id: organizationId, user_id: userId, id }: EntryKey,
  change: { readonly read_at: number | null } | { readonly mailed_at: number },
): Promise<void> {
  await tx
    .updateTable('inbox_entries')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}

/** Marks entries of a member as read: all, or those up to one in the order of the list. */
export async function markRead(
  tx: Tx,
  { organizationId, userId }: Reader,
  through: Pick<InboxEntryRow, 'at' | 'id'> | undefined,
  now: number,
): Promise<void> {
  let query = tx
    .updateTable('inbox_entries')
    .set({ read_at: now })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
  if (through !== undefined)
    query = query.where(({ or, and, eb }) =>
      or([eb('at', '<', through.at), and([eb('at', '=', through.at), eb('id', '<=', through.id)])]),
    )
  await query.execute()
}

interface ReviewRequestEntries {
  readonly organizationId: OrganizationId
  readonly changeRequestId: ChangeRequestId
  /** Entries of later requests stay. */
  readonly before: number
}

/** Marks what asks a member for a review as read, once they reviewed. */
export async function markRequestsRead(
  tx: Tx,
  { organizationId, changeRequestId, before }: ReviewRequestEntries,
  userId: UserId,
): Promise<void> {
  await tx
    .updateTable('inbox_entries')
    .set({ read_at: before })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('change_request_id', '=', changeRequestId)
    .where('kind', 'in', ['review-requested', 'assigned'])
    .where('read_at', 'is', null)
    .where('at', '<=', before)
    .execute()
}

/** Deletes what asks a user or a team for a review that is no longer requested. */
export async function deleteRequests(
  tx: Tx,
  { organizationId, changeRequestId, before }: ReviewRequestEntries,
  target: UserId | TeamId,
): Promise<void> {
  await tx
    .deleteFrom('inbox_entries')
    .where('organization_id', '=', organizationId)
    .where('change_request_id', '=', changeRequestId)
    .where('kind', 'in', ['review-requested', 'assigned'])
    .where('at', '<=', before)
    .where(({ or, and, eb }) =>
      or([
        eb('team_id', '=', target as TeamId),
        and([eb('user_id', '=', target as UserId), eb('team_id', 'is', null)]),
      ]),
    )
    .execute()
}

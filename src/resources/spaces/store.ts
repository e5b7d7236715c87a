/** Queries on the table `spaces`. */
import { sql } from 'kysely'
import { groupBy } from '../../core/group.js'
import type { CollectionId, OrganizationId, RevisionId, SpaceId, UserId } from '../../core/ids.js'
import { onGrantsOf, splitFacts, stepColumns, withSteps } from '../../access/rules/level-facts.js'
import type { ContentFacts, Reader } from '../../access/rules/levels.js'
import { findVisibleSpaceIds, isReadableSpace, isVisibleSpace } from '../../access/rules/visible.js'
import type { DefaultLevel } from '../../contract/shapes.js'
import { ApiError } from '../../contract/errors.js'
import { recordDeparture } from '../../store/collect/gc-triggers.js'
import type { Bit } from '../../store/db/columns.js'
import type { Db, Tx } from '../../store/db/database.js'
import { prepared } from '../../store/db/prepared.js'
import { requireSpaceLock } from '../../store/db/transactions.js'
import { copyHistory, copyToOrganization } from '../../store/db/transfer.js'
import {
  addToDirectory,
  removeFromDirectory,
  moveInDirectory,
  findInDirectory,
} from '../../store/db/directory.js'
import { lastPosition } from '../../store/db/sibling-order.js'
import { contentSiblings } from '../../store/db/content-siblings.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { NewRow, Row, RowUpdate } from '../../store/db/tables.js'
import { type CustomFieldRow, hasFieldText } from '../custom-fields/store.js'
import type { SectionScope } from '../../store/search/engine.js'
import { deleteSpace as deleteFromIndex } from '../../store/search/pages.js'

export type SpaceRow = Row<'spaces'>

/** Primary key of a space. */
export type SpaceKey = Pick<SpaceRow, 'organization_id' | 'id'>

/** A space with the facts that decide a user's level in it. */
export interface SpaceWithFacts extends ContentFacts {
  readonly row: SpaceRow
}

/** Returns a space of the organization with the facts that decide the user's level, without checking access. One query. */
export async function findSpaceWithFacts(
  db: Db,
  organizationId: OrganizationId,
  userId: UserId,
  id: SpaceId,
): Promise<SpaceWithFacts | undefined> {
  const { rows } = await selectWithFacts(db, { organizationId, userId, id })
  return splitFacts(id, rows, userId)
}

const selectWithFacts = prepared<{
  readonly organizationId: OrganizationId
  readonly userId: UserId
  readonly id: SpaceId
}>()((db, { organizationId, userId, id }) =>
  withSteps(db, organizationId, 'space', [id])
    .selectFrom('spaces')
    .innerJoin('steps', (join) => join.onTrue())
    .leftJoin('grants as granted', onGrantsOf(organizationId, userId))
    .leftJoin('members', (join) =>
      join
        .onRef('members.organization_id', '=', 'spaces.organization_id')
        .on('members.user_id', '=', userId)
        .on('members.disabled', '=', 0),
    )
    .selectAll('spaces')
    .select(stepColumns)
    .select(['members.role as member_role', 'members.user_id as member_id'])
    .where('spaces.organization_id', '=', organizationId)
    .where('spaces.id', '=', id),
)

/** Returns a space of the organization without checking access, for work that was authorized before. */
export function findSpace(
  db: Db,
  organizationId: OrganizationId,
  id: SpaceId,
): Promise<SpaceRow | undefined> {
  return db
    .selectFrom('spaces')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns a space by id alone, without checking access: the directory knows its organization. */
export async function findSpaceAnywhere(db: Db, id: SpaceId): Promise<SpaceRow | undefined> {
  const organizationId = await findInDirectory(db, id)
  return organizationId && findSpace(db, organizationId, id)
}

export interface SpaceFilter {
  /** Only spaces directly in this collection. */
  readonly collection?: CollectionId
  /** Only spaces that this other member may read too. */
  readonly member?: Reader
  /** Only spaces with all of these custom field values. */
  readonly fieldValues?: readonly { readonly field: CustomFieldRow; readonly text: string }[]
  readonly order?: 'asc' | 'desc'
}

/** Up to this number of visible spaces are looked up by id and sorted; beyond it the ordered index is scanned until a page is full. */
const maxSortedSpaces = 200

/** Lists the spaces of an organization that the reader may read, by position. */
export async function listVisibleSpaces(
  db: Db,
  reader: Reader,
  list: PageRequest,
  { collection, member, fieldValues = [], order = 'asc' }: SpaceFilter = {},
): Promise<ListPage<SpaceRow>> {
  const { organizationId } = reader
  const ids = await findVisibleSpaceIds(db, reader, maxSortedSpaces)
  let query = db.selectFrom('spaces').selectAll().where('organization_id', '=', organizationId)
  query =
    ids === undefined
      ? query.where((where) => isVisibleSpace(where, reader))
      : query.where((where) => (ids.length === 0 ? where.or([]) : where('spaces.id', 'in', ids)))
  if (collection !== undefined) query = query.where('collection_id', '=', collection)
  if (member !== undefined) query = query.where((where) => isVisibleSpace(where, member))
  for (const { field, text } of fieldValues) query = query.where((where) => hasFieldText(where, field, text))
  return listPage(db, query, {
    page: list.page,
    limit: list.limit,
    order: [{ column: 'spaces.position', type: 'text', direction: order }],
    id: 'spaces.id',
  })
}

/** Returns those of the spaces that exist and that the reader may read. */
export async function findVisibleSpaces(
  db: Db,
  reader: Reader,
  ids: readonly SpaceId[],
): Promise<readonly SpaceRow[]> {
  const found: SpaceRow[] = []
  for (let at = 0; at < ids.length; at += idsPerQuery) {
    const rows = await db
      .selectFrom('spaces')
      .selectAll()
      .where('organization_id', '=', reader.organizationId)
      .where('id', 'in', ids.slice(at, at + idsPerQuery))
      .where((where) => isVisibleSpace(where, reader))
      .execute()
    found.push(...rows)
  }
  return found
}

/** Returns the spaces that the reader may read and that were deleted after a time, last deleted first. */
export function listDeletedSpaces(db: Db, reader: Reader, after: number): Promise<SpaceRow[]> {
  return db
    .selectFrom('spaces')
    .selectAll()
    .where('organization_id', '=', reader.organizationId)
    .where('deleted_at', '>', after)
    .where((where) => isReadableSpace(where, reader))
    .orderBy('deleted_at', 'desc')
    .orderBy('id')
    .execute()
}

export async function insertSpace(tx: Tx, row: Omit<NewRow<'spaces'>, 'position'>): Promise<SpaceRow> {
  const siblings = contentSiblings(tx, {
    organizationId: row.organization_id,
    parentId: row.collection_id ?? null,
  })
  await addToDirectory(tx, 'space', row.organization_id, [row.id])
  return tx
    .insertInto('spaces')
    .values({ ...row, position: await lastPosition(siblings) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updateSpace(
  tx: Tx,
  { organization_id: organizationId, id }: SpaceKey,
  change: RowUpdate<'spaces'>,
): Promise<SpaceRow> {
  return tx
    .updateTable('spaces')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes a space; revisions and change requests follow by cascade, rows without a foreign key are the caller's task. */
export async function deleteSpaceRow(
  tx: Tx,
  { organization_id: organizationId, id }: SpaceKey,
): Promise<void> {
  await tx.deleteFrom('spaces').where('organization_id', '=', organizationId).where('id', '=', id).execute()
  await removeFromDirectory(tx, id)
}

const historyPerStep = 200

/** Deletes a batch of change requests, or else revisions, of a space, never its head; true while there may be more. */
export async function deleteSomeHistory(
  tx: Tx,
  { organization_id: organizationId, id, revision_id: head }: SpaceRow,
): Promise<boolean> {
  for (const table of ['change_requests', 'revisions'] as const) {
    const { numDeletedRows } = await tx
      .deleteFrom(table)
      .where('organization_id', '=', organizationId)
      .where('id', 'in', (rows) =>
        rows
          .selectFrom(table)
          .select('id')
          .where('organization_id', '=', organizationId)
          .where('space_id', '=', id)
          .where('id', '!=', head as never)
          .limit(historyPerStep),
      )
      .executeTakeFirst()
    if (numDeletedRows > 0n) return true
  }
  return false
}

/** Returns the row, locked by the transaction; throws 404 when there is none. */
export async function lockSpace(tx: Tx, organizationId: OrganizationId, id: SpaceId): Promise<SpaceRow> {
  requireSpaceLock(tx, id)
  const row = await findSpace(tx, organizationId, id)
  if (row === undefined) throw new ApiError('not_found', { thing: 'space' })
  return row
}

/** Allocates the next change request number of the space. */
export async function takeChangeRequestNumber(
  tx: Tx,
  { organization_id: organizationId, id }: SpaceKey,
): Promise<number> {
  const row = await tx
    .updateTable('spaces')
    .set((set) => ({ next_change_request_number: set('next_change_request_number', '+', 1) }))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning('next_change_request_number')
    .executeTakeFirstOrThrow()
  return row.next_change_request_number - 1
}

/** Adds `by` to the number of open comments of the space. */
export async function countComments(
  tx: Tx,
  { organization_id: organizationId, id }: SpaceKey,
  by: number,
): Promise<void> {
  await tx
    .updateTable('spaces')
    .set((is) => ({ comments: is('comments', '+', by) }))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

/** Numbers of a space's change requests and the site it is published on. */
export interface SpaceRelations {
  readonly open: number
  readonly draft: number
  readonly published:
    | { readonly hostname: string; readonly site: Row<'sites'>; readonly path: string }
    | undefined
}

/** Returns the relations of many spaces of an organization in two queries. */
export async function loadRelations(
  db: Db,
  organizationId: OrganizationId,
  ids: readonly SpaceId[],
): Promise<Map<SpaceId, SpaceRelations>> {
  if (ids.length === 0) return new Map()
  const [counts, sites] = await Promise.all([
    db
      .selectFrom('change_requests')
      .select(({ fn }) => ['space_id', 'status', fn.countAll<number>().as('count')])
      .where('organization_id', '=', organizationId)
      .where('space_id', 'in', ids)
      .where('status', 'in', ['open', 'draft'])
      .groupBy(['space_id', 'status'])
      .execute(),
    db
      .selectFrom('site_spaces')
      // A cross join fixes the order: SQLite would otherwise scan all sites of the organization.
      .crossJoin('sites')
      .whereRef('sites.organization_id', '=', 'site_spaces.organization_id')
      .whereRef('sites.id', '=', 'site_spaces.site_id')
      .innerJoin('organizations', 'organizations.id', 'sites.organization_id')
      .leftJoin('site_sections', (join) =>
        join
          .onRef('site_sections.organization_id', '=', 'site_spaces.organization_id')
          .onRef('site_sections.id', '=', 'site_spaces.section_id'),
      )
      .selectAll('sites')
      .select([
        'site_spaces.space_id as space_id',
        'site_spaces.path as space_path',
        'site_spaces.is_default as is_default',
        'site_sections.path as section_path',
        'site_sections.is_default as is_default_section',
        'organizations.hostname as organization_hostname',
      ])
      .where('site_spaces.organization_id', '=', organizationId)
      .where('site_spaces.space_id', 'in', ids)
      .where('sites.published', '=', 1)
      .where('site_spaces.draft', '=', 0)
      .where((is) => is.or([is('site_sections.draft', 'is', null), is('site_sections.draft', '=', 0)]))
      .orderBy('sites.published_at', 'desc')
      .execute(),
  ])
  const counted = new Map(counts.map((row) => [`${row.space_id} ${row.status}`, row.count]))
  const countOf = (id: SpaceId, status: string) => counted.get(`${id} ${status}`) ?? 0
  const sitesOf = groupBy(sites, (row) => row.space_id)
  return new Map(
    ids.map((id) => {
      const ofSpace = sitesOf.get(id) ?? []
      // On several sites, the most public one determines the visibility.
      const found =
        ofSpace.find((row) => row.visibility === 'public') ??
        ofSpace.find((row) => row.visibility === 'unlisted') ??
        ofSpace[0]
      const published = found && {
        hostname: found.organization_hostname,
        site: found,
        path: pathOnSite(found),
      }
      return [id, { open: countOf(id, 'open'), draft: countOf(id, 'draft'), published }]
    }),
  )
}

/** Returns the path of a space below the URL of its site: default sections and spaces add no segment. */
function pathOnSite(location: {
  readonly space_path: string
  readonly is_default: Bit
  readonly section_path: string | null
  readonly is_default_section: Bit | null
}): string {
  const isAtRoot = location.is_default === 1 && location.is_default_section === 1
  const names = [
    ...(location.section_path === null || isAtRoot ? [] : [location.section_path]),
    ...(location.is_default === 1 ? [] : [location.space_path]),
  ]
  return names.map((name) => `${encodeURIComponent(name)}/`).join('')
}

export function defaultLevelOf(row: SpaceRow): DefaultLevel {
  return row.default_level as DefaultLevel
}

export function headOf(row: SpaceRow): RevisionId {
  return row.revision_id
}

const idsPerQuery = 500

/** Returns the spaces directly in these collections of an organization, including deleted ones. */
export async function listSpacesInCollections(
  db: Db,
  organizationId: OrganizationId,
  ids: readonly CollectionId[],
): Promise<SpaceRow[]> {
  const found: SpaceRow[] = []
  for (let at = 0; at < ids.length; at += idsPerQuery) {
    const part = ids.slice(at, at + idsPerQuery)
    const rows = await db
      .selectFrom('spaces')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('collection_id', 'in', part)
      .execute()
    found.push(...rows)
  }
  return found
}

/** True when a site contains the space, published or not. */
export async function isOnAnySite(
  db: Db,
  { organization_id: organizationId, id }: SpaceKey,
): Promise<boolean> {
  const link = await db
    .selectFrom('site_spaces')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', id)
    .executeTakeFirst()
  return link !== undefined
}

/** Returns those of the spaces that the reader may read, by id. */
export async function loadVisibleSpaces(
  db: Db,
  reader: Reader,
  ids: readonly SpaceId[],
): Promise<Map<SpaceId, SpaceRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('spaces')
    .selectAll()
    .where('organization_id', '=', reader.organizationId)
    .where('id', 'in', ids)
    .where((where) => isVisibleSpace(where, reader))
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Up to this number of space ids is passed to a search; beyond it the search checks access per section. */
const maxNamedSpaces = 1_000

/** Returns the scope of a reader's search: ids of their spaces, or a predicate for all of the organization. */
export async function findSearchScope(db: Db, reader: Reader): Promise<SectionScope> {
  const ids = await findVisibleSpaceIds(db, reader, maxNamedSpaces)
  const { organizationId } = reader
  if (ids !== undefined) return { organizationId, spaceIds: ids }
  return { organizationId, isInScope: (space) => isVisibleSpace(space, reader) }
}

/** Moves the space with its history to another organization; the caller enqueues its content jobs, which index it there. */
export async function moveToOrganization(
  tx: Tx,
  space: SpaceKey,
  to: OrganizationId,
  now: number,
): Promise<void> {
  const { id, organization_id: from } = space
  await recordDeparture(tx, from, now)
  await copyToOrganization(tx, 'spaces', { from, to }, sql`id = ${id}`)
  await copyHistory(tx, id, { from, to })
  await deleteFromIndex(tx, { organizationId: from, spaceId: id })
  // Deletes the remaining history by cascade.
  await tx.deleteFrom('spaces').where('organization_id', '=', from).where('id', '=', id).execute()
  await moveInDirectory(tx, id, to)
  await updateSpace(tx, { id, organization_id: to }, { updated_at: now })
}

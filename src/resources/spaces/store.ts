/** Rows of spaces. */
import { sql } from 'kysely'
import { groupBy } from '../../core/group.js'
import type { CollectionId, OrganizationId, RevisionId, SpaceId, UserId } from '../../core/ids.js'
import { onGrantsOf, partFacts, stepColumns, withSteps } from '../../access/rules/facts.js'
import type { ContentFacts, Reader } from '../../access/rules/levels.js'
import { findVisibleSpaceIds, isVisibleSpace } from '../../access/rules/visible.js'
import type { DefaultLevel } from '../../contract/shapes.js'
import { ApiError } from '../../contract/errors.js'
import { noteDeparture } from '../../store/collect/gc-triggers.js'
import type { Bit } from '../../store/db/columns.js'
import type { Db, Tx } from '../../store/db/database.js'
import { demandSpace } from '../../store/db/transactions.js'
import { copyHistory, copyToOrganization } from '../../store/db/transfer.js'
import { enterDirectory, leaveDirectory, moveInDirectory, findInDirectory } from '../../store/db/directory.js'
import { placeLast } from '../../store/db/order.js'
import { contentSiblings } from '../../store/db/siblings.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { NewRow, Row, RowUpdate } from '../../store/db/tables.js'
import { type CustomFieldRow, isSaying } from '../custom-fields/store.js'
import type { Searched } from '../../store/search/engine.js'
import { deleteSpace as deleteFromIndex } from '../../store/search/pages.js'

export type SpaceRow = Row<'spaces'>

/** What names a space: where its rows lie, and its id. */
export type SpaceKey = Pick<SpaceRow, 'organization_id' | 'id'>

/** A space, and what is known of a user in it. */
export interface SpaceOf extends ContentFacts {
  readonly row: SpaceRow
}

/** Returns a space of the organization with what decides the user's level in it, whether or not they may see it. One query. */
export async function findSpaceOf(
  db: Db,
  organizationId: OrganizationId,
  userId: UserId,
  id: SpaceId,
): Promise<SpaceOf | undefined> {
  const rows = await withSteps(db, organizationId, 'space', [id])
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
    .where('spaces.id', '=', id)
    .execute()
  return partFacts(id, rows, userId)
}

/** Returns a space of the organization whoever asks, for work that was allowed before. */
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

/** The same for whoever knows nothing but the id: the directory says where to look. */
export async function findSpaceAnywhere(db: Db, id: SpaceId): Promise<SpaceRow | undefined> {
  const organizationId = await findInDirectory(db, id)
  return organizationId && findSpace(db, organizationId, id)
}

export interface SpaceFilter {
  /** Only what stands directly in this collection. */
  readonly collection?: CollectionId
  /** Only what this other member may read too. */
  readonly member?: Reader
  /** Only what says all of this in custom fields. */
  readonly says?: readonly { readonly field: CustomFieldRow; readonly text: string }[]
  readonly order?: 'asc' | 'desc'
}

/** Up to so many are looked up and put in order; of more, the order is followed until a page is full. */
const fewSpaces = 200

/** Lists the spaces of an organization that the reader may read, in their order. */
export async function listVisibleSpaces(
  db: Db,
  reader: Reader,
  list: PageRequest,
  { collection, member, says = [], order = 'asc' }: SpaceFilter = {},
): Promise<ListPage<SpaceRow>> {
  const { organizationId } = reader
  const ids = await findVisibleSpaceIds(db, reader, fewSpaces)
  let query = db.selectFrom('spaces').selectAll().where('organization_id', '=', organizationId)
  query =
    ids === undefined
      ? query.where((where) => isVisibleSpace(where, reader))
      : query.where((where) => (ids.length === 0 ? where.or([]) : where('spaces.id', 'in', ids)))
  if (collection !== undefined) query = query.where('collection_id', '=', collection)
  if (member !== undefined) query = query.where((where) => isVisibleSpace(where, member))
  for (const { field, text } of says) query = query.where((where) => isSaying(where, field, text))
  return listPage(db, query, {
    page: list.page,
    limit: list.limit,
    order: [{ column: 'spaces.position', type: 'text', direction: order }],
    id: 'spaces.id',
  })
}

/** Returns those of the spaces that are there and that the reader may read. */
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

export async function insertSpace(tx: Tx, row: Omit<NewRow<'spaces'>, 'position'>): Promise<SpaceRow> {
  const siblings = contentSiblings(tx, {
    organizationId: row.organization_id,
    parentId: row.collection_id ?? null,
  })
  await enterDirectory(tx, 'space', row.organization_id, [row.id])
  return tx
    .insertInto('spaces')
    .values({ ...row, position: await placeLast(siblings) })
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

/** Removes a space with its revisions and change requests; what no foreign key ties to it is the caller's. */
export async function deleteSpaceRow(
  tx: Tx,
  { organization_id: organizationId, id }: SpaceKey,
): Promise<void> {
  await tx.deleteFrom('spaces').where('organization_id', '=', organizationId).where('id', '=', id).execute()
  await leaveDirectory(tx, id)
}

const historyPerStep = 200

/** Removes some change requests or else revisions of a space, never its head; true while there may be more. */
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

/** Returns the row as nobody else changes it before the transaction ends; throws 404 when there is none. */
export async function lockSpace(tx: Tx, organizationId: OrganizationId, id: SpaceId): Promise<SpaceRow> {
  demandSpace(tx, id)
  const row = await findSpace(tx, organizationId, id)
  if (row === undefined) throw new ApiError('not_found', { thing: 'space' })
  return row
}

/** Gives out the next number for a change request of the space. */
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

/** Counts open comments of the space up or down. */
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

/** What a space shows of its change requests and of the sites it is published on. */
export interface SpaceSurroundings {
  readonly open: number
  readonly draft: number
  readonly published:
    | { readonly hostname: string; readonly site: Row<'sites'>; readonly path: string }
    | undefined
}

/** Returns the surroundings of many spaces of an organization in two queries. */
export async function loadSurroundings(
  db: Db,
  organizationId: OrganizationId,
  ids: readonly SpaceId[],
): Promise<Map<SpaceId, SpaceSurroundings>> {
  if (ids.length === 0) return new Map()
  const [counts, sites] = [
    await db
      .selectFrom('change_requests')
      .select(({ fn }) => ['space_id', 'status', fn.countAll<number>().as('count')])
      .where('organization_id', '=', organizationId)
      .where('space_id', 'in', ids)
      .where('status', 'in', ['open', 'draft'])
      .groupBy(['space_id', 'status'])
      .execute(),
    await db
      .selectFrom('site_spaces')
      // In this order: SQLite would rather walk through all sites of the organization.
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
  ]
  const counted = new Map(counts.map((row) => [`${row.space_id} ${row.status}`, row.count]))
  const countOf = (id: SpaceId, status: string) => counted.get(`${id} ${status}`) ?? 0
  const sitesOf = groupBy(sites, (row) => row.space_id)
  return new Map(
    ids.map((id) => {
      const ofSpace = sitesOf.get(id) ?? []
      // On several sites, the most open one says who reads the space.
      const found =
        ofSpace.find((row) => row.visibility === 'public') ??
        ofSpace.find((row) => row.visibility === 'unlisted') ??
        ofSpace[0]
      const published = found && {
        hostname: found.organization_hostname,
        site: found,
        path: pathOn(found),
      }
      return [id, { open: countOf(id, 'open'), draft: countOf(id, 'draft'), published }]
    }),
  )
}

/** The path of a space below the address of its site: sections and spaces that are the default ones have no part in it. */
function pathOn(place: {
  readonly space_path: string
  readonly is_default: Bit
  readonly section_path: string | null
  readonly is_default_section: Bit | null
}): string {
  const isAtRoot = place.is_default === 1 && place.is_default_section === 1
  const names = [
    ...(place.section_path === null || isAtRoot ? [] : [place.section_path]),
    ...(place.is_default === 1 ? [] : [place.space_path]),
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

/** Returns the spaces directly in these collections of an organization, those in the trash included. */
export async function listSpacesOf(
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

/** True when a site shows the space, published or not. */
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

/** Returns the titles of those of the spaces that the reader may read, by id. */
export async function loadVisibleTitles(
  db: Db,
  reader: Reader,
  ids: readonly SpaceId[],
): Promise<Map<SpaceId, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('spaces')
    .select(['id', 'title'])
    .where('organization_id', '=', reader.organizationId)
    .where('id', 'in', ids)
    .where((where) => isVisibleSpace(where, reader))
    .execute()
  return new Map(rows.map(({ id, title }) => [id, title]))
}

/** As many spaces are named to a search; where more may be found, it asks of each section whether it may. */
const mostNamed = 1_000

/** Returns where the reader may search: their spaces by name, or the rule for all of the organization. */
export async function findSearchable(db: Db, reader: Reader): Promise<Searched> {
  const ids = await findVisibleSpaceIds(db, reader, mostNamed)
  const { organizationId } = reader
  if (ids !== undefined) return { organizationId, spaceIds: ids }
  return { organizationId, isSearched: (space) => isVisibleSpace(space, reader) }
}

/** Gives the space to another organization, with its history; it is to be announced, to be found there by the search. */
export async function moveToOrganization(
  tx: Tx,
  space: SpaceKey,
  to: OrganizationId,
  now: number,
): Promise<void> {
  const { id, organization_id: from } = space
  await noteDeparture(tx, from, now)
  await copyToOrganization(tx, 'spaces', { from, to }, sql`id = ${id}`)
  await copyHistory(tx, id, { from, to })
  await deleteFromIndex(tx, { organizationId: from, spaceId: id })
  // Takes the history along that stayed behind.
  await tx.deleteFrom('spaces').where('organization_id', '=', from).where('id', '=', id).execute()
  await moveInDirectory(tx, id, to)
  await updateSpace(tx, { id, organization_id: to }, { updated_at: now })
}

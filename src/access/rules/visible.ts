/**
 * Row-level visibility as an SQL filter for lists: the rule of `levels.ts`.
 *
 * It is applied before the limit, so that counts and pages contain nothing else. What does not depend on the row (the
 * reader's grants, the collections open to them) is in subqueries that run once.
 */
import { type ExpressionBuilder, ExpressionWrapper, type RawBuilder, type SqlBool, sql } from 'kysely'
import { roles } from '../../contract/shapes.js'
import type { CollectionId, SpaceId } from '../../core/ids.js'
import type { Db } from '../../store/db/database.js'
import type { Tables } from '../../store/db/tables.js'
import type { Reader } from './levels.js'

type Filter<Table extends keyof Tables> = ExpressionWrapper<Tables, Table, SqlBool>

/** True for the spaces that the reader may read; for queries over `spaces` that name the reader's organization. Deleted spaces are in no list. */
export function isVisibleSpace(where: ExpressionBuilder<Tables, 'spaces'>, reader: Reader): Filter<'spaces'> {
  return where.and([where('spaces.deleted_at', 'is', null), isReadableSpace(where, reader)])
}

/** The same with the spaces in the trash. */
export function isReadableSpace(
  where: ExpressionBuilder<Tables, 'spaces'>,
  reader: Reader,
): Filter<'spaces'> {
  if (reader.role === undefined) return never(where)
  if (reader.role === 'admin') return always(where)
  // Wrapped in one expression, so that the index order of a list is followed: SQLite would otherwise collect the rows
  // of each alternative and sort them.
  return new ExpressionWrapper(
    sql<SqlBool>`((${sql.join(waysToRead(reader), sql` or `)}) is true)`.toOperationNode(),
  )
}

/**
 * Returns the ids of the spaces that `isVisibleSpace` is true for, or undefined when they are more than `most`. Each is
 * found by an index, so the cost follows the number of visible spaces, not of all spaces.
 */
export async function findVisibleSpaceIds(
  db: Db,
  reader: Reader,
  most: number,
): Promise<readonly SpaceId[] | undefined> {
  const { organizationId, role } = reader
  if (role === undefined) return []
  if (role === 'admin') return undefined
  const isInOrganization = sql`spaces.organization_id = ${organizationId} and spaces.deleted_at is null`
  // In this join order: without statistics, SQLite would otherwise scan the whole organization.
  const granted = sql`
    select spaces.id from ${grantedTo(reader)} as granted cross join spaces
    where ${isInOrganization} and spaces.id = granted.target_id`
  const others = waysBeyondGrants(reader).map(
    (way) => sql`select spaces.id from spaces where ${isInOrganization} and ${way}`,
  )
  const { rows } = await sql<{ id: SpaceId }>`
    select id from (${sql.join([granted, ...others], sql` union all `)}) as seen limit ${most + 1}
  `.execute(db)
  // A space may be visible for several reasons; counting it twice errs to the side of undefined.
  return rows.length > most ? undefined : [...new Set(rows.map(({ id }) => id))]
}

/** Conditions under which a member or guest may read a space; one suffices. */
function waysToRead(reader: Reader): readonly RawBuilder<SqlBool>[] {
  return [sql<SqlBool>`spaces.id in ${grantedTo(reader)}`, ...waysBeyondGrants(reader)]
}

/** The same without grants on the space itself. */
function waysBeyondGrants(reader: Reader): readonly RawBuilder<SqlBool>[] {
  const { role, userId } = reader
  const inherits = sql<SqlBool>`spaces.default_level = 'inherit'`
  const isOwnHidden = sql<SqlBool>`spaces.default_level is null and spaces.created_by = ${userId}`
  const isAround = sql<SqlBool>`spaces.collection_id in ${openCollections(reader)}`
  // Each level in its own condition: for both together, SQLite would scan the whole organization.
  const below = [inherits, isOwnHidden].map((way) => sql<SqlBool>`(${way} and ${isAround})`)
  if (role === null) return below
  // Separate, because most spaces at the top may be hidden: each is found by its level.
  const atTop = [inherits, isOwnHidden].map((way) => sql<SqlBool>`(${way} and spaces.collection_id is null)`)
  const opens = sql<SqlBool>`spaces.default_level in (${sql.join(roles)})`
  return [...below, ...atTop, opens]
}

/** True for the collections that the reader may read; for queries over `collections`. */
export function isVisibleCollection(
  where: ExpressionBuilder<Tables, 'collections'>,
  reader: Reader,
): Filter<'collections'> {
  if (reader.role === undefined) return never(where)
  if (reader.role === 'admin') return always(where)
  return where('collections.id', 'in', openCollections(reader))
}

/** True for the sites that the reader may see: a reader of one of its spaces, and any member while it has none. */
export function isVisibleSite(where: ExpressionBuilder<Tables, 'sites'>, reader: Reader): Filter<'sites'> {
  if (reader.role === undefined) return never(where)
  if (reader.role === 'admin') return always(where)
  const links = where
    .selectFrom('site_spaces')
    .select('site_spaces.id')
    .where('site_spaces.organization_id', '=', reader.organizationId)
    .whereRef('site_spaces.site_id', '=', 'sites.id')
  const readable = links
    // In this join order: SQLite would otherwise scan all spaces of the organization.
    .crossJoin('spaces')
    .whereRef('spaces.organization_id', '=', 'site_spaces.organization_id')
    .whereRef('spaces.id', '=', 'site_spaces.space_id')
    .where((link) => isReadableSpace(link as never, reader) as never)
  const hasReadable = where.exists(readable)
  return reader.role === null
    ? (hasReadable as Filter<'sites'>)
    : where.or([hasReadable, where.not(where.exists(links))])
}

/** The ids of all resources with a grant to the reader, by name or through a team; every grant includes reading. */
function grantedTo({ userId, organizationId }: Reader): RawBuilder<never> {
  return sql`(
    select target_id from grants where organization_id = ${organizationId} and grantee_id = ${userId}
    union all
    select target_id from grants where organization_id = ${organizationId} and grantee_id in (
      select team_id from team_members where organization_id = ${organizationId} and user_id = ${userId}
    )
  )`
}

/**
 * The ids of the collections that the reader may read: those opened by a grant, a default role or by inheriting at the
 * top of the organization, and below them all that inherit.
 */
function openCollections(reader: Reader): RawBuilder<CollectionId> {
  const { userId, organizationId, role } = reader
  const inherits = sql`(default_level = 'inherit' or (default_level is null and created_by = ${userId}))`
  const opensToMembers =
    role === null ? sql`` : sql`or default_level <> 'inherit' or (parent_id is null and ${inherits})`
  return sql`(
    with recursive open_collections (id) as (
      select id from collections
      where organization_id = ${organizationId} and (id in ${grantedTo(reader)} ${opensToMembers})
      union
      select inner_collections.id
      from (select id, parent_id from collections where organization_id = ${organizationId} and ${inherits})
        as inner_collections
      join open_collections on open_collections.id = inner_collections.parent_id
    )
    select id from open_collections
  )`
}

const never = <Table extends keyof Tables>(where: ExpressionBuilder<Tables, Table>): Filter<Table> =>
  where.or([]) as Filter<Table>

const always = <Table extends keyof Tables>(where: ExpressionBuilder<Tables, Table>): Filter<Table> =>
  where.and([]) as Filter<Table>

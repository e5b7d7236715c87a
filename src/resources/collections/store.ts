/** Table of collections. */
import { type SqlBool, sql } from 'kysely'
import type { CollectionId, OrganizationId, UserId } from '../../core/ids.js'
import { onGrantsOf, splitFacts, stepColumns, withSteps } from '../../access/rules/level-facts.js'
import type { ContentFacts, Reader } from '../../access/rules/levels.js'
import { isVisibleCollection } from '../../access/rules/visible.js'
import type { Db, Tx } from '../../store/db/database.js'
import { copyToOrganization } from '../../store/db/transfer.js'
import { addToDirectory, removeFromDirectory, moveInDirectory } from '../../store/db/directory.js'
import { lastPosition } from '../../store/db/sibling-order.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import { contentSiblings } from '../../store/db/content-siblings.js'
import type { NewRow, Row, RowUpdate } from '../../store/db/tables.js'

export type CollectionRow = Row<'collections'>
type CollectionKey = Pick<CollectionRow, 'organization_id' | 'id'>

/** A collection with the facts that decide a user's level in it. */
export interface CollectionFacts extends ContentFacts {
  readonly row: CollectionRow
  /** The ids of the collections above, outermost last. */
  readonly ancestors: readonly CollectionId[]
}

/** Returns a collection of the organization with what decides the user's level in it; no authorization. One query. */
export async function findCollectionOf(
  db: Db,
  organizationId: OrganizationId,
  userId: UserId,
  id: CollectionId,
): Promise<CollectionFacts | undefined> {
  const rows = await withSteps(db, organizationId, 'collection', [id])
    .selectFrom('collections')
    .innerJoin('steps', (join) => join.onTrue())
    .leftJoin('grants as granted', onGrantsOf(organizationId, userId))
    .leftJoin('members', (join) =>
      join
        .onRef('members.organization_id', '=', 'collections.organization_id')
        .on('members.user_id', '=', userId)
        .on('members.disabled', '=', 0),
    )
    .selectAll('collections')
    .select(stepColumns)
    .select(['members.role as member_role', 'members.user_id as member_id'])
    .where('collections.organization_id', '=', organizationId)
    .where('collections.id', '=', id)
    .execute()
  const facts = splitFacts(id, rows, userId)
  return (
    facts && {
      ...facts,
      ancestors: [...new Set(rows.map((one) => one.step_id as CollectionId))].filter((one) => one !== id),
    }
  )
}

/** Lists the collections of an organization that the reader may read, in their order. */
export function listVisibleCollections(
  db: Db,
  reader: Reader,
  { page, limit, nested }: PageRequest & { readonly nested: boolean },
): Promise<ListPage<CollectionRow>> {
  let query = db
    .selectFrom('collections')
    .selectAll()
    .where('collections.organization_id', '=', reader.organizationId)
    .where((where) => isVisibleCollection(where, reader))
  if (!nested) query = query.where('collections.parent_id', 'is', null)
  return listPage(db, query, {
    page,
    limit,
    order: [{ column: 'collections.position', type: 'text', direction: 'asc' }],
    id: 'collections.id',
  })
}

export async function insertCollection(
  tx: Tx,
  row: Omit<NewRow<'collections'>, 'position'>,
): Promise<CollectionRow> {
  const siblings = contentSiblings(tx, {
    organizationId: row.organization_id,
    parentId: row.parent_id ?? null,
  })
  await addToDirectory(tx, 'collection', row.organization_id, [row.id])
  return tx
    .insertInto('collections')
    .values({ ...row, position: await lastPosition(siblings) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function updateCollectionRow(
  tx: Tx,
  { organization_id: organizationId, id }: CollectionKey,
  change: RowUpdate<'collections'>,
): Promise<CollectionRow> {
  return tx
    .updateTable('collections')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns a collection and all its descendants, ancestors first. */
export async function listSubtree(
  db: Db,
  { organization_id: organizationId, id }: CollectionKey,
): Promise<CollectionRow[]> {
  // In this order: for each, SQLite would rather walk through all collections of the organization.
  const { rows } = await sql<CollectionRow & { depth: number }>`
    with recursive inside (inside_id, depth) as (
      select id, 0 from collections where organization_id = ${organizationId} and id = ${id}
      union all
      select below.id, inside.depth + 1 from inside cross join collections as below
      where below.organization_id = ${organizationId} and below.parent_id = inside.inside_id
    )
    select collections.*, inside.depth from inside cross join collections
    where collections.organization_id = ${organizationId} and collections.id = inside.inside_id
    order by inside.depth
  `.execute(db)
  return rows.map(({ depth: _depth, ...row }) => row)
}

/** Deletes collections that contain only each other; inner ones must come last. */
export async function deleteCollections(tx: Tx, rows: readonly CollectionRow[]): Promise<void> {
  for (const { organization_id: organizationId, id } of rows.toReversed()) {
    await tx
      .deleteFrom('collections')
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .execute()
    await removeFromDirectory(tx, id)
  }
}

/** Transfers collections to another organization; the outermost one goes to its top level. */
export async function transferCollectionRows(
  tx: Tx,
  rows: readonly CollectionRow[],
  to: OrganizationId,
  now: number,
): Promise<void> {
  const [top] = rows as readonly [CollectionRow, ...CollectionRow[]]
  const { organization_id: from } = top
  const isAmongThem = sql<SqlBool>`id in (${sql.join(rows.map(({ id }) => id))})`
  await updateCollectionRow(tx, top, { parent_id: null })
  await copyToOrganization(tx, 'collections', { from, to }, isAmongThem)
  await tx.deleteFrom('collections').where('organization_id', '=', from).where(isAmongThem).execute()
  for (const { id } of rows) {
    await moveInDirectory(tx, id, to)
    await updateCollectionRow(tx, { id, organization_id: to }, { updated_at: now })
  }
  const siblings = contentSiblings(tx, { organizationId: to, parentId: null }, top.id)
  await updateCollectionRow(
    tx,
    { id: top.id, organization_id: to },
    { position: await lastPosition(siblings) },
  )
}

/** Tables of custom fields, and of the values of spaces in them. */
import type { CustomFieldId, OrganizationId, SpaceId } from '../../core/ids.js'
import type { ExpressionBuilder } from 'kysely'
import type { Db, Tx } from '../../store/db/database.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { NewRow, Row, RowUpdate, Tables } from '../../store/db/tables.js'

export type CustomFieldRow = Row<'custom_fields'>
type FieldKey = Pick<CustomFieldRow, 'organization_id' | 'id'>

interface SpaceKey {
  readonly organization_id: OrganizationId
  readonly id: SpaceId
}

export function findField(
  db: Db,
  organizationId: OrganizationId,
  name: string,
): Promise<CustomFieldRow | undefined> {
  return db
    .selectFrom('custom_fields')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('name', '=', name)
    .executeTakeFirst()
}

/** Lists the fields of an organization, oldest first. */
export function listFields(
  db: Db,
  organizationId: OrganizationId,
  list: PageRequest,
): Promise<ListPage<CustomFieldRow>> {
  const query = db.selectFrom('custom_fields').selectAll().where('organization_id', '=', organizationId)
  return listPage(db, query, {
    ...list,
    order: [{ column: 'custom_fields.created_at', type: 'integer', direction: 'asc' }],
    id: 'custom_fields.id',
  })
}

/** Returns all fields of an organization, oldest first; they are bounded in number. */
export function loadFields(db: Db, organizationId: OrganizationId): Promise<CustomFieldRow[]> {
  return db
    .selectFrom('custom_fields')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export function insertField(tx: Tx, row: NewRow<'custom_fields'>): Promise<CustomFieldRow> {
  return tx.insertInto('custom_fields').values(row).returningAll().executeTakeFirstOrThrow()
}

export function updateField(
  tx: Tx,
  { organization_id: organizationId, id }: FieldKey,
  change: RowUpdate<'custom_fields'>,
): Promise<CustomFieldRow> {
  return tx
    .updateTable('custom_fields')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes a field with the values of spaces in it (cascade). */
export async function deleteField(tx: Tx, { organization_id: organizationId, id }: FieldKey): Promise<void> {
  await tx
    .deleteFrom('custom_fields')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

/** The value of a space in a field, as stored texts. */
export interface FieldTexts {
  readonly field: Pick<CustomFieldRow, 'id' | 'name' | 'type'>
  /** In order. */
  readonly texts: readonly string[]
}

/** Returns the values of spaces of an organization; spaces without values are omitted. One query. */
export async function loadFieldTexts(
  db: Db,
  organizationId: OrganizationId,
  spaceIds: readonly SpaceId[],
): Promise<Map<SpaceId, readonly FieldTexts[]>> {
  if (spaceIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('custom_field_values as stored')
    // In this order: the values of the spaces are few, and found by a prefix of their key.
    .crossJoin('custom_fields as field')
    .select(['stored.space_id', 'stored.value', 'field.id', 'field.name', 'field.type'])
    .where('stored.organization_id', '=', organizationId)
    .where('stored.space_id', 'in', spaceIds)
    .where('field.organization_id', '=', organizationId)
    .whereRef('field.id', '=', 'stored.field_id')
    .orderBy('stored.space_id')
    .orderBy('stored.field_id')
    .orderBy('stored.ordinal')
    .execute()
  const found = new Map<SpaceId, { field: FieldTexts['field']; texts: string[] }[]>()
  for (const { space_id: spaceId, value, ...field } of rows) {
    const ofSpace = found.get(spaceId) ?? []
    if (ofSpace.at(-1)?.field.id === field.id) ofSpace.at(-1)!.texts.push(value)
    else ofSpace.push({ field, texts: [value] })
    found.set(spaceId, ofSpace)
  }
  return found
}

/** Condition: the space has this text in a field; for queries over `spaces` of the organization. */
export function hasFieldText(
  where: ExpressionBuilder<Tables, 'spaces'>,
  { organization_id: organizationId, id }: FieldKey,
  text: string,
) {
  return where.exists(
    where
      .selectFrom('custom_field_values as stored')
      .select('stored.ordinal')
      .where('stored.organization_id', '=', organizationId)
      .where('stored.field_id', '=', id)
      .where('stored.value', '=', text)
      .whereRef('stored.space_id', '=', 'spaces.id'),
  )
}

/** Replaces the texts of the space in each of the fields; an empty list clears the field. */
export async function putTexts(
  tx: Tx,
  { organization_id: organizationId, id }: SpaceKey,
  texts: ReadonlyMap<CustomFieldId, readonly string[]>,
): Promise<void> {
  if (texts.size === 0) return
  await tx
    .deleteFrom('custom_field_values')
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', id)
    .where('field_id', 'in', [...texts.keys()])
    .execute()
  const rows = [...texts].flatMap(([fieldId, values]) =>
    values.map((value, ordinal) => {
      return { organization_id: organizationId, space_id: id, field_id: fieldId, ordinal, value }
    }),
  )
  for (let at = 0; at < rows.length; at += rowsPerInsert) {
    await tx
      .insertInto('custom_field_values')
      .values(rows.slice(at, at + rowsPerInsert))
      .execute()
  }
}

const rowsPerInsert = 200

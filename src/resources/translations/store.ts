/** Rows of translation settings. */
import type { OrganizationId, TranslationSettingsId } from '../../core/ids.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { NewRow, Row, RowUpdate } from '../../store/db/tables.js'

export type TranslationRow = Row<'translation_settings'>
type TranslationKey = Pick<TranslationRow, 'organization_id' | 'id'>

export function findTranslation(
  db: Db,
  organizationId: OrganizationId,
  id: TranslationSettingsId,
): Promise<TranslationRow | undefined> {
  return db
    .selectFrom('translation_settings')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Lists the translation settings of an organization, oldest first. */
export function listTranslations(
  db: Db,
  organizationId: OrganizationId,
  list: PageRequest,
): Promise<ListPage<TranslationRow>> {
  const query = db
    .selectFrom('translation_settings')
    .selectAll()
    .where('organization_id', '=', organizationId)
  return listPage(db, query, {
    ...list,
    order: [{ column: 'translation_settings.created_at', type: 'integer', direction: 'asc' }],
    id: 'translation_settings.id',
  })
}

export async function countTranslations(db: Db, organizationId: OrganizationId): Promise<number> {
  const { count } = await db
    .selectFrom('translation_settings')
    .select(({ fn }) => fn.countAll<string | number>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function insertTranslation(tx: Tx, row: NewRow<'translation_settings'>): Promise<TranslationRow> {
  return tx.insertInto('translation_settings').values(row).returningAll().executeTakeFirstOrThrow()
}

export function updateTranslation(
  tx: Tx,
  { organization_id: organizationId, id }: TranslationKey,
  change: RowUpdate<'translation_settings'>,
): Promise<TranslationRow> {
  return tx
    .updateTable('translation_settings')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteTranslation(
  tx: Tx,
  { organization_id: organizationId, id }: TranslationKey,
): Promise<void> {
  await tx
    .deleteFrom('translation_settings')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

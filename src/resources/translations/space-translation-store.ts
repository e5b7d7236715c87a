/** Rows of space translations, of the translation memory, and of pages with untranslated or outdated blocks. */
import type { OrganizationId, PageId, SpaceId } from '../../core/ids.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { NewRow, Row, RowUpdate } from '../../store/db/tables.js'
import type { TranslationRow } from './store.js'

export type SpaceTranslationRow = Row<'space_translations'>
export type SpaceTranslationKey = Pick<SpaceTranslationRow, 'organization_id' | 'space_id'>
export type MemoryRow = Row<'translation_memory'>
export type PageStateRow = Row<'translation_pages'>

const keysPerQuery = 500

export function findSpaceTranslation(
  db: Db,
  { organization_id: organizationId, space_id: spaceId }: SpaceTranslationKey,
): Promise<SpaceTranslationRow | undefined> {
  return db
    .selectFrom('space_translations')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .executeTakeFirst()
}

/** Returns the translation of a space into a language, undefined when there is none. */
export function findTranslationByLanguage(
  db: Db,
  organizationId: OrganizationId,
  source: SpaceId,
  language: string,
): Promise<SpaceTranslationRow | undefined> {
  return db
    .selectFrom('space_translations')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('source_space_id', '=', source)
    .where('language', '=', language)
    .executeTakeFirst()
}

/** Lists the space translations with these settings, oldest first. */
export function listSpaceTranslations(
  db: Db,
  { organization_id: organizationId, id }: Pick<TranslationRow, 'organization_id' | 'id'>,
  list: PageRequest,
): Promise<ListPage<SpaceTranslationRow>> {
  const query = db
    .selectFrom('space_translations')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('settings_id', '=', id)
  return listPage(db, query, {
    ...list,
    order: [{ column: 'space_translations.created_at', type: 'integer', direction: 'asc' }],
    id: 'space_translations.space_id',
  })
}

export function insertSpaceTranslation(
  tx: Tx,
  row: NewRow<'space_translations'>,
): Promise<SpaceTranslationRow> {
  return tx.insertInto('space_translations').values(row).returningAll().executeTakeFirstOrThrow()
}

export function updateSpaceTranslation(
  tx: Tx,
  { organization_id: organizationId, space_id: spaceId }: SpaceTranslationKey,
  change: RowUpdate<'space_translations'>,
): Promise<SpaceTranslationRow> {
  return tx
    .updateTable('space_translations')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteSpaceTranslation(
  tx: Tx,
  { organization_id: organizationId, space_id: spaceId }: SpaceTranslationKey,
): Promise<void> {
  await tx
    .deleteFrom('space_translations')
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .execute()
}

/** Returns the memory rows of units, by the hashes of their keys. */
export async function loadMemory(
  db: Db,
  { organization_id: organizationId, space_id: spaceId }: SpaceTranslationKey,
  hashes: readonly string[],
): Promise<Map<string, MemoryRow>> {
  const found = new Map<string, MemoryRow>()
  const unique = [...new Set(hashes)]
  for (let at = 0; at < unique.length; at += keysPerQuery) {
    const rows = await db
      .selectFrom('translation_memory')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('space_id', '=', spaceId)
      .where('hash', 'in', unique.slice(at, at + keysPerQuery))
      .execute()
    for (const row of rows) found.set(row.hash, row)
  }
  return found
}

/** Inserts or updates memory rows. */
export async function putMemory(tx: Tx, rows: readonly NewRow<'translation_memory'>[]): Promise<void> {
  for (let at = 0; at < rows.length; at += keysPerQuery) {
    await tx
      .insertInto('translation_memory')
      .values(rows.slice(at, at + keysPerQuery))
      .onConflict((conflict) =>
        conflict.columns(['organization_id', 'space_id', 'hash']).doUpdateSet(({ ref }) => ({
          words: ref('excluded.words'),
          fault: ref('excluded.fault'),
          by_person: ref('excluded.by_person'),
        })),
      )
      .execute()
  }
}

/**
 * Deletes machine translations, so that their units are translated again: all, or only the failed ones. Translations
 * by people stay.
 */
export async function clearMemory(
  tx: Tx,
  { organization_id: organizationId, space_id: spaceId }: SpaceTranslationKey,
  which: 'failed' | 'everything',
): Promise<void> {
  const query = tx
    .deleteFrom('translation_memory')
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .where('by_person', '=', 0)
  await (which === 'failed' ? query.where('fault', 'is not', null) : query).execute()
}

/** Returns the rows of pages with untranslated or outdated blocks; only of these ids when passed. */
export async function loadPageStates(
  db: Db,
  { organization_id: organizationId, space_id: spaceId }: SpaceTranslationKey,
  ids?: readonly PageId[],
): Promise<Map<PageId, PageStateRow>> {
  const query = db
    .selectFrom('translation_pages')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
  if (ids?.length === 0) return new Map()
  const rows = await (ids === undefined ? query : query.where('page_id', 'in', ids)).execute()
  return new Map(rows.map((row) => [row.page_id, row]))
}

/** Returns the number of units without a translation, and of those whose translation failed. */
export async function countUntranslated(
  db: Db,
  { organization_id: organizationId, space_id: spaceId }: SpaceTranslationKey,
): Promise<{ missing: number; failed: number }> {
  const row = await db
    .selectFrom('translation_pages')
    .select(({ fn }) => [
      fn.sum<string | number | null>('missing').as('missing'),
      fn.sum<string | number | null>('failed').as('failed'),
    ])
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .executeTakeFirstOrThrow()
  return { missing: Number(row.missing ?? 0), failed: Number(row.failed ?? 0) }
}

/** Replaces the rows of pages; pages without untranslated or outdated blocks have no row. */
export async function putPageStates(
  tx: Tx,
  { organization_id: organizationId, space_id: spaceId }: SpaceTranslationKey,
  rows: readonly NewRow<'translation_pages'>[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += keysPerQuery) {
    const batch = rows.slice(at, at + keysPerQuery)
    await tx
      .deleteFrom('translation_pages')
      .where('organization_id', '=', organizationId)
      .where('space_id', '=', spaceId)
      .where(
        'page_id',
        'in',
        batch.map(({ page_id: id }) => id),
      )
      .execute()
    const nonEmpty = batch.filter(
      ({ missing, failed, outdated }) => missing > 0 || failed > 0 || outdated !== '[]',
    )
    if (nonEmpty.length > 0) await tx.insertInto('translation_pages').values(nonEmpty).execute()
  }
}

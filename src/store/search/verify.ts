/** Consistency checks of the search index, for `octavo doctor`. */
import { sql } from 'kysely'
import type { PageId } from '../../core/ids.js'
import { acrossOrganizations } from '../db/cross-tenant.js'
import { engineOf } from '../db/database.js'
import type { Db, Tx } from '../db/database.js'
import type { IndexedSpace } from './engine.js'

const strays = 'words and sections of the whole database are compared'

/** Returns the pages of a space without sections: they cannot be found, not even by their titles. */
export async function listEmptyPages(
  db: Db,
  { organizationId, spaceId }: IndexedSpace,
): Promise<readonly PageId[]> {
  const rows = await db
    .selectFrom('search_pages')
    .select('page_id')
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('search_sections')
            .select('search_sections.id')
            .where('search_sections.organization_id', '=', organizationId)
            .whereRef('search_sections.space_id', '=', 'search_pages.space_id')
            .whereRef('search_sections.page_id', '=', 'search_pages.page_id'),
        ),
      ),
    )
    .execute()
  return rows.map(({ page_id }) => page_id)
}

/** Sections without words, and words without a section; PostgreSQL keeps both in one row. */
export async function countStrayWords(db: Db): Promise<number> {
  if (engineOf(db) === 'postgres') return 0
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from (select id from search_sections except select id from search_words_docsize))
      + (select count(*) from (select id from search_words_docsize except select id from search_sections)) as count
  `.execute(acrossOrganizations(db, strays))
  return rows[0]!.count
}

/** Removes both kinds; the pages of removed sections are then empty, and their spaces are indexed again. */
export async function clearStrayWords(tx: Tx): Promise<void> {
  await sql`delete from search_words where rowid in
    (select id from search_words_docsize except select id from search_sections)`.execute(
    acrossOrganizations(tx, strays),
  )
  await sql`delete from search_sections where id in
    (select id from search_sections except select id from search_words_docsize)`.execute(
    acrossOrganizations(tx, strays),
  )
}

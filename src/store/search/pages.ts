/** Pages of the index: inserted, removed and listed by the indexer. */
import { chunks } from '../../core/group.js'
import type { Guard } from '../../core/conditions/guard.js'
import type { PageId, SpaceId } from '../../core/ids.js'
import { acrossOrganizations } from '../db/cross-tenant.js'
import type { Db, Tx } from '../db/database.js'
import type { IndexedSpace } from './engine.js'
import { deleteUnusedGuards, insertGuards } from './guards.js'
import { searchEngineOf } from './engines.js'
import { guardOfSection, indexVersion } from './fold.js'
import type { FoldedPage } from './fold.js'
import { changeVocabulary } from './vocabulary.js'

/** Failed pages that are listed or retried together, at most. */
const maxFailedPages = 1_000

/** Indexes these pages of the space, replacing their earlier entries. */
export async function replacePages(tx: Tx, space: IndexedSpace, pages: readonly FoldedPage[]): Promise<void> {
  const { organizationId, spaceId } = space
  const byId = [...new Map(pages.map((folded) => [folded.page.pageId, folded])).values()]
  const ids = byId.map(({ page }) => page.pageId)
  const oldWords = await listWords(tx, space, ids)
  await deleteRows(tx, space, ids)
  for (const part of chunks(byId)) {
    const rows = part.map(({ page, distinct: words, failure = null }) => {
      const { pageId, title, path, text } = page
      const guard = guardText(page.guard)
      const key = { organization_id: organizationId, space_id: spaceId, page_id: pageId }
      return { ...key, title, path, text_hash: text, version: indexVersion, failure, words, guard }
    })
    await tx.insertInto('search_pages').values(rows).execute()
    const sections = part.flatMap(({ page, words, guards }) =>
      page.sections.map((section, ordinal) => {
        const { anchor, heading, body } = section
        const { pageId, title } = page
        const own = { organizationId, spaceId, pageId, ordinal, title, anchor, heading, body }
        return { ...own, words: words[ordinal]!, guard: guards[ordinal] }
      }),
    )
    await searchEngineOf(tx).insertSections(tx, sections)
  }
  await changeVocabulary(tx, space, { removed: oldWords, added: byId.map(({ distinct }) => distinct) })
  const guards = byId.flatMap(({ page }) =>
    page.sections.map(({ guarded }) => guardOfSection(page, guarded)).filter(({ length }) => length > 0),
  )
  await insertGuards(tx, space, guards)
  await deleteUnusedGuards(tx, space, guardsIn(oldWords))
}

/** Removes pages from the index, ignoring unknown ones. */
export async function deletePages(tx: Tx, space: IndexedSpace, pageIds: readonly PageId[]): Promise<void> {
  const oldWords = await listWords(tx, space, pageIds)
  await deleteRows(tx, space, pageIds)
  await changeVocabulary(tx, space, { removed: oldWords, added: [] })
  await deleteUnusedGuards(tx, space, guardsIn(oldWords))
}

/** Returns the ids of the guards of these pages. */
function guardsIn(words: readonly string[]): readonly string[] {
  const guards = new Set<string>()
  for (const text of words)
    for (const [, guard] of text.matchAll(/\ue006([\da-f]+)\ue007/g)) guards.add(guard!)
  return [...guards]
}

/** Serializes the guard of a page for the index. */
export function guardText(guard: Guard = []): string {
  return guard.length === 0 ? '' : JSON.stringify(guard)
}

/** Returns the vocabulary words of each page. */
async function listWords(
  tx: Tx,
  space: IndexedSpace,
  pageIds: readonly PageId[],
): Promise<readonly string[]> {
  const words: string[] = []
  for (const part of chunks(pageIds)) {
    const rows = await tx
      .selectFrom('search_pages')
      .select('words')
      .where('organization_id', '=', space.organizationId)
      .where('space_id', '=', space.spaceId)
      .where('page_id', 'in', part)
      .execute()
    words.push(...rows.map((row) => row.words))
  }
  return words
}

async function deleteRows(tx: Tx, space: IndexedSpace, pageIds: readonly PageId[]): Promise<void> {
  for (const part of chunks(pageIds)) {
    await searchEngineOf(tx).deleteSections(tx, space, part)
    await tx
      .deleteFrom('search_pages')
      .where('organization_id', '=', space.organizationId)
      .where('space_id', '=', space.spaceId)
      .where('page_id', 'in', part)
      .execute()
  }
}

/**
 * Merges parts of the index in a short step, after many pages were indexed: each search reads every part that was written
 * separately. Returns whether there is another step.
 */
export function mergeParts(tx: Tx): Promise<boolean> {
  return searchEngineOf(tx).mergeParts(tx)
}

/** Removes a whole space from the index. */
export async function deleteSpace(tx: Tx, space: IndexedSpace): Promise<void> {
  await searchEngineOf(tx).deleteSections(tx, space)
  for (const table of ['search_vocabulary', 'search_guards', 'search_pages', 'search_spaces'] as const) {
    await tx
      .deleteFrom(table)
      .where('organization_id', '=', space.organizationId)
      .where('space_id', '=', space.spaceId)
      .execute()
  }
}

/** The indexed data of a page, and the hash of its text; undefined when an older version indexed it. */
export interface IndexedPage {
  readonly title: string
  readonly path: string
  readonly text: string | undefined
  /** Its guard: see `guardText`. */
  readonly guard: string
}

/** Returns the indexed data of each page of the space. */
export async function listIndexedPages(
  db: Db,
  { organizationId, spaceId }: IndexedSpace,
): Promise<Map<PageId, IndexedPage>> {
  const rows = await db
    .selectFrom('search_pages')
    .select(['page_id', 'title', 'path', 'text_hash', 'version', 'guard'])
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .execute()
  return new Map(
    rows.map(({ page_id, title, path, text_hash, version, guard }) => [
      page_id,
      { title, path, text: version === indexVersion ? text_hash : undefined, guard },
    ]),
  )
}

/** A page whose text could not be folded: it is found by its title only. */
export interface FailedPage {
  readonly spaceId: SpaceId
  readonly pageId: PageId
  readonly path: string
  readonly reason: string
}

/** Returns the pages of a space whose texts are not indexed. */
export async function listFailedPages(
  db: Db,
  { organizationId, spaceId }: IndexedSpace,
): Promise<readonly FailedPage[]> {
  const rows = await db
    .selectFrom('search_pages')
    .select(['space_id', 'page_id', 'path', 'failure'])
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .where('failure', 'is not', null)
    .orderBy('page_id')
    .limit(maxFailedPages)
    .execute()
  return rows.map(({ space_id, page_id, path, failure }) => {
    return { spaceId: space_id, pageId: page_id, path, reason: failure! }
  })
}

/** Returns the number of pages whose texts are not indexed. */
export async function countFailedPages(db: Db): Promise<number> {
  const { count } = await acrossOrganizations(db, 'a metric for the operator')
    .selectFrom('search_pages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('failure', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}

/** The pages of the index: put in, taken out, and listed by those who keep it at the head of a space. */
import { chunks } from '../../core/group.js'
import type { Guard } from '../../core/conditions/guard.js'
import type { PageId, SpaceId } from '../../core/ids.js'
import { acrossOrganizations } from '../db/cross-tenant.js'
import type { Db, Tx } from '../db/database.js'
import type { IndexPlace } from './engine.js'
import { dropGuards, keepGuards } from './guards.js'
import { engineBehind } from './engines.js'
import { guardOfSection, indexVersion } from './fold.js'
import type { FoldedPage } from './fold.js'
import { changeVocabulary } from './vocabulary.js'

/** More are not told of or tried again at once. */
const mostFailedPages = 1_000

/** Puts these pages into the index of the space, in the place of what it held of them. */
export async function replacePages(tx: Tx, place: IndexPlace, pages: readonly FoldedPage[]): Promise<void> {
  const { organizationId, spaceId } = place
  const byId = [...new Map(pages.map((folded) => [folded.page.pageId, folded])).values()]
  const ids = byId.map(({ page }) => page.pageId)
  const left = await listWords(tx, place, ids)
  await deleteRows(tx, place, ids)
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
    await engineBehind(tx).insertSections(tx, sections)
  }
  await changeVocabulary(tx, place, { left, come: byId.map(({ distinct }) => distinct) })
  const guards = byId.flatMap(({ page }) =>
    page.sections.map(({ guarded }) => guardOfSection(page, guarded)).filter(({ length }) => length > 0),
  )
  await keepGuards(tx, place, guards)
  await dropGuards(tx, place, guardsIn(left))
}

/** Takes pages out of the index; those it does not hold are passed over. */
export async function deletePages(tx: Tx, place: IndexPlace, pageIds: readonly PageId[]): Promise<void> {
  const left = await listWords(tx, place, pageIds)
  await deleteRows(tx, place, pageIds)
  await changeVocabulary(tx, place, { left, come: [] })
  await dropGuards(tx, place, guardsIn(left))
}

/** Answers the names of the guards under which something of these pages stood. */
function guardsIn(words: readonly string[]): readonly string[] {
  const guards = new Set<string>()
  for (const text of words)
    for (const [, guard] of text.matchAll(/\ue006([\da-f]+)\ue007/g)) guards.add(guard!)
  return [...guards]
}

/** As the index keeps what guards a page as a whole. */
export function guardText(guard: Guard = []): string {
  return guard.length === 0 ? '' : JSON.stringify(guard)
}

/** Answers what the vocabulary counts of each of the pages. */
async function listWords(tx: Tx, place: IndexPlace, pageIds: readonly PageId[]): Promise<readonly string[]> {
  const words: string[] = []
  for (const part of chunks(pageIds)) {
    const rows = await tx
      .selectFrom('search_pages')
      .select('words')
      .where('organization_id', '=', place.organizationId)
      .where('space_id', '=', place.spaceId)
      .where('page_id', 'in', part)
      .execute()
    words.push(...rows.map((row) => row.words))
  }
  return words
}

async function deleteRows(tx: Tx, place: IndexPlace, pageIds: readonly PageId[]): Promise<void> {
  for (const part of chunks(pageIds)) {
    await engineBehind(tx).deleteSections(tx, place, part)
    await tx
      .deleteFrom('search_pages')
      .where('organization_id', '=', place.organizationId)
      .where('space_id', '=', place.spaceId)
      .where('page_id', 'in', part)
      .execute()
  }
}

/**
 * Takes a short step towards an index that is read faster, after many pages were put in: each search looks for its words
 * in every part that was written at once. Answers whether there is another step to take.
 */
export function mergeParts(tx: Tx): Promise<boolean> {
  return engineBehind(tx).mergeParts(tx)
}

/** Takes all of a space out of the index. */
export async function deleteSpace(tx: Tx, place: IndexPlace): Promise<void> {
  await engineBehind(tx).deleteSections(tx, place)
  for (const table of ['search_vocabulary', 'search_guards', 'search_pages', 'search_spaces'] as const) {
    await tx
      .deleteFrom(table)
      .where('organization_id', '=', place.organizationId)
      .where('space_id', '=', place.spaceId)
      .execute()
  }
}

/** What the index holds of a page, and of which text; undefined where an older version made it. */
export interface IndexedPage {
  readonly title: string
  readonly path: string
  readonly text: string | undefined
  /** What guards it as a whole: see `guardText`. */
  readonly guard: string
}

/** Answers what the index of the space holds of each page. */
export async function listIndexedPages(
  db: Db,
  { organizationId, spaceId }: IndexPlace,
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

/** A page whose text could not be folded: it is found by its title alone. */
export interface FailedPage {
  readonly spaceId: SpaceId
  readonly pageId: PageId
  readonly path: string
  readonly reason: string
}

/** Answers the pages of a space whose texts are not in the index. */
export async function listFailedPages(
  db: Db,
  { organizationId, spaceId }: IndexPlace,
): Promise<readonly FailedPage[]> {
  const rows = await db
    .selectFrom('search_pages')
    .select(['space_id', 'page_id', 'path', 'failure'])
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .where('failure', 'is not', null)
    .orderBy('page_id')
    .limit(mostFailedPages)
    .execute()
  return rows.map(({ space_id, page_id, path, failure }) => {
    return { spaceId: space_id, pageId: page_id, path, reason: failure! }
  })
}

/** Answers how many pages there are of which texts are not in the index. */
export async function countFailedPages(db: Db): Promise<number> {
  const { count } = await acrossOrganizations(db, 'a figure for the operator')
    .selectFrom('search_pages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('failure', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Full-text search over the sections of pages: the one way in, whatever the engine.
 *
 * The index follows the head of a space a moment later, by a job; how far it has come stands in state.ts. It knows
 * no permissions: the caller says which spaces are searched, and those alone are looked at. Excerpts and
 * highlighting are made of the text that is answered, elsewhere.
 */
import type { OrganizationId, PageId, SpaceId } from '../../core/ids.js'
import { queryTerms } from '../../core/search/words.js'
import { sql } from 'kysely'
import { acrossOrganizations } from '../db/across.js'
import { engineOf } from '../db/database.js'
import type { Db, Tx } from '../db/database.js'
import { type Handover, copyToOrganization } from '../db/transfer.js'
import { wordsOf } from './engine.js'
import type { IndexPlace, SearchEngine, Searched } from './engine.js'
import { indexVersion } from './fold.js'
import type { FoldedPage, SearchableSection } from './fold.js'
import { postgresSearch } from './postgres.js'
import { sqliteSearch } from './sqlite.js'

export interface SectionQuery {
  /** Whose content may be found: all that the caller may read, or less. */
  readonly searched: Searched
  /** As it was typed; any text is a valid one. */
  readonly text: string
}

export interface RankedPage {
  readonly spaceId: SpaceId
  readonly pageId: PageId
  /** Of its best section; higher is better, comparable within one answer only. */
  readonly score: number
  /** Best first. */
  readonly sectionIds: readonly number[]
}

export interface Ranking {
  /** Best first. */
  readonly pages: readonly RankedPage[]
  /** Folded words that the query was answered by, for marking them: `excerpt` takes them. */
  readonly terms: readonly string[]
}

export interface PageHit {
  readonly spaceId: SpaceId
  readonly pageId: PageId
  readonly title: string
  readonly path: string
  readonly score: number
  /** Best first. */
  readonly sections: readonly SearchableSection[]
}

/**
 * What is ranked at most, so that a word of every page costs no more than a rare one. Two common words over 10,000
 * pages take 28 ms at the 95th percentile with 1,000 candidates, and 18 with 400.
 */
const mostCandidates = 400
const sectionsPerPage = 5
const mostTerms = 16
/** More are not told of or tried again at once. */
const mostFailedPages = 1_000

function engineBehind(db: Db): SearchEngine {
  return engineOf(db) === 'sqlite' ? sqliteSearch : postgresSearch
}

/** Puts these pages into the index of the space, in the place of what it held of them. */
export async function replacePages(tx: Tx, place: IndexPlace, pages: readonly FoldedPage[]): Promise<void> {
  const { organizationId, spaceId } = place
  const byId = [...new Map(pages.map((folded) => [folded.page.pageId, folded])).values()]
  await deletePages(
    tx,
    place,
    byId.map(({ page }) => page.pageId),
  )
  for (const part of chunks(byId)) {
    const rows = part.map(({ page: { pageId, title, path, text }, failure = null }) => {
      const key = { organization_id: organizationId, space_id: spaceId, page_id: pageId }
      return { ...key, title, path, text_hash: text, version: indexVersion, failure }
    })
    await tx.insertInto('search_pages').values(rows).execute()
    const sections = part.flatMap(({ page, words }) =>
      page.sections.map((section, ordinal) => {
        return { organizationId, spaceId, pageId: page.pageId, ordinal, ...section, words: words[ordinal]! }
      }),
    )
    await engineBehind(tx).insertSections(tx, sections)
  }
}

/** Takes pages out of the index; those it does not hold are passed over. */
export async function deletePages(tx: Tx, place: IndexPlace, pageIds: readonly PageId[]): Promise<void> {
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

/** Takes all of a space out of the index. */
export async function deleteSpace(tx: Tx, place: IndexPlace): Promise<void> {
  await engineBehind(tx).deleteSections(tx, place)
  for (const table of ['search_pages', 'search_spaces'] as const) {
    await tx
      .deleteFrom(table)
      .where('organization_id', '=', place.organizationId)
      .where('space_id', '=', place.spaceId)
      .execute()
  }
}

/** Gives what is known of a space to another organization. */
export async function moveSpace(tx: Tx, spaceId: SpaceId, handover: Handover): Promise<void> {
  for (const table of ['search_spaces', 'search_pages'] as const) {
    await copyToOrganization(tx, table, handover, sql`space_id = ${spaceId}`)
    const left = tx.deleteFrom(table).where('organization_id', '=', handover.from)
    await left.where('space_id', '=', spaceId).execute()
  }
  await engineBehind(tx).moveSections(tx, spaceId, handover)
}

/** What the index holds of a page, and of which text; undefined where an older version made it. */
export interface IndexedPage {
  readonly title: string
  readonly path: string
  readonly text: string | undefined
}

/** Answers what the index of the space holds of each page. */
export async function listIndexedPages(
  db: Db,
  { organizationId, spaceId }: IndexPlace,
): Promise<Map<PageId, IndexedPage>> {
  const rows = await db
    .selectFrom('search_pages')
    .select(['page_id', 'title', 'path', 'text_hash', 'version'])
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .execute()
  return new Map(
    rows.map(({ page_id, title, path, text_hash, version }) => [
      page_id,
      { title, path, text: version === indexVersion ? text_hash : undefined },
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

/**
 * Answers a window of the pages that match, best first, and how many match: exact up to the 400 best
 * sections, beyond which pages are neither counted nor shown. Any text is a valid query.
 */
export async function searchSections(
  db: Db,
  { limit, offset, ...query }: SectionQuery & { readonly limit: number; readonly offset: number },
): Promise<{
  readonly items: readonly PageHit[]
  readonly count: number
  readonly terms: readonly string[]
}> {
  const { pages, terms } = await rankPages(db, query)
  const shown = pages.slice(offset, offset + limit)
  const items = await loadPageHits(db, query.searched.organizationId, shown)
  return { items, count: pages.length, terms }
}

/** Answers all pages that match, best first, without their texts; for callers that group or cut in their own way. */
export async function rankPages(db: Db, { searched, text }: SectionQuery): Promise<Ranking> {
  const { terms, prefixLast } = queryTerms(text)
  // Of a word said twice the later one stays: the last must remain the last.
  const words = [...new Set(wordsOf(terms.join(' ')).toReversed())].slice(0, mostTerms).toReversed()
  if (words.length === 0 || ('spaceIds' in searched && searched.spaceIds.length === 0))
    return { pages: [], terms }
  const query = { searched, words, prefixLast: prefixLast && isWorthExpanding(words), limit: mostCandidates }
  const pages = new Map<string, RankedPage & { readonly sectionIds: number[] }>()
  for (const { id, spaceId, pageId, score } of await engineBehind(db).findCandidates(db, query)) {
    const known = pages.get(`${spaceId} ${pageId}`)
    if (!known) pages.set(`${spaceId} ${pageId}`, { spaceId, pageId, score, sectionIds: [id] })
    else if (known.sectionIds.length < sectionsPerPage) known.sectionIds.push(id)
  }
  return { pages: [...pages.values()], terms }
}

/** Answers the texts of ranked pages of an organization, in their order. */
export async function loadPageHits(
  db: Db,
  organizationId: OrganizationId,
  ranked: readonly RankedPage[],
): Promise<PageHit[]> {
  const titles = new Map<string, { title: string; path: string }>()
  const sections = new Map<number, SearchableSection>()
  for (const part of chunks(ranked)) {
    const pages = await db
      .selectFrom('search_pages')
      .select(['space_id', 'page_id', 'title', 'path'])
      .where('organization_id', '=', organizationId)
      .where('space_id', 'in', [...new Set(part.map(({ spaceId }) => spaceId))])
      .where('page_id', 'in', [...new Set(part.map(({ pageId }) => pageId))])
      .execute()
    for (const { space_id, page_id, title, path } of pages)
      titles.set(`${space_id} ${page_id}`, { title, path })
    const rows = await db
      .selectFrom('search_sections')
      .select(['id', 'anchor', 'heading', 'body'])
      .where('organization_id', '=', organizationId)
      .where(
        'id',
        'in',
        part.flatMap(({ sectionIds }) => sectionIds),
      )
      .execute()
    for (const { id, ...section } of rows) sections.set(id, section)
  }
  return ranked.flatMap(({ spaceId, pageId, score, sectionIds }) => {
    // Gone, when the index moved on since it was ranked.
    const page = titles.get(`${spaceId} ${pageId}`)
    const found = sectionIds.flatMap((id) => sections.get(id) ?? [])
    return page && found.length > 0 ? [{ spaceId, pageId, ...page, score, sections: found }] : []
  })
}

/** One Latin letter begins every tenth word: beside other words it would cost much and say nothing. */
function isWorthExpanding(words: readonly string[]): boolean {
  const last = words.at(-1)!
  return words.length === 1 || last.length > 1 || last > '\u02ff'
}

function* chunks<Item>(items: readonly Item[], size = 200): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}

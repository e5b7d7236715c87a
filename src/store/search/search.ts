/**
 * Full-text search over the sections of pages: the one way in, whatever the engine.
 *
 * A query is read, its words are looked up in the vocabularies of the spaces that are searched, the engine finds
 * candidates by all words and, where those are few, by most of them, and the best are put in order by their texts.
 * The index knows no permissions: the caller says which spaces are searched, and those alone are looked at.
 */
import type { OrganizationId, PageId, SpaceId } from '../../core/ids.js'
import { type ScoredText, scorerOf } from '../../core/search/score.js'
import type { Db } from '../db/database.js'
import { listed } from './lists.js'
import type { Searched, Step } from './engine.js'
import { engineBehind } from './engines.js'
import type { SearchableSection } from './fold.js'
import { type Meaning, findMeaning } from './meaning.js'
import { selectNumbered } from './numbered.js'
import { stepsForAll, stepsForMost } from './steps.js'

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

/** When so many are found, the steps that would find more, and less telling ones, are not taken. */
const enoughSections = 200
/** All that are found are put in order by their titles and headings, and so many of them by their texts, too. */
const mostRead = 60
const sectionsPerPage = 5
/** With fewer pages that hold all words, those with most of them are of use. */
const fewPages = 10

/**
 * Answers a window of the pages that match, best first, and how many match: exact up to two hundred
 * sections, beyond which pages are neither counted nor shown.
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
  if ('spaceIds' in searched && searched.spaceIds.length === 0) return { pages: [], terms: [] }
  const meaning = await findMeaning(db, searched, text)
  if (meaning.words.length === 0) return { pages: [], terms: [] }
  const sections = await scoreSections(db, searched, meaning)
  return { pages: groupByPage(sections), terms: meaning.marked }
}

interface Candidate extends Omit<ScoredText, 'body'> {
  readonly id: number
  readonly spaceId: SpaceId
  readonly pageId: PageId
}

type Scored = Candidate & { readonly score: number }

async function scoreSections(db: Db, searched: Searched, meaning: Meaning): Promise<readonly Scored[]> {
  const score = scorerOf(meaning)
  const candidates = await findCandidates(db, searched, meaning)
  const byName = bestFirst(candidates.map((one) => ({ ...one, score: score({ ...one, body: undefined }) })))
  const read = byName.slice(0, mostRead)
  const bodies = await loadBodies(db, searched.organizationId, read)
  const byText = read.map((one) => ({ ...one, score: score({ ...one, body: bodies.get(one.id) }) }))
  const sections = [...bestFirst(byText), ...byName.slice(mostRead)]
  // What holds but half of the query is shown where nothing holds more.
  const telling = sections.filter(({ score: points }) => points > 0)
  return telling.length > 0 ? telling : sections
}

function bestFirst(sections: readonly Scored[]): readonly Scored[] {
  return sections.toSorted((a, b) => b.score - a.score || a.id - b.id)
}

/** Answers sections with all words of the query, and where those are of few pages, with most words. */
async function findCandidates(db: Db, searched: Searched, meaning: Meaning): Promise<readonly Candidate[]> {
  const all = await loadNames(db, searched, await take(db, searched, stepsForAll(meaning)))
  const pages = new Set(all.map(({ spaceId, pageId }) => `${spaceId} ${pageId}`))
  if (pages.size >= fewPages) return all
  const most = await take(db, searched, stepsForMost(meaning))
  for (const { id } of all) most.delete(id)
  return [...all, ...(await loadNames(db, searched, most))]
}

/** Takes one step after the other until enough is found; answers what is known of each section. */
async function take(
  db: Db,
  searched: Searched,
  steps: readonly Step[],
): Promise<Map<number, Candidate['holds']>> {
  const found = new Map<number, Candidate['holds']>()
  for (const step of steps) {
    if (found.size >= enoughSections) break
    for (const id of await engineBehind(db).findSections(db, searched, step)) {
      if (found.size >= enoughSections) break
      if (step.finds === 'phrase' || !found.has(id)) found.set(id, step.finds)
    }
  }
  return found
}

async function loadNames(
  db: Db,
  { organizationId }: Searched,
  found: ReadonlyMap<number, Candidate['holds']>,
): Promise<readonly Candidate[]> {
  if (found.size === 0) return []
  const rows = await selectNumbered(db, organizationId, [...found.keys()])
    .innerJoin('search_pages as page', (join) =>
      join
        .onRef('page.organization_id', '=', 'section.organization_id')
        .onRef('page.space_id', '=', 'section.space_id')
        .onRef('page.page_id', '=', 'section.page_id'),
    )
    .select(['section.id', 'section.space_id', 'section.page_id', 'ordinal', 'heading', 'title'])
    .execute()
  return rows.map(({ id, space_id, page_id, ordinal, heading, title }) => {
    const holds = found.get(id)!
    return { id, spaceId: space_id, pageId: page_id, title, heading: ordinal === 0 ? '' : heading, holds }
  })
}

async function loadBodies(
  db: Db,
  organizationId: OrganizationId,
  sections: readonly Candidate[],
): Promise<ReadonlyMap<number, string>> {
  if (sections.length === 0) return new Map()
  const ids = sections.map(({ id }) => id)
  const rows = await selectNumbered(db, organizationId, ids).select(['section.id', 'body']).execute()
  return new Map(rows.map(({ id, body }) => [id, body]))
}

function groupByPage(sections: readonly Scored[]): RankedPage[] {
  const pages = new Map<string, RankedPage & { readonly sectionIds: number[] }>()
  for (const { id, spaceId, pageId, score } of sections) {
    const known = pages.get(`${spaceId} ${pageId}`)
    if (!known) pages.set(`${spaceId} ${pageId}`, { spaceId, pageId, score, sectionIds: [id] })
    else if (known.sectionIds.length < sectionsPerPage) known.sectionIds.push(id)
  }
  return [...pages.values()]
}

/** Answers the texts of ranked pages of an organization, in their order. */
export async function loadPageHits(
  db: Db,
  organizationId: OrganizationId,
  ranked: readonly RankedPage[],
): Promise<PageHit[]> {
  if (ranked.length === 0) return []
  const pages = await db
    .selectFrom('search_pages')
    .select(['space_id', 'page_id', 'title', 'path'])
    .where('organization_id', '=', organizationId)
    .where('space_id', 'in', listed(db, [...new Set(ranked.map(({ spaceId }) => spaceId))]))
    .where('page_id', 'in', listed(db, [...new Set(ranked.map(({ pageId }) => pageId))]))
    .execute()
  const ids = ranked.flatMap(({ sectionIds }) => sectionIds)
  const rows = await selectNumbered(db, organizationId, ids)
    .select(['section.id', 'anchor', 'heading', 'body'])
    .execute()
  const titles = new Map(
    pages.map(({ space_id, page_id, title, path }) => [`${space_id} ${page_id}`, { title, path }]),
  )
  const sections = new Map(rows.map(({ id, ...section }) => [id, section]))
  return ranked.flatMap(({ spaceId, pageId, score, sectionIds }) => {
    // Gone, when the index moved on since it was ranked.
    const page = titles.get(`${spaceId} ${pageId}`)
    const found = sectionIds.flatMap((id) => sections.get(id) ?? [])
    return page && found.length > 0 ? [{ spaceId, pageId, ...page, score, sections: found }] : []
  })
}

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
  readonly title: string
  readonly path: string
  /** Of its best section; higher is better, comparable within one answer only. */
  readonly score: number
  /** Best first. */
  readonly sections: readonly RankedSection[]
}

interface RankedSection extends Omit<SearchableSection, 'body'> {
  readonly id: number
  /** Undefined where it was ranked without. */
  readonly body: string | undefined
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
const mostRead = 40
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

/** Answers all pages that match, best first; for callers that group or cut in their own way. */
export async function rankPages(db: Db, { searched, text }: SectionQuery): Promise<Ranking> {
  if ('spaceIds' in searched && searched.spaceIds.length === 0) return { pages: [], terms: [] }
  const meaning = await findMeaning(db, searched, text)
  if (meaning.words.length === 0) return { pages: [], terms: [] }
  const sections = await scoreSections(db, searched, meaning)
  return { pages: groupByPage(sections), terms: meaning.marked }
}

interface Candidate extends RankedSection {
  readonly spaceId: SpaceId
  readonly pageId: PageId
  readonly title: string
  readonly path: string
  /** Of its page: its heading is the page's title again. */
  readonly isFirst: boolean
  readonly holds: ScoredText['holds']
}

interface Scored {
  readonly section: Candidate
  readonly score: number
}

async function scoreSections(db: Db, searched: Searched, meaning: Meaning): Promise<readonly Scored[]> {
  const scoreText = scorerOf(meaning)
  const scored = (section: Candidate): Scored => {
    const { title, heading, isFirst, body, holds } = section
    return { section, score: scoreText({ title, heading: isFirst ? '' : heading, body, holds }) }
  }
  const byName = bestFirst((await findCandidates(db, searched, meaning)).map(scored))
  const read = byName.slice(0, mostRead).map(({ section }) => section)
  const bodies = await loadBodies(db, searched.organizationId, read)
  const byText = read.map((section) => scored({ ...section, body: bodies.get(section.id) }))
  const sections = [...bestFirst(byText), ...byName.slice(mostRead)]
  // What holds but half of the query is shown where nothing holds more.
  const telling = sections.filter(({ score: points }) => points > 0)
  return telling.length > 0 ? telling : sections
}

function bestFirst(sections: readonly Scored[]): readonly Scored[] {
  return sections.toSorted((a, b) => b.score - a.score || a.section.id - b.section.id)
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
  const lists = await engineBehind(db).findSections(db, searched, steps, enoughSections)
  for (const [at, ids] of lists.entries()) {
    const { finds } = steps[at]!
    for (const id of ids) {
      if (found.size >= enoughSections) break
      if (finds === 'phrase' || !found.has(id)) found.set(id, finds)
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
    .select(['section.id', 'section.space_id', 'section.page_id', 'ordinal', 'anchor', 'heading'])
    .select(['title', 'path'])
    .execute()
  // Each member by itself: copying the rest of a row of SQLite takes as long as finding it.
  return rows.map(({ id, space_id, page_id, ordinal, anchor, heading, title, path }) => {
    const place = { id, spaceId: space_id, pageId: page_id, title, path, anchor, heading }
    return { ...place, isFirst: ordinal === 0, body: undefined, holds: found.get(id)! }
  })
}

async function loadBodies(
  db: Db,
  organizationId: OrganizationId,
  sections: readonly { readonly id: number }[],
): Promise<ReadonlyMap<number, string>> {
  if (sections.length === 0) return new Map()
  const ids = sections.map(({ id }) => id)
  const rows = await selectNumbered(db, organizationId, ids).select(['section.id', 'body']).execute()
  return new Map(rows.map(({ id, body }) => [id, body]))
}

function groupByPage(found: readonly Scored[]): RankedPage[] {
  const pages = new Map<string, RankedPage & { readonly sections: RankedSection[] }>()
  for (const { section, score } of found) {
    const { spaceId, pageId, title, path } = section
    const known = pages.get(`${spaceId} ${pageId}`)
    if (!known)
      pages.set(`${spaceId} ${pageId}`, { spaceId, pageId, title, path, score, sections: [section] })
    else if (known.sections.length < sectionsPerPage) known.sections.push(section)
  }
  return [...pages.values()]
}

/** Answers ranked pages of an organization with the texts that they were ranked without, in their order. */
export async function loadPageHits(
  db: Db,
  organizationId: OrganizationId,
  ranked: readonly RankedPage[],
): Promise<PageHit[]> {
  const unread = ranked.flatMap(({ sections }) => sections.filter(({ body }) => body === undefined))
  const bodies = await loadBodies(db, organizationId, unread)
  return ranked.flatMap(({ sections: some, ...page }) => {
    const sections = some.flatMap(({ id, anchor, heading, body = bodies.get(id) }) =>
      // Gone, when the index moved on since it was ranked.
      body === undefined ? [] : [{ anchor, heading, body }],
    )
    return sections.length > 0 ? [{ ...page, sections }] : []
  })
}

/**
 * Full-text search over the sections of pages, independent of the engine.
 *
 * The query is parsed, its words are looked up in the vocabularies of the searched spaces, the engine finds candidates by
 * all words and, if those are few, by most of them, and the best are ranked by their texts. The index has no permissions:
 * the caller passes the scope, and only that is read.
 */
import { sql } from 'kysely'
import type { OrganizationId, PageId, SpaceId } from '../../core/ids.js'
import { createScorer } from '../../core/search/score.js'
import { engineOf } from '../db/database.js'
import type { Db } from '../db/database.js'
import type { FoundSection, SectionScope, SectionText } from './engine.js'
import { searchEngineOf } from './engines.js'
import type { SearchableSection } from './fold.js'
import { type QueryAnalysis, analyzeQuery } from './analyze-query.js'
import { selectSectionsById } from './sections-by-id.js'
import { maxRankedByText, stepsForAll, stepsForMost } from './steps.js'

export interface SectionQuery {
  /** What may be found: all that the caller may read, or less. */
  readonly scope: SectionScope
  /** As typed; any text is valid. */
  readonly text: string
}

export interface RankedPage {
  readonly spaceId: SpaceId
  readonly pageId: PageId
  /** Position among all pages of the result, from 1. */
  readonly rank: number
  /** Of its best section; higher is better, comparable within one result only. */
  readonly score: number
  /** Best first. */
  readonly sections: readonly RankedSection[]
}

type RankedSection = Pick<FoundSection, 'id' | 'heading' | 'text'> & { readonly score: number }

export interface Ranking {
  /** Best first. */
  readonly pages: readonly RankedPage[]
  /** Folded words that matched, for highlighting with `excerpt`. */
  readonly terms: readonly string[]
}

export interface PageHit {
  readonly spaceId: SpaceId
  readonly pageId: PageId
  readonly title: string
  readonly path: string
  readonly rank: number
  readonly score: number
  /** Best first. */
  readonly sections: readonly (SearchableSection & { readonly score: number })[]
}

/** Sections that are ranked by title and heading; the best of them by text as well. */
const maxSections = 200
const sectionsPerPage = 5
/** With fewer pages with all words, pages with most of them are included. */
const fewPages = 10

/**
 * Returns a window of the matching pages, best first, and their number: exact up to two hundred sections, beyond which
 * pages are neither counted nor returned.
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
  const window = pages.slice(offset, offset + limit)
  const items = await loadPageHits(db, query.scope.organizationId, window)
  return { items, count: pages.length, terms }
}

/** Returns all matching pages, best first; for callers that group or slice them. */
export async function rankPages(db: Db, { scope, text }: SectionQuery): Promise<Ranking> {
  if ('spaceIds' in scope && scope.spaceIds.length === 0) return { pages: [], terms: [] }
  const analysis = await analyzeQuery(db, scope, text)
  if (analysis.words.length === 0) return { pages: [], terms: [] }
  const sections = await scoreSections(db, scope, analysis)
  return { pages: groupByPage(sections), terms: analysis.marked }
}

interface ScoredSection {
  readonly section: FoundSection
  readonly score: number
}

async function scoreSections(
  db: Db,
  scope: SectionScope,
  analysis: QueryAnalysis,
): Promise<readonly ScoredSection[]> {
  const scoreText = createScorer(analysis)
  const score = (section: FoundSection, text: SectionText | undefined): ScoredSection => {
    const { title, heading, isFirst, finds } = section
    const ownHeading = isFirst && heading === title ? '' : heading
    const scored = { title, heading: ownHeading, body: text?.body, holds: finds }
    return { section: text === section.text ? section : { ...section, text }, score: scoreText(scored) }
  }
  const found = await findCandidates(db, scope, analysis)
  // All read sections are ranked by their text.
  const byName = found.length <= maxRankedByText ? [] : bestFirst(found.map((one) => score(one, undefined)))
  const read =
    found.length <= maxRankedByText ? found : byName.slice(0, maxRankedByText).map(({ section }) => section)
  const unread = read.filter(({ text }) => text === undefined)
  const texts = await loadTexts(db, scope.organizationId, unread)
  const byText = read.map((section) => score(section, section.text ?? texts.get(section.id)))
  const sections = [...bestFirst(byText), ...byName.slice(maxRankedByText)]
  // Sections with half of the query are returned only if none has more.
  const telling = sections.filter(({ score: points }) => points > 0)
  return withFallingScores(telling.length > 0 ? telling : sections)
}

/** Sections that are ranked without their text stay behind the others, so their scores do as well. */
function withFallingScores(sections: readonly ScoredSection[]): readonly ScoredSection[] {
  let least = Infinity
  return sections.map(({ section, score }) => ({ section, score: (least = Math.min(least, score)) }))
}

function bestFirst(sections: readonly ScoredSection[]): readonly ScoredSection[] {
  return sections.toSorted((a, b) => b.score - a.score || a.section.id - b.section.id)
}

/** Returns sections with all words of the query, and if those are of few pages, with most words. */
async function findCandidates(
  db: Db,
  scope: SectionScope,
  analysis: QueryAnalysis,
): Promise<readonly FoundSection[]> {
  const engine = searchEngineOf(db)
  const all = await engine.findSections(db, scope, stepsForAll(analysis), maxSections)
  const pages = new Set(all.map(({ spaceId, pageId }) => `${spaceId} ${pageId}`))
  const steps = pages.size < fewPages ? stepsForMost(analysis) : []
  if (steps.length === 0) return all
  const known = new Set(all.map(({ id }) => id))
  const most = await engine.findSections(db, scope, steps, maxSections)
  return [...all, ...most.filter(({ id }) => !known.has(id))]
}

async function loadTexts(
  db: Db,
  organizationId: OrganizationId,
  sections: readonly { readonly id: number }[],
): Promise<ReadonlyMap<number, SectionText>> {
  if (sections.length === 0) return new Map()
  const ids = sections.map(({ id }) => id)
  // Looked up per section, as a subquery: PostgreSQL without statistics would join all pages of the organization for one section.
  const page =
    engineOf(db) === 'sqlite'
      ? sql`json_array(page.title, page.path)`
      : sql`json_build_array(page.title, page.path)::text`
  const rows = await selectSectionsById(db, organizationId, ids)
    .select([
      'section.id',
      'anchor',
      'body',
      sql<string | null>`(
        select ${page} from search_pages as page
        where page.organization_id = ${organizationId}
          and page.space_id = section.space_id and page.page_id = section.page_id
      )`.as('named'),
    ])
    .execute()
  return new Map(
    rows.flatMap(({ id, anchor, body, named }) => {
      if (named === null) return []
      const [title, path] = JSON.parse(named) as [title: string, path: string]
      return [[id, { anchor, body, title, path }] as const]
    }),
  )
}

function groupByPage(found: readonly ScoredSection[]): RankedPage[] {
  const pages = new Map<string, RankedPage & { readonly sections: RankedSection[] }>()
  for (const { section, score } of found) {
    const { spaceId, pageId } = section
    const ranked = { ...section, score }
    const known = pages.get(`${spaceId} ${pageId}`)
    if (!known)
      pages.set(`${spaceId} ${pageId}`, { spaceId, pageId, rank: pages.size + 1, score, sections: [ranked] })
    else if (known.sections.length < sectionsPerPage) known.sections.push(ranked)
  }
  return [...pages.values()]
}

/** Loads the texts of ranked pages that were ranked without, and returns the pages in their order. */
export async function loadPageHits(
  db: Db,
  organizationId: OrganizationId,
  ranked: readonly RankedPage[],
): Promise<PageHit[]> {
  const unread = ranked.flatMap(({ sections }) => sections.filter(({ text }) => text === undefined))
  const texts = await loadTexts(db, organizationId, unread)
  return ranked.flatMap(({ sections, ...page }) => {
    const window = sections.flatMap(({ id, heading, score, text = texts.get(id) }) =>
      // Missing, when the index changed since the ranking.
      text === undefined ? [] : [{ heading, score, ...text }],
    )
    if (window.length === 0) return []
    const { title, path } = window[0]!
    return [{ ...page, title, path, sections: window }]
  })
}

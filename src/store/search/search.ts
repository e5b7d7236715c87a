/**
 * Full-text search over the sections of pages: the one way in, whatever the engine.
 *
 * A query is read, its words are looked up in the vocabularies of the spaces that are searched, the engine finds
 * candidates by all words and, where those are few, by most of them, and the best are put in order by their texts.
 * The index knows no permissions: the caller says which spaces are searched, and those alone are looked at.
 */
import { sql } from 'kysely'
import type { OrganizationId, PageId, SpaceId } from '../../core/ids.js'
import { scorerOf } from '../../core/search/score.js'
import { engineOf } from '../db/database.js'
import type { Db } from '../db/database.js'
import type { FoundSection, Searched, SectionText } from './engine.js'
import { engineBehind } from './engines.js'
import type { SearchableSection } from './fold.js'
import { type Meaning, findMeaning } from './meaning.js'
import { selectNumbered } from './numbered.js'
import { mostRead, stepsForAll, stepsForMost } from './steps.js'

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
  readonly sections: readonly RankedSection[]
}

type RankedSection = Pick<FoundSection, 'id' | 'heading' | 'text'>

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

/** All of so many are put in order by their titles and headings, and the best of them by their texts, too. */
const mostSections = 200
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

interface Scored {
  readonly section: FoundSection
  readonly score: number
}

async function scoreSections(db: Db, searched: Searched, meaning: Meaning): Promise<readonly Scored[]> {
  const scoreText = scorerOf(meaning)
  const score = (section: FoundSection, text: SectionText | undefined): Scored => {
    const { title, heading, isFirst, finds } = section
    const scored = { title, heading: isFirst ? '' : heading, body: text?.body, holds: finds }
    return { section: text === section.text ? section : { ...section, text }, score: scoreText(scored) }
  }
  const found = await findCandidates(db, searched, meaning)
  // What is read is all ranked by its text in the end.
  const byName = found.length <= mostRead ? [] : bestFirst(found.map((one) => score(one, undefined)))
  const read = found.length <= mostRead ? found : byName.slice(0, mostRead).map(({ section }) => section)
  const unread = read.filter(({ text }) => text === undefined)
  const texts = await loadTexts(db, searched.organizationId, unread)
  const byText = read.map((section) => score(section, section.text ?? texts.get(section.id)))
  const sections = [...bestFirst(byText), ...byName.slice(mostRead)]
  // What holds but half of the query is shown where nothing holds more.
  const telling = sections.filter(({ score: points }) => points > 0)
  return telling.length > 0 ? telling : sections
}

function bestFirst(sections: readonly Scored[]): readonly Scored[] {
  return sections.toSorted((a, b) => b.score - a.score || a.section.id - b.section.id)
}

/** Answers sections with all words of the query, and where those are of few pages, with most words. */
async function findCandidates(
  db: Db,
  searched: Searched,
  meaning: Meaning,
): Promise<readonly FoundSection[]> {
  const engine = engineBehind(db)
  const all = await engine.findSections(db, searched, stepsForAll(meaning), mostSections)
  const pages = new Set(all.map(({ spaceId, pageId }) => `${spaceId} ${pageId}`))
  const steps = pages.size < fewPages ? stepsForMost(meaning) : []
  if (steps.length === 0) return all
  const known = new Set(all.map(({ id }) => id))
  const most = await engine.findSections(db, searched, steps, mostSections)
  return [...all, ...most.filter(({ id }) => !known.has(id))]
}

async function loadTexts(
  db: Db,
  organizationId: OrganizationId,
  sections: readonly { readonly id: number }[],
): Promise<ReadonlyMap<number, SectionText>> {
  if (sections.length === 0) return new Map()
  const ids = sections.map(({ id }) => id)
  // Looked up for each, and once: PostgreSQL without statistics would join all pages of the organization for one section.
  const page =
    engineOf(db) === 'sqlite'
      ? sql`json_array(page.title, page.path)`
      : sql`json_build_array(page.title, page.path)::text`
  const rows = await selectNumbered(db, organizationId, ids)
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

function groupByPage(found: readonly Scored[]): RankedPage[] {
  const pages = new Map<string, RankedPage & { readonly sections: RankedSection[] }>()
  for (const { section, score } of found) {
    const { spaceId, pageId } = section
    const known = pages.get(`${spaceId} ${pageId}`)
    if (!known) pages.set(`${spaceId} ${pageId}`, { spaceId, pageId, score, sections: [section] })
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
  const unread = ranked.flatMap(({ sections }) => sections.filter(({ text }) => text === undefined))
  const texts = await loadTexts(db, organizationId, unread)
  return ranked.flatMap(({ sections, ...page }) => {
    const shown = sections.flatMap(({ id, heading, text = texts.get(id) }) =>
      // Gone, when the index moved on since it was ranked.
      text === undefined ? [] : [{ heading, ...text }],
    )
    if (shown.length === 0) return []
    const { title, path } = shown[0]!
    return [{ ...page, title, path, sections: shown }]
  })
}

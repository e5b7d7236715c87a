/**
 * Site search through the API: selects the spaces to search, and filters the hits. The index excludes pages hidden from
 * search and records conditions, and may lag behind: a hit is returned only while its page exists and the caller may
 * read it.
 */
import { runTogether } from '../../core/merkle/steps.js'
import { ancestors, findPages } from '../../core/pages/read.js'
import type { PageRecord } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import type { Actor } from '../../access/signin/actor.js'
import { ApiError } from '../../contract/errors.js'
import type { SearchBody, SearchScope, SiteSearchPage, SiteSearchSpace } from '../../contract/site-search.js'
import { type ClaimReader, unrestrictedReader } from '../../core/conditions/claim-reader.js'
import { groupBy } from '../../core/group.js'
import type { SpaceId } from '../../core/ids.js'
import type { Db } from '../../store/db/database.js'
import type { SectionScope } from '../../store/search/engine.js'
import type { FoundPage, SearchResult } from '../../store/search-workers/execute-search.js'
import { forActor, getContent, expandContent } from '../content/content.js'
import { claimReaderFor, findMatchingGuards, visibilityFilterOf } from '../content/visibility.js'
import { pageAppUrl } from '../content/present.js'
import { readVariables } from '../content/settings.js'
import type { SpaceRow } from '../spaces/store.js'
import type { SiteContext } from './scope.js'
import { type PublishedLink, type PublishedSection, publishedSections } from './published-structure.js'

/**
 * Returns what is searched: the spaces that the caller may read, and for a reader of an adaptive site the content whose
 * conditions hold for them. Editors of the site find all of it.
 */
export async function searchTargetOf(context: SiteSearchContext, body: SearchBody): Promise<SectionScope> {
  const { site, services, actor, db } = context
  const organizationId = site.row.organization_id
  const visitor = actor.reading?.visitor
  const claimReader = visitor === undefined ? unrestrictedReader : claimReaderFor(visitor)
  const spaceIds = selectSpaceIds(site, body, claimReader)
  const languages = new Map(site.spaces.map(({ space }) => [space.id, space.language]))
  const vocabularySpaces = spaceIds.map((spaceId) => ({ spaceId, language: languages.get(spaceId)! }))
  if (visitor === undefined) return { organizationId, spaceIds, vocabularySpaces }
  const heads = new Map(site.spaces.map(({ space }) => [space.id, space.revision_id]))
  const guards = await findMatchingGuards(
    services,
    { asker: claimReader, organizationId, spaceIds },
    async (spaceId) => {
      const content = await getContent({ db, services, organizationId, spaceId }, heads.get(spaceId)!)
      return { spaceId, variables: await readVariables(content) }
    },
  )
  return { organizationId, spaceIds, vocabularySpaces, guards }
}

function selectSpaceIds(site: SiteContext, body: SearchBody, claimReader: ClaimReader): SpaceId[] {
  const sections = publishedSections(site, claimReader)
  const scope = scopeOf(body)
  const links = linksIn(sections, scope)
  const ids = links.map(({ space }) => space.id).filter((id) => site.readable.has(id))
  return [...new Set(ids)]
}

/** Translates the search parameters of earlier clients to the current ones. */
function scopeOf({ scope, mode, siteSpaceIds, siteSpaceId }: SearchBody): SearchScope {
  if (scope !== undefined) return scope
  if (mode === 'current') return { mode: 'default', ...(siteSpaceId && { currentSiteSpace: siteSpaceId }) }
  if (mode === 'all') return { mode }
  return siteSpaceIds === undefined ? { mode: 'default' } : { mode: 'specific', siteSpaceIds }
}

function linksIn(sections: readonly PublishedSection[], scope: SearchScope): PublishedLink[] {
  const all = sections.flatMap(({ links }) => links)
  const { mode, currentSiteSpace, restrictTo, siteSpaceIds } = scope
  if (mode === 'all') return all
  if (mode === 'specific') {
    if (siteSpaceIds === undefined)
      throw new ApiError('invalid_request', { problem: 'The member "scope.siteSpaceIds" is missing.' })
    return all.filter(({ link }) => siteSpaceIds.includes(link.id))
  }
  const current = all.find(({ link }) => link.id === currentSiteSpace)
  if (restrictTo === 'currentSiteSpace') return current === undefined ? [] : [current]
  const others = sections.flatMap(({ links }) => {
    if (current !== undefined && links.includes(current)) return []
    const visible = links.filter(({ link }) => link.hidden === 0)
    const inLanguage = visible.find(({ space }) => current && space.language === current.space.language)
    return inLanguage ?? visible.find(({ isDefault }) => isDefault) ?? []
  })
  return current === undefined || restrictTo === 'otherSiteSpaces' ? others : [current, ...others]
}

interface SiteSearchContext {
  readonly db: Db
  readonly services: Services
  readonly actor: Actor
  readonly site: SiteContext
}

/** Returns the visible hits grouped by space, the space with the best page first. */
export async function presentHits(
  { pages }: SearchResult,
  context: SiteSearchContext,
): Promise<SiteSearchSpace[]> {
  const { site } = context
  const rows = new Map(site.spaces.map(({ space }) => [space.id, space]))
  const groups: SiteSearchSpace[] = []
  let rank = 0
  for (const [id, hits] of groupBy(pages, ({ spaceId }) => spaceId)) {
    const row = rows.get(id)
    // It may have been removed from the site, or closed to the caller, during the search.
    if (row === undefined || row.deleted_at !== null || !site.readable.has(id)) continue
    const visible = await selectVisibleHits(row, hits, context)
    if (visible.length === 0) continue
    const inSpace = visible.map((one) => presentHit(row, one, (rank += 1), context))
    groups.push({ type: 'space', id, title: row.title, score: inSpace[0]!.score, pages: inSpace })
  }
  return groups
}

interface VisibleHit {
  readonly hit: FoundPage
  readonly page: PageRecord
  readonly above: readonly PageRecord[]
}

/** Returns the hits whose pages exist and are visible to the caller. */
async function selectVisibleHits(
  row: SpaceRow,
  hits: readonly FoundPage[],
  { db, services, actor }: SiteSearchContext,
): Promise<VisibleHit[]> {
  const { organization_id: organizationId, id: spaceId, revision_id: head } = row
  const source = { db, services, organizationId, spaceId }
  const content = forActor(await expandContent(source, await getContent(source, head)), actor)
  const visibility = await visibilityFilterOf(content)
  const isOpen = (page: PageRecord) => visibility?.isVisible(page) ?? true
  const { snapshot } = content.revision
  const ids = hits.map(({ pageId }) => pageId)
  const pages = await content.run(findPages(snapshot, ids))
  const found = hits.flatMap((hit, at) => {
    const page = pages[at]
    return page !== undefined && isOpen(page) ? [{ hit, page }] : []
  })
  const above = await content.run(runTogether(...found.map(({ page }) => ancestors(snapshot, page))))
  return found.flatMap((one, at) => (above[at]!.every(isOpen) ? [{ ...one, above: above[at]! }] : []))
}

function presentHit(
  { id: spaceId }: SpaceRow,
  { hit, page, above }: VisibleHit,
  rank: number,
  { services: { addresses } }: SiteSearchContext,
): SiteSearchPage {
  const { pageId, title, path, sections } = hit
  const app = pageAppUrl({ addresses, spaceId }, path)
  const score = 1 / rank
  const hasMatches = sections.some(({ heading, excerpt }) => heading.marks.length + excerpt.marks.length > 0)
  const resultType = hasMatches ? 'section' : 'page'
  return {
    id: pageId,
    title: title.text,
    description: (page.type === 'document' && page.description) || '',
    path,
    score,
    rank,
    resultType,
    sections: sections.map(({ anchor, heading, excerpt }, at) => {
      const fragment = anchor === null ? '' : `#${anchor}`
      return {
        // A long section is indexed in several parts, which share their anchor.
        id: `${pageId}-${at}${fragment}`,
        title: heading.text,
        path: path + fragment,
        score,
        resultType,
        body: excerpt.text,
        urls: { app: app + fragment },
      }
    }),
    ancestors: above.map((one) => ({ title: one.title })),
    urls: { app },
  }
}

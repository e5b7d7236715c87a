/**
 * Site search through the API: selects the spaces to search, and filters the hits. The index excludes pages hidden from
 * search and records conditions, and may lag behind: a hit is returned only while its page exists and the caller may
 * read it.
 */
import type { Services } from '../../access/route/scope.js'
import type { Actor } from '../../access/signin/actor.js'
import { ApiError } from '../../contract/errors.js'
import type { SearchSpace } from '../../contract/search.js'
import type { SearchBody, SearchScope } from '../../contract/site-search.js'
import { type ClaimReader, unrestrictedReader } from '../../core/conditions/claim-reader.js'
import type { SpaceId } from '../../core/ids.js'
import type { Db } from '../../store/db/database.js'
import type { SectionScope } from '../../store/search/engine.js'
import type { SearchResult } from '../../store/search-workers/execute-search.js'
import { getContent } from '../content/content.js'
import { claimReaderFor, findMatchingGuards } from '../content/visibility.js'
import { readVariables } from '../content/settings.js'
import { presentHitsBySpace } from '../search/hits.js'
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

/** Returns the visible hits of the site by space, the one with the best page first. */
export function presentSiteHits(
  { pages }: SearchResult,
  { site, ...context }: SiteSearchContext,
): Promise<SearchSpace[]> {
  // A space may have been removed from the site, or closed to the caller, during the search.
  const rows = site.spaces.flatMap(({ space }) =>
    space.deleted_at === null && site.readable.has(space.id) ? [[space.id, space] as const] : [],
  )
  return presentHitsBySpace(new Map(rows), pages, context)
}

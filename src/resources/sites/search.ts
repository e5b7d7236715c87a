/**
 * Searching a site through the API: in which of its spaces, and what of the hits is shown. The index leaves out what
 * its authors keep from search, tells what stands under which conditions, and may be a moment behind: a hit counts
 * while its page is there, and open to whoever asks.
 */
import { together } from '../../core/merkle/steps.js'
import { ancestors, findPages } from '../../core/pages/read.js'
import type { PageRecord } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import type { Actor } from '../../access/signin/actor.js'
import { ApiError } from '../../contract/errors.js'
import type { SearchBody, SearchScope, SiteSearchPage, SiteSearchSpace } from '../../contract/site-search.js'
import { type Asker, everything } from '../../core/conditions/asker.js'
import { groupBy } from '../../core/group.js'
import type { SpaceId } from '../../core/ids.js'
import type { Db } from '../../store/db/database.js'
import type { Searched } from '../../store/search/engine.js'
import type { FoundPage, SearchAnswer } from '../../store/search-workers/question.js'
import { forReader, getContent, shownContent } from '../content/content.js'
import { askerFor, findHeldGuards, openingOf } from '../content/visibility.js'
import { pageAppUrl } from '../content/present.js'
import { readVariables } from '../content/settings.js'
import type { SpaceRow } from '../spaces/store.js'
import type { SiteHere } from './scope.js'
import { type ShownLink, type ShownSection, shownSections } from './shown.js'

/**
 * Returns what of the site is searched: spaces, without those that whoever asks may not read, and for a reader of an
 * adaptive site what stands under conditions that hold for them. Who keeps the site finds all of it.
 */
export async function searchedBy(here: Here, body: SearchBody): Promise<Searched> {
  const { site, services, actor, db } = here
  const organizationId = site.row.organization_id
  const visitor = actor.reading?.visitor
  const asker = visitor === undefined ? everything : askerFor(visitor)
  const spaceIds = searchedSpaces(site, body, asker)
  const languages = new Map(site.spaces.map(({ space }) => [space.id, space.language]))
  const spoken = spaceIds.map((spaceId) => ({ spaceId, language: languages.get(spaceId)! }))
  if (visitor === undefined) return { organizationId, spaceIds, spoken }
  const heads = new Map(site.spaces.map(({ space }) => [space.id, space.revision_id]))
  const guards = await findHeldGuards(services, { asker, organizationId, spaceIds }, async (spaceId) => {
    const content = await getContent({ db, services, organizationId, spaceId }, heads.get(spaceId)!)
    return { spaceId, variables: await readVariables(content) }
  })
  return { organizationId, spaceIds, spoken, guards }
}

function searchedSpaces(site: SiteHere, body: SearchBody, asker: Asker): SpaceId[] {
  const sections = shownSections(site, asker)
  const scope = scopeOf(body)
  const links = linksIn(sections, scope)
  const ids = links.map(({ space }) => space.id).filter((id) => site.readable.has(id))
  return [...new Set(ids)]
}

/** What is asked in the words of earlier clients, in today's. */
function scopeOf({ scope, mode, siteSpaceIds, siteSpaceId }: SearchBody): SearchScope {
  if (scope !== undefined) return scope
  if (mode === 'current') return { mode: 'default', ...(siteSpaceId && { currentSiteSpace: siteSpaceId }) }
  if (mode === 'all') return { mode }
  return siteSpaceIds === undefined ? { mode: 'default' } : { mode: 'specific', siteSpaceIds }
}

function linksIn(sections: readonly ShownSection[], scope: SearchScope): ShownLink[] {
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
    const open = links.filter(({ link }) => link.hidden === 0)
    const inLanguage = open.find(({ space }) => current && space.language === current.space.language)
    return inLanguage ?? open.find(({ isDefault }) => isDefault) ?? []
  })
  return current === undefined || restrictTo === 'otherSiteSpaces' ? others : [current, ...others]
}

interface Here {
  readonly db: Db
  readonly services: Services
  readonly actor: Actor
  readonly site: SiteHere
}

/** Returns what is shown of the hits, by space, the one with the best page first. */
export async function showHits({ pages }: SearchAnswer, here: Here): Promise<SiteSearchSpace[]> {
  const { site } = here
  const rows = new Map(site.spaces.map(({ space }) => [space.id, space]))
  const shown: SiteSearchSpace[] = []
  let rank = 0
  for (const [id, hits] of groupBy(pages, ({ spaceId }) => spaceId)) {
    const row = rows.get(id)
    // It may have been taken from the site, or from whoever asks, while it was searched.
    if (row === undefined || row.deleted_at !== null || !site.readable.has(id)) continue
    const open = await openHits(row, hits, here)
    if (open.length === 0) continue
    const inSpace = open.map((one) => presentHit(row, one, (rank += 1), here))
    shown.push({ type: 'space', id, title: row.title, score: inSpace[0]!.score, pages: inSpace })
  }
  return shown
}

interface OpenHit {
  readonly hit: FoundPage
  readonly page: PageRecord
  readonly above: readonly PageRecord[]
}

/** Returns the hits whose pages are there and open. */
async function openHits(
  row: SpaceRow,
  hits: readonly FoundPage[],
  { db, services, actor }: Here,
): Promise<OpenHit[]> {
  const { organization_id: organizationId, id: spaceId, revision_id: head } = row
  const place = { db, services, organizationId, spaceId }
  const content = forReader(await shownContent(place, await getContent(place, head)), actor)
  const opening = await openingOf(content)
  const isOpen = (page: PageRecord) => opening?.isOpen(page) ?? true
  const { snapshot } = content.revision
  const ids = hits.map(({ pageId }) => pageId)
  const pages = await content.run(findPages(snapshot, ids))
  const found = hits.flatMap((hit, at) => {
    const page = pages[at]
    return page !== undefined && isOpen(page) ? [{ hit, page }] : []
  })
  const above = await content.run(together(...found.map(({ page }) => ancestors(snapshot, page))))
  return found.flatMap((one, at) => (above[at]!.every(isOpen) ? [{ ...one, above: above[at]! }] : []))
}

function presentHit(
  { id: spaceId }: SpaceRow,
  { hit, page, above }: OpenHit,
  rank: number,
  { services: { addresses } }: Here,
): SiteSearchPage {
  const { pageId, title, path, sections } = hit
  const app = pageAppUrl({ addresses, spaceId }, path)
  const score = 1 / rank
  const isMeant = sections.some(({ heading, excerpt }) => heading.marks.length + excerpt.marks.length > 0)
  const resultType = isMeant ? 'section' : 'page'
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
        // A long section is found in several parts, which share their anchor.
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

/** Route scope `/orgs/:organizationId/sites/:siteId` and those into its structure: loading and authorization. */
import type { OrganizationId, SiteId, SpaceId } from '../../core/ids.js'
import { loadLevels } from '../../access/rules/level-facts.js'
import {
  type Reader,
  type SiteAction,
  type SiteLevels,
  authorizeOnSite,
  levelsOnSite,
  reaches,
  siteActions,
} from '../../access/rules/levels.js'
import {
  type LoadRequest,
  type Scope,
  type Source,
  loadRequestFrom,
  optionalResourceScope,
  optionalSubresourceScope,
  resourceScope,
  readThrough,
  readThroughFrom,
  subresourceScope,
} from '../../access/route/scope.js'
import type { MaybeActor } from '../../access/signin/actor.js'
import { ApiError } from '../../contract/errors.js'
import { createAnonymousReader } from '../../core/conditions/claim-reader.js'
import type { Caches } from '../../store/cache/caches.js'
import type { Db } from '../../store/db/database.js'
import { rowCacheKind } from '../../store/cache/kinds.js'
import { inOrganization, readerOf } from '../organizations/scope.js'
import type { OrganizationContext } from '../organizations/store.js'
import { visibleSpaces } from './published-structure.js'
import { type SiteWithSpaces, findSite, isOpenSite, listSpaceIdsOfSites } from './store.js'

/** A site with the caller's levels on it. */
export interface SiteContext extends SiteWithSpaces {
  readonly levels: SiteLevels
  /** The spaces that the caller may read, including those in the trash. */
  readonly readable: ReadonlySet<SpaceId>
}

const organizationsOf = ({ row }: SiteWithSpaces) => [row.organization_id]
const estimateSize = ({ spaces, sections, groups }: SiteWithSpaces) =>
  2_000 + spaces.length * 2_000 + (sections.length + groups.length) * 500
const siteKind = rowCacheKind<SiteContext>('site', organizationsOf, estimateSize)
const anySiteKind = rowCacheKind<SiteWithSpaces>('site as it is', organizationsOf, estimateSize)

/** For idempotent deletion: when the site is gone already, those who could have created it get "nothing removed", not 404. */
export const atSite = optionalResourceScope(inOrganization, 'siteId', {
  key: 'site',
  noun: 'site',
  find: async ({ db, actor }, id, { organization }) => {
    const found = await findSite(db, organization.row.id, id as SiteId)
    const site = found && (await withSiteLevels(db, found, readerOf(actor, organization)))
    return site?.levels.anywhere === null ? undefined : site
  },
  authorize: (action: SiteAction, { organization, site }) => {
    if (site !== undefined) return authorizeOnSite(site.levels, action)
    return reaches(organization.role, siteActions.administer) ? 'yes' : 'hidden'
  },
  visibleIf: 'view',
})

export const inSite = resourceScope(inOrganization, 'siteId', {
  key: 'site',
  noun: 'site',
  async find(request, id, { organization }) {
    const { actor } = request
    if (actor.reading !== undefined) {
      const { siteId, publicationState, spaces } = actor.reading
      const site = await readCachedSite(request, request.services.caches, organization.row.id, id as SiteId)
      // The site may have been closed to them after they were authenticated, while they waited.
      if (site === undefined || id !== siteId || publicationStateOf(site.row) !== publicationState)
        return undefined
      return asVisitor(site, spaces)
    }
    return readThrough(request, siteKind, `${actor.userId} ${organization.row.id} ${id}`, async (db) => {
      const found = await findSite(db, organization.row.id, id as SiteId)
      return found && withSiteLevels(db, found, readerOf(actor, organization))
    })
  },
  authorize: (action: SiteAction, { site }) => authorizeOnSite(site.levels, action),
  visibleIf: 'view',
})

/**
 * The same, also without a token or with one that does not open the site: a published site that is public or unlisted, as
 * those see it of whom nothing is known. The answer is the same for a site that is not open and for one that does not
 * exist.
 */
export const inSiteOrOpenSite: Scope<
  'organizationId' | 'siteId',
  { readonly site: SiteContext; readonly organization?: OrganizationContext },
  SiteAction,
  MaybeActor
> = {
  ...inSite,
  anonymous: true,
  async load(request, params) {
    const { actor, services } = request
    let refusal = new ApiError('token_missing')
    if (actor !== null) {
      try {
        return await inSite.load(loadRequestFrom(request, actor, services), params)
      } catch (error) {
        if (!(error instanceof ApiError) || error.errorName !== 'not_found') throw error
        refusal = error
      }
    }
    const organizationId = params.organizationId as OrganizationId
    const site = await readCachedSite(request, services.caches, organizationId, params.siteId as SiteId)
    if (site === undefined || !isOpenSite(site.row)) throw refusal
    return { site: asVisitor(site, visibleSpaces(site, createAnonymousReader())) }
  },
  organizationOf: ({ organization }) => organization?.row.id,
  authorize: (action, { site }) => ({ verdict: authorizeOnSite(site.levels, action), noun: 'site' }),
}

/** Returns a site without authorization, from the cache: for readers whose access does not follow from a role. */
export function readCachedSite(
  source: Source,
  caches: Caches,
  organizationId: OrganizationId,
  id: SiteId,
): Promise<SiteWithSpaces | undefined> {
  return readThroughFrom(source, caches, anySiteKind, `${organizationId} ${id}`, (db) =>
    findSite(db, organizationId, id),
  )
}

/** Returns the visibility of a published site, else `unpublished`. */
export function publicationStateOf({ published, visibility }: SiteWithSpaces['row']): string {
  return published === 1 ? visibility : 'unpublished'
}

/** The site as a visitor from outside the organization sees it, who may read these spaces. */
function asVisitor(site: SiteWithSpaces, spaceIds: ReadonlySet<SpaceId>): SiteContext {
  return { ...site, levels: { anywhere: 'read', everywhere: null }, readable: spaceIds }
}

/** Adds the reader's levels, derived from their levels on the spaces of the site. */
export async function withSiteLevels(db: Db, site: SiteWithSpaces, reader: Reader): Promise<SiteContext> {
  const ids = site.spaces.map(({ space }) => space.id)
  const levels = await loadLevels(db, reader, 'space', ids)
  return {
    ...site,
    levels: levelsOnSite({ role: reader.role, levels: [...levels.values()] }),
    readable: new Set(ids.filter((id) => reaches(levels.get(id), 'read'))),
  }
}

/** Returns the reader's levels on sites of the organization, in two queries. */
export async function loadSiteLevels(
  db: Db,
  reader: Reader,
  ids: readonly SiteId[],
): Promise<(id: SiteId) => SiteLevels> {
  // The level of an admin depends on no space.
  const relevantIds = reader.role === 'admin' ? [] : ids
  const spaceIds = await listSpaceIdsOfSites(db, reader.organizationId, relevantIds)
  const levels = await loadLevels(db, reader, 'space', [...new Set([...spaceIds.values()].flat())])
  return (id) =>
    levelsOnSite({
      role: reader.role,
      levels: (spaceIds.get(id) ?? []).map((spaceId) => levels.get(spaceId) ?? null),
    })
}

interface SiteResources {
  readonly site: SiteContext
}

/** A section is hidden from callers who may read none of its spaces. */
const sectionStep = {
  key: 'section',
  noun: 'section',
  find: async (_: LoadRequest, id: string, { site }: SiteResources) => {
    const isVisible = ({ spaces, readable }: SiteContext) => {
      const inside = spaces.filter(({ link }) => link.section_id === id)
      return inside.length === 0 || inside.some(({ space }) => readable.has(space.id))
    }
    return isVisible(site) ? site.sections.find((row) => row.id === id) : undefined
  },
} as const

const groupStep = {
  key: 'group',
  noun: 'section group',
  find: async (_: LoadRequest, id: string, { site }: SiteResources) =>
    site.groups.find((row) => row.id === id),
} as const

const linkStep = {
  key: 'link',
  noun: 'site space',
  find: async (_: LoadRequest, id: string, { site }: SiteResources) =>
    site.spaces.find(({ link, space }) => link.id === id && site.readable.has(space.id))?.link,
} as const

export const inSection = subresourceScope(inSite, 'siteSectionId', sectionStep)
export const atSection = optionalSubresourceScope(inSite, 'siteSectionId', sectionStep)
export const inSectionGroup = subresourceScope(inSite, 'siteSectionGroupId', groupStep)
export const atSectionGroup = optionalSubresourceScope(inSite, 'siteSectionGroupId', groupStep)
export const atSectionOfGroup = optionalSubresourceScope(inSectionGroup, 'siteSectionId', sectionStep)
export const inSiteSpace = subresourceScope(inSite, 'siteSpaceId', linkStep)
export const atSiteSpace = optionalSubresourceScope(inSite, 'siteSpaceId', linkStep)

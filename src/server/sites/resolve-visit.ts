/**
 * Access to sites: resolves a request to the site, its visitor and their access, all read at one version of the data.
 * The content is rendered later, from the revisions that the site had at that version.
 */
import type { FastifyRequest } from 'fastify'
import type { MountOptions } from '../../access/route/mount.js'
import { readConsistently } from '../../access/route/consistent-read.js'
import { ApiError } from '../../contract/errors.js'
import type { VisitorRequest } from '../../core/visitor/identify-visitor.js'
import { type SiteAccess, authorizeSiteVisit, signedInReader } from '../../site/reader-access.js'
import type { ResolvedSite } from '../../site/routing/find-site.js'
import { findKey, withKeyPrefix } from '../../site/routing/key.js'
import { personalizeSite } from '../../site/routing/personalize-site.js'
import type { PublishedSite } from '../../site/routing/site.js'
import { type IdentifiedVisitor, previewVisitor, resolveVisitor } from '../../site/visitor.js'
import { type CachedRead, type ReadContext, readContextAt } from '../../store/cache/caches.js'
import type { KeyGuessLimiter } from './key-guess-limiter.js'
import type { SiteLocation, SiteLocator, SitePathRequest } from './locate-site.js'

/** A request to a site, resolved and authorized at one version of the data. */
export interface ResolvedVisit {
  /** The site below the path's key, if it has one, and as it is visible to the visitor. */
  readonly resolved: ResolvedSite
  /** True when the site's structure depends on claims of the visitor. */
  readonly isPersonalized: boolean
  readonly access: SiteAccess
  /** The visitor, with the claims that the site's schema allows. */
  readonly identified: IdentifiedVisitor
  /** The path without the key. */
  readonly pathRequest: SitePathRequest
  /** False for a key without its trailing slash. */
  readonly isCompletePath: boolean
  /** The cached reads that all of it depends on; undefined when the answer may not be cached. */
  readonly dependencies: readonly CachedRead[] | undefined
  /** Resolves and authorizes the request again at the current version. */
  reload(): Promise<ResolvedVisit | undefined>
}

/** Resolves to undefined when there is no such site. */
export type ResolveVisit = (
  request: FastifyRequest,
  readContext: ReadContext,
  location: SiteLocation,
) => Promise<ResolvedVisit | undefined>

/** Resolves the site that a POST is sent to; undefined when there is none. */
export type ResolvePost = (request: FastifyRequest) => Promise<ResolvedVisit | undefined>

export function createVisitResolver({ services, signIn, now }: MountOptions): ResolveVisit {
  const { addresses, caches } = services
  return resolveVisit

  function resolveVisit(
    request: FastifyRequest,
    readContext: ReadContext,
    location: SiteLocation,
  ): Promise<ResolvedVisit | undefined> {
    const { pathRequest: requested, find } = location
    const reload = async () =>
      resolveVisit(request, readContextAt(await services.database.currentVersion()), location)
    // An invalid token counts as none: the answer must not reveal whether the site exists.
    const resolveReader = signedInReader(() => signIn(request).catch(anonymousOnInvalidToken))
    const accessContext = { caches, addresses, readContext, now: now() }
    return readConsistently({ services, readContext }, async (source, setOrganization) => {
      const found = await find(source)
      if (found === undefined) return undefined
      const { siteRows } = found
      const { row } = siteRows
      setOrganization(row.organization_id)
      const key = findKey(addresses, row, requested.path)
      const { site } = key === undefined ? found : withKeyPrefix(found, key)
      const pathRequest = { ...requested, path: canonicalPath(key === undefined ? requested.path : key.rest) }
      const identified =
        key?.kind === 'preview'
          ? previewVisitor(addresses, row, key.key)
          : await resolveVisitor(
              services,
              { row, site },
              credentialsOf(request, site, pathRequest),
              accessContext.now,
            )
      const reader = { resolveReader, visitor: identified.visitor, key }
      const access = await authorizeSiteVisit(source, siteRows, reader, accessContext)
      // Signed-in users are authorized with each request.
      const isCacheable =
        source.readContext !== null && access.refusal === undefined && access.by !== 'person'
      const dependencies = isCacheable ? [...source.readContext!.dependencies] : undefined
      const { visitor, isPersonalized, ...visible } = personalizeSite(services, found, identified.visitor)
      const personalized = { ...found, ...visible }
      return {
        resolved: key === undefined ? personalized : withKeyPrefix(personalized, key),
        isPersonalized,
        access,
        identified: { ...identified, visitor },
        pathRequest,
        isCompletePath: key?.hasSlash !== false,
        dependencies,
        reload,
      }
    })
  }
}

/** Returns the resolver of POST requests; it throws `TooManyAttempts` for clients that guess keys. */
export function createPostResolver({
  services,
  locator,
  resolveVisit,
  keyGuesses,
}: Pick<MountOptions, 'services'> & {
  readonly locator: SiteLocator
  readonly resolveVisit: ResolveVisit
  readonly keyGuesses: KeyGuessLimiter
}): ResolvePost {
  return async (request) => {
    const readContext = await services.caches.readContext(request.raw)
    const location = await locator.byHostOrPath(request, readContext)
    const visit = await resolveVisit(request, readContext, location)
    await keyGuesses.check(request, location.pathRequest.path, isNotFound(visit))
    return visit
  }
}

/** Whether the reader gets 404. */
export function isNotFound(visit: ResolvedVisit | undefined): boolean {
  return visit === undefined || visit.access.refusal === 'absent'
}

/** Whether a visit that was reloaded still has access to the same site. */
export function isUnchanged(visit: ResolvedVisit, reloaded: ResolvedVisit | undefined): boolean {
  return (
    reloaded?.access.refusal === undefined && reloaded?.resolved.fingerprint === visit.resolved.fingerprint
  )
}

/** Programs that were made for GitBook use its name for the same paths. */
function canonicalPath(path: string): string {
  return path.replace(/^~gitbook\//, '~octavo/')
}

function anonymousOnInvalidToken(error: unknown): null {
  if (error instanceof ApiError && error.errorName === 'token_invalid') return null
  throw error
}

/** Returns the parts of a request that identify its visitor. */
function credentialsOf(
  { raw }: FastifyRequest,
  site: PublishedSite,
  { path, query }: SitePathRequest,
): VisitorRequest {
  const { authorization, cookie: cookies } = raw.headers
  const takesAccessToken = path.startsWith('~octavo/mcp')
  return { authorization, cookies, query: [...query], path: site.base + path, takesAccessToken }
}

/**
 * Published sites: `/@<organization>/<site>/…`, `<organization>.<domain>/<site>/…`, and custom domains.
 *
 * A rendered page is cached by everything that it is made from: the site's fingerprint, the revision and the path. A URL
 * is answered from the cache while the rows of its site are current. So an edit is visible with the next request, and an
 * unrelated write invalidates no page.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type VisitorRequest, visitorHeaders } from '../../core/visitor/identify-visitor.js'
import { prefersMarkdown } from '../../access/http/accept.js'
import type { MountOptions } from '../../access/route/mount.js'
import { readConsistently } from '../../access/route/consistent-read.js'
import type { Source } from '../../access/route/scope.js'
import { type SiteRequest, answerSite, offersMcp, redirectTo } from '../../site/answer.js'
import type { VisitorEvent } from '../../access/events/visitor-events.js'
import { ApiError } from '../../contract/errors.js'
import type { EventType } from '../../contract/site-events.js'
import { addressKey } from '../../access/signin/rate-limit.js'
import { originOf } from '../../access/signin/request.js'
import type { SiteSectionId, SiteSpaceId } from '../../core/ids.js'
import { type SiteAccess, authorizeSiteVisit, signedInReader } from '../../site/reader-access.js'
import { findSiteFile } from '../../site/find-file.js'
import { findSpecificationDownload } from '../../site/pages/specification-download.js'
import { withKeyPrefix, findKey } from '../../site/routing/key.js'
import { type IdentifiedVisitor, resolveVisitor, previewVisitor } from '../../site/visitor.js'
import { parseWidth } from '../../store/images/widths.js'
import { openContent } from '../../site/pages/content.js'
import {
  type SiteAddress,
  readHostPath,
  readOrganizationPath,
  readSitePath,
} from '../../site/routing/address.js'
import { type ResolvedSite, createSiteFinder } from '../../site/routing/find-site.js'
import { translationsOf, variantsInLanguageOf, variantsToSearch } from '../../site/routing/languages.js'
import { type Feed, type PathMatch, matchPath } from '../../site/routing/match-path.js'
import { personalizeSite } from '../../site/routing/personalize-site.js'
import type { PublishedSite, Variant } from '../../site/routing/site.js'
import {
  type CacheHandle,
  type ReadContext,
  type CachedRead,
  readContextAt,
} from '../../store/cache/caches.js'
import { cacheKind } from '../../store/cache/kinds.js'
import type { FindCachedResponse } from '../http/response-cache.js'
import { type EncodedAnswer, encodingFor, encodeFor, encodedAnswerOf } from '../http/compression.js'
import {
  type AnswerHead,
  type ReadyAnswer,
  readyAnswer,
  sendAnswer,
  writeAnswer,
} from '../http/send-answer.js'
import { assetAddresses } from './assets.js'
import { answerMcpRequest, disconnectSignal, isMcpRequest, sendMcpError } from './mcp.js'
import { createFileSender } from './send-file.js'
import { sendSpecification } from './send-specification.js'
import { type CachedPage, createPageCache } from './page-cache.js'
import { mountSharedRobots, sendSharedRobots } from './shared-robots.js'
import { createKeyGuessLimiter, findEarlyAnswer, siteNotFound } from './site-sign-in.js'
import { type EventContext, countsReader, isBeacon, allowsCounting, receiveBeacon } from './beacons.js'

/** Milliseconds between two writes of the events that are counted in memory. */
const flushInterval = 60_000

/** Paths for operators, on every host. */
const operatorPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** An answer to a URL in the requested encoding, and the cached reads that it depends on. */
interface CachedAnswer {
  readonly dependencies: readonly CachedRead[]
  readonly ready: CacheHandle<ReadyAnswer>
  /** When the visitor's token expires, in milliseconds since 1970. */
  readonly expiresAt: number
}

const answerKind = cacheKind<CachedAnswer>('answer to readers', () => 500)

/** A request to a site, resolved and authorized at one version of the data. */
interface SiteVisit {
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
  reload(): Promise<SiteVisit | undefined>
}

/** A POST to a site: an MCP message or a beacon. */
interface PostedVisit {
  readonly visit: SiteVisit | undefined
  readonly pathRequest: SitePathRequest
}

/** The answer to a visit, and its entry in the page cache. */
interface PreparedAnswer {
  readonly encoded: EncodedAnswer
  readonly cachedPage?: CachedPage | undefined
  readonly cookies?: readonly string[]
}

type FindSite = (source: Source) => Promise<ResolvedSite | undefined>

/** A request to a site without its visitor. */
type SitePathRequest = Omit<SiteRequest, 'visitor'>

interface SitesMounting extends MountOptions {
  /** The header in which a proxy sends the reader's country. */
  readonly countryHeader?: string | undefined
}

/** Mounts the sites; returns the lookup of cached answers. */
export function mountPublishedSites(
  server: FastifyInstance,
  { services, signIn, now, countryHeader }: SitesMounting,
): FindCachedResponse {
  const { addresses, caches } = services
  const sites = createSiteFinder(services)
  const files = createFileSender(services)
  const pageCache = createPageCache(caches)
  const keyGuesses = createKeyGuessLimiter(services.database, now)

  /** Finds the site and authorizes the reader at one version of the data; the content comes from the site's revisions at that version. */
  function resolveVisit(
    request: FastifyRequest,
    readContext: ReadContext,
    { pathRequest: requested, find }: { readonly pathRequest: SitePathRequest; readonly find: FindSite },
  ): Promise<SiteVisit | undefined> {
    const reload = async () =>
      resolveVisit(request, readContextAt(await services.database.currentVersion()), {
        pathRequest: requested,
        find,
      })
    // An invalid token counts as none: the answer must not reveal whether the site exists.
    const resolveReader = signedInReader(() => signIn(request).catch(anonymousOnInvalidToken))
    const enterContext = { caches, addresses, readContext, now: now() }
    return readConsistently({ services, readContext }, async (source, setOrganization) => {
      const namedSite = await find(source)
      if (namedSite === undefined) return undefined
      const { row } = namedSite.siteRows
      setOrganization(row.organization_id)
      const key = findKey(addresses, row, requested.path)
      const { site } = key === undefined ? namedSite : withKeyPrefix(namedSite, key)
      const pathRequest = { ...requested, path: canonicalPath(key === undefined ? requested.path : key.rest) }
      const identified =
        key?.kind === 'preview'
          ? previewVisitor(addresses, row, key.key)
          : await resolveVisitor(
              services,
              { row, site },
              credentialsOf(request, site, pathRequest),
              enterContext.now,
            )
      const access = await authorizeSiteVisit(
        source,
        namedSite.siteRows,
        { resolveReader, visitor: identified.visitor, key },
        enterContext,
      )
      // Signed-in users are authorized with each request.
      const isCacheable =
        source.readContext !== null && access.refusal === undefined && access.by !== 'person'
      const dependencies = isCacheable ? [...source.readContext!.dependencies] : undefined
      const { visitor, isPersonalized, ...variants } = personalizeSite(
        services,
        namedSite,
        identified.visitor,
      )
      const own = { ...namedSite, ...variants }
      return {
        resolved: key === undefined ? own : withKeyPrefix(own, key),
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

  async function answer(visit: SiteVisit | undefined): Promise<PreparedAnswer> {
    if (visit === undefined)
      return { encoded: encodedAnswerOf(readyAnswer(await siteNotFound(), 'private', 'compressed')) }
    const earlyAnswer = await findEarlyAnswer(visit, visit.pathRequest)
    if (earlyAnswer !== undefined) {
      // A redirect depends on the visitor's token and claims.
      const cacheability = earlyAnswer.answer.location === undefined ? 'private' : 'none'
      const ready = readyAnswer(earlyAnswer.answer, cacheability, 'compressed')
      return { encoded: encodedAnswerOf(ready), cookies: earlyAnswer.cookies ?? [] }
    }
    const { resolved, isPersonalized, access, identified, pathRequest } = visit
    const { site } = resolved
    const siteRequest = { ...pathRequest, visitor: identified.visitor }
    const key = siteRequest.query.has('q') ? undefined : pageKeyOf(resolved, siteRequest)
    const cached = key === undefined ? undefined : pageCache.find(key, site.claimReader)
    if (cached !== undefined) return { encoded: cached.encoded, cachedPage: cached }
    const rendered = await answerSite(services, site, siteRequest, await assetAddresses())
    if (rendered.needsAccessRecheck === true) {
      // Rendering may have waited in a queue: the site and the access are checked again.
      const recheck = await visit.reload()
      const isUnchanged =
        recheck?.access.refusal === undefined && recheck?.resolved.fingerprint === resolved.fingerprint
      if (!isUnchanged) return answer(recheck)
    }
    // Visitors with other claims may see another page at the same URL.
    const isUnchanged = !isPersonalized && site.claimReader.answers.length === 0
    const isPublic = access.refusal === undefined && access.by === 'all' && isUnchanged
    const ready = readyAnswer(rendered, isPublic ? 'public' : 'private', 'compressed')
    // Paths without a page are unlimited: caching them would evict the pages.
    const isCacheable = rendered.status === 200 && rendered.isFinal !== false
    const page = key === undefined || !isCacheable ? undefined : pageCache.put(key, site.claimReader, ready)
    return { encoded: page?.encoded ?? encodedAnswerOf(ready), cachedPage: page }
  }

  async function answerAt(
    request: FastifyRequest,
    reply: FastifyReply,
    visit: SiteVisit | undefined,
    pathRequest: SitePathRequest,
  ): Promise<FastifyReply> {
    await keyGuesses.check(request, pathRequest.path, isNotFound(visit))
    if (visit !== undefined && visit.access.refusal === undefined) {
      if (await sendFile(request, reply, visit)) return reply
      if (await sendOfferedSpecification(request, reply, visit)) return reply
    }
    const { encoded, cachedPage: page, cookies = [] } = await answer(visit)
    const { head } = encoded
    if (visit !== undefined && pathRequest.query.has('q') && head.status === 200) countSearch(request, visit)
    const program = visit && machineEventOf(visit, head)
    if (program !== undefined) countMachineRead(request, visit!, program)
    const dependencies = visit?.dependencies
    // Answers that count an event are not cached: they must pass here each time.
    const isAsUsual =
      pathRequest.query.size === 0 && pathRequest.wantsMarkdown !== true && program === undefined
    const ready = await encodeFor(encoded, request.raw.headers['accept-encoding'])
    page?.reweigh()
    if (page !== undefined && dependencies !== undefined && isAsUsual) {
      const expiresAt = visit?.identified.expires ?? Infinity
      caches.put(answerKind, answerKey(request.raw), { dependencies, ready: page.handle(ready), expiresAt })
    }
    if (cookies.length > 0) reply.header('set-cookie', cookies)
    if (head.status === 401) reply.header('www-authenticate', 'Bearer')
    return sendAnswer(request, reply, ready)
  }

  /** Sends a file of the site if the path names one; returns whether it did. */
  async function sendFile(
    request: FastifyRequest,
    reply: FastifyReply,
    { resolved: { site }, pathRequest: { path, query } }: SiteVisit,
  ): Promise<boolean> {
    const meaning = matchPath(site, path)
    const width = query.get('w')
    const pixels = width === null ? undefined : parseWidth(width)
    if (meaning.kind !== 'file' || (width !== null && pixels === undefined)) return false
    const file = await findSiteFile(services, site, meaning)
    if (file === undefined) return false
    await files.send(request, reply, { file, width: pixels, isPublic: false, isImmutable: false })
    return true
  }

  /** Sends an OpenAPI specification that a page of the site offers if the path names one; returns whether it did. */
  async function sendOfferedSpecification(
    request: FastifyRequest,
    reply: FastifyReply,
    { resolved: { site }, pathRequest: { path } }: SiteVisit,
  ): Promise<boolean> {
    const meaning = matchPath(site, path)
    if (meaning.kind !== 'specification') return false
    const version = await findSpecificationDownload(services, site, meaning)
    if (version === undefined) return false
    await sendSpecification(services, request, reply, { version, isPublic: false })
    return true
  }

  async function answerPath(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const url = request.raw.url!
    const readContext = await caches.readContext(request.raw)
    const address = readSitePath(url)
    const pathRequest = pathRequestOf(request, address)
    const find: FindSite = (source) => sites.byNames(source, address, 'path', 'unpublished')
    const visit = await resolveVisit(request, readContext, { pathRequest, find })
    const isCanonical = visit === undefined || url.startsWith(pathPrefixOf(visit.resolved))
    return answerCanonical(request, reply, visit, { pathRequest, isCanonical })
  }

  /** Redirects paths in another case, with doubled slashes or without the trailing one to the canonical path. */
  async function answerCanonical(
    request: FastifyRequest,
    reply: FastifyReply,
    visit: SiteVisit | undefined,
    { pathRequest, isCanonical }: { readonly pathRequest: SitePathRequest; readonly isCanonical: boolean },
  ): Promise<FastifyReply> {
    const isUnchanged = isCanonical && visit?.isCompletePath !== false
    if (visit === undefined || isUnchanged || isNotFound(visit))
      return answerAt(request, reply, visit, pathRequest)
    return sendAnswer(request, reply, redirectToCanonical(visit))
  }

  server.route({ method: ['GET', 'HEAD'], url: '/@:organization/:site/*', handler: answerPath })
  server.route({ method: ['GET', 'HEAD'], url: '/@:organization/:site', handler: answerPath })

  const ownHost = new URL(addresses.base).host

  /** Finds the cached answer to an equal request. */
  const findAnswer: FindCachedResponse = (request) => {
    const { method, url, headers } = request
    if ((method !== 'GET' && method !== 'HEAD') || prefersMarkdown(headers.accept)) return undefined
    if (headers.host === ownHost && !url!.startsWith('/@')) return undefined
    const cached = caches.find(answerKind, answerKey(request))
    if (cached === undefined || cached.expiresAt <= now()) return undefined
    return {
      dependencies: cached.dependencies,
      send(request, response) {
        const ready = cached.ready()
        return ready && writeAnswer(request, response, ready)
      },
    }
  }

  /** Returns the cache key of a request: encoding, host, URL, and the visitor's credentials and claims. */
  function answerKey({ url, headers }: FastifyRequest['raw']): string {
    const host = headers.host === ownHost ? '' : headers.host
    const credentials = visitorHeaders(headers.authorization, headers.cookie)
    return `${encodingFor(headers['accept-encoding']) ?? ''} ${host}${url} ${credentials}`
  }

  mountSharedRobots(server, { services })
  const domain = addresses.sitesDomain

  async function answerHost(
    request: FastifyRequest,
    reply: FastifyReply,
    { host, readContext }: { host: string; readContext: ReadContext },
  ): Promise<FastifyReply> {
    const url = request.raw.url!
    const organization = organizationOf(host)
    if (organization === undefined) {
      const pathRequest = pathRequestOf(request, readHostPath(url))
      const find: FindSite = (source) => sites.byHost(source, host, 'unpublished')
      const visit = await resolveVisit(request, readContext, { pathRequest, find })
      return answerCanonical(request, reply, visit, { pathRequest, isCanonical: true })
    }
    if (/^\/robots\.txt(?:\?|$)/.test(url)) return sendSharedRobots(services, request, reply, organization)
    const namedSite = readOrganizationPath(organization, url)
    const pathRequest = pathRequestOf(request, namedSite)
    const find: FindSite = (source) => sites.byNames(source, namedSite, 'host', 'unpublished')
    const visit = await resolveVisit(request, readContext, { pathRequest, find })
    const isCanonical = visit === undefined || url.startsWith(visit.resolved.site.base)
    return answerCanonical(request, reply, visit, { pathRequest, isCanonical })
  }

  /** Returns the hostname of the organization whose sites are on a subdomain. */
  function organizationOf(host: string): string | undefined {
    return domain !== undefined && host.endsWith(`.${domain}`) ? host.slice(0, -domain.length - 1) : undefined
  }

  /** Answers the request if the host belongs to sites; returns whether it does. */
  async function answerSiteHost(
    request: FastifyRequest,
    reply: FastifyReply,
    host: string,
  ): Promise<boolean> {
    const readContext = await caches.readContext(request.raw)
    const name = hostnameOf(host)
    if (organizationOf(name) === undefined && !(await sites.isHost(readContext, name))) return false
    await answerHost(request, reply, { host: name, readContext })
    return true
  }

  /** Resolves the site of a POST by its host and path. */
  async function resolvePostedVisit(request: FastifyRequest): Promise<PostedVisit> {
    const url = request.raw.url!
    const readContext = await caches.readContext(request.raw)
    const { host = '' } = request.raw.headers
    const name = hostnameOf(host)
    const ofHost = host === ownHost ? undefined : organizationOf(name)
    const isOwn = host !== ownHost && ofHost === undefined && (await sites.isHost(readContext, name))
    const names = ofHost === undefined ? readSitePath(url) : readOrganizationPath(ofHost, url)
    const pathRequest = pathRequestOf(request, isOwn ? readHostPath(url) : names)
    const find: FindSite = (source) =>
      isOwn
        ? sites.byHost(source, name, 'unpublished')
        : sites.byNames(source, names, ofHost === undefined ? 'path' : 'host', 'unpublished')
    return {
      visit: await resolveVisit(request, readContext, { pathRequest, find }),
      pathRequest,
    }
  }

  async function answerMcp(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { visit, pathRequest } = await resolvePostedVisit(request)
    await keyGuesses.check(request, pathRequest.path, isNotFound(visit))
    if (visit?.access.refusal === 'visitor')
      return sendMcpError(reply.header('www-authenticate', 'Bearer'), 401, 'This site needs a sign-in.')
    const { site } = visit?.resolved ?? {}
    const meaning = site && matchPath(site, visit!.pathRequest.path)
    const isClosed = site === undefined || visit?.access.refusal !== undefined || !offersMcp(site)
    if (isClosed || meaning?.kind !== 'mcp') return sendMcpError(reply, 404, 'There is no such site.')
    const { resolved, identified, reload } = visit!
    const toolContext = {
      services,
      site,
      variant: meaning.choice.variant,
      visitor: identified.visitor,
      signal: disconnectSignal(reply),
      assets: await assetAddresses(),
    }
    const isStillAllowed = async () => {
      const recheck = await reload()
      return recheck?.access.refusal === undefined && recheck?.resolved.fingerprint === resolved.fingerprint
    }
    const event = { type: 'mcp_request', context: 'mcp', variant: meaning.choice.variant } as const
    const onAccepted = () => countMachineRead(request, visit!, event)
    return answerMcpRequest(request, reply, {
      toolContext,
      isStillAllowed,
      onAccepted,
    })
  }

  server.addHook('onRequest', (request, reply, done) => {
    if (!isMcpRequest(request.raw)) return done()
    answerMcp(request, reply).catch(done)
  })

  async function answerBeacon(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { visit, pathRequest } = await resolvePostedVisit(request)
    await keyGuesses.check(request, pathRequest.path, isNotFound(visit))
    const site = visit?.access.refusal === undefined ? visit?.resolved.site : undefined
    const meaning = site && matchPath(site, visit!.pathRequest.path)
    if (meaning?.kind === 'beacon') {
      const { variant } = meaning.choice
      const content = await openContent(services, site!, variant)
      const assets = await assetAddresses()
      const eventContext = eventContextOf(request, visit!, variant)
      if (
        await receiveBeacon(
          request,
          reply,
          { action: meaning.what, path: meaning.path, content, eventContext },
          { services, now, assets },
        )
      )
        return
    }
    sendAnswer(request, reply, readyAnswer(await siteNotFound(), 'private'))
  }

  /** Returns the site, visitor and position that an event is counted for. */
  function eventContextOf(
    request: FastifyRequest,
    { resolved, identified }: SiteVisit,
    variant: Variant,
  ): EventContext {
    const { site, siteRows } = resolved
    const { ip, userAgent } = originOf(request)
    const { headers } = request.raw
    const { token, claims } = identified.visitor
    const country = countryHeader === undefined ? undefined : headers[countryHeader.toLowerCase()]
    const section = site.sections.find(({ variants }) => variants.some(({ id }) => id === variant.id))
    return {
      site: siteRows.row,
      visitor: {
        name: `${addressKey(ip)} ${userAgent}`,
        userAgent: userAgent ?? '',
        language: headers['accept-language'],
        country: [country].flat()[0],
        isAuthenticated: token === 'none' ? null : token === 'valid',
        claims,
      },
      location: {
        siteSpaceId: variant.id as SiteSpaceId,
        sectionId: (section?.id ?? null) as SiteSectionId | null,
        spaceId: variant.spaceId,
      },
    }
  }

  /** Counts a search. */
  function countSearch(request: FastifyRequest, visit: SiteVisit): void {
    const { pathRequest, resolved, access } = visit
    const query = pathRequest.query.get('q')?.trim() ?? ''
    if (query === '' || pathRequest.query.has('page') || access.refusal !== undefined) return
    const meaning = matchPath(resolved.site, pathRequest.path)
    if (meaning.kind !== 'search' && meaning.kind !== 'page') return
    if (resolved.site.siteId === undefined || !countsReader(request.raw, resolved.site)) return
    const { site, visitor, location } = eventContextOf(request, visit, meaning.choice.variant)
    services.visitorEvents.count(site, visitor, { ...location, type: 'search_type_query', detail: { query } })
  }

  /** Counts a read by a program on behalf of people, whatever its user agent. */
  function countMachineRead(
    request: FastifyRequest,
    visit: SiteVisit,
    { variant, ...event }: Pick<VisitorEvent, 'type' | 'context'> & { readonly variant: Variant },
  ): void {
    const { site } = visit.resolved
    const isRead = request.raw.method !== 'HEAD' && site.siteId !== undefined
    if (!isRead || !allowsCounting(request.raw, site)) return
    const counted = eventContextOf(request, visit, variant)
    services.visitorEvents.count(counted.site, counted.visitor, { ...counted.location, ...event })
  }

  const flushTimer = setInterval(() => {
    const logError = (error: unknown) => server.log.warn({ err: error }, 'Readers were not counted')
    services.visitorEvents.flush().catch(logError)
  }, flushInterval).unref()
  server.addHook('onClose', async () => {
    clearInterval(flushTimer)
    await services.visitorEvents.flush(true)
  })

  server.addHook('onRequest', (request, reply, done) => {
    if (!isBeacon(request.raw)) return done()
    answerBeacon(request, reply).catch(done)
  })

  // Requests to the product's own host cost one string comparison.
  server.addHook('onRequest', (request, reply, done) => {
    const { host } = request.raw.headers
    const { method = '' } = request.raw
    if (host === undefined || host === ownHost || (method !== 'GET' && method !== 'HEAD')) return done()
    if (/^\/(?:~octavo\/(?:assets|files)\/|favicon\.ico(?:\?|$))/.test(request.raw.url!)) return done()
    answerSiteHost(request, reply, host).then(
      (isAnswered) => (isAnswered ? undefined : done()),
      // Health checks use the IP address as host, also while the database is away.
      (error: Error) => (operatorPaths.has(request.raw.url!) ? done() : done(error)),
    )
  })
  return findAnswer
}

/** Returns the host name in a `Host` header, without its port. */
function hostnameOf(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '')
}

/** Redirects to the path as the site itself writes it. */
function redirectToCanonical({ resolved: { site }, pathRequest: { path, query } }: SiteVisit): ReadyAnswer {
  return readyAnswer(redirectTo(site.base + path.replace(/^\/+/, ''), true, query), 'private')
}

/** Returns the first part of a site's path on this server, whatever prefix a proxy removed before it. */
function pathPrefixOf({ siteRows: { organizationHostname, row } }: ResolvedSite): string {
  return `/@${organizationHostname}/${row.basename}/`
}

/** Returns the cache key of an answer: everything its bytes depend on; undefined when they depend on more, as search results do. */
function pageKeyOf(
  { site, fingerprint }: ResolvedSite,
  { path, wantsMarkdown }: SiteRequest,
): string | undefined {
  const meaning = matchPath(site, path)
  if (!isCacheableTarget(meaning)) return undefined
  const variants =
    meaning.kind === 'feed' ? variantsInFeed(site, meaning.feed) : variantsOnPage(site, meaning)
  const revisions = variants.map(({ revisionId }) => revisionId)
  return `${fingerprint} ${revisions.join(' ')} ${wantsMarkdown === true ? 'markdown ' : ''}${path}`
}

/** Returns the event of an answer for programs, as llms.txt and RSS, with its variant; undefined for all others. */
function machineEventOf(
  { resolved: { site }, pathRequest, access }: SiteVisit,
  { status, headers }: AnswerHead,
): { readonly type: EventType; readonly variant: Variant } | undefined {
  if (status !== 200 || access.refusal !== undefined) return undefined
  const meaning = matchPath(site, pathRequest.path)
  if (meaning.kind === 'feed') {
    const { feed } = meaning
    const isText = feed.name === 'llms.txt' || feed.name === 'llms-full.txt'
    return isText && feed.variant !== undefined ? { type: 'llms_request', variant: feed.variant } : undefined
  }
  const isRss = meaning.kind === 'page' && headers['content-type']!.startsWith('application/rss+xml')
  return isRss ? { type: 'rss_request', variant: meaning.choice.variant } : undefined
}

/** Paths whose answer depends only on the site, the content of its variants and the path. */
type CacheableTarget = Exclude<PathMatch, { kind: 'none' | 'visitor' | 'file' | 'specification' }>

/** Search results also depend on the index; the others are made faster than they are found in the cache. */
function isCacheableTarget(meaning: PathMatch): meaning is CacheableTarget {
  return !['search', 'mcp', 'beacon', 'none', 'visitor', 'file', 'specification'].includes(meaning.kind)
}

/** Returns the variants that a page depends on: it links to its translations and to itself in other variants. */
function variantsOnPage(
  site: PublishedSite,
  meaning: Exclude<CacheableTarget, { kind: 'feed' }>,
): readonly Variant[] {
  if (meaning.kind === 'stylesheet') return []
  const { variant } = meaning.choice
  if (meaning.kind !== 'page') return [variant]
  return [...new Set([variant, ...translationsOf(site, variant), ...variantsToSearch(site, variant)])]
}

/** Returns the variants whose content a feed lists. */
function variantsInFeed(site: PublishedSite, feed: Feed): readonly Variant[] {
  if (feed.name === 'sitemap-pages.xml') return [feed.variant]
  if (feed.name !== 'llms.txt' && feed.name !== 'llms-full.txt') return []
  return feed.variant === undefined ? [] : variantsInLanguageOf(site, feed.variant)
}

function pathRequestOf(
  request: FastifyRequest,
  { path, search }: Pick<SiteAddress, 'path' | 'search'>,
): SitePathRequest {
  const { signal, headers } = request
  return { path, query: new URLSearchParams(search), wantsMarkdown: prefersMarkdown(headers.accept), signal }
}

/** Programs that were made for GitBook use its name for the same paths. */
function canonicalPath(path: string): string {
  return path.replace(/^~gitbook\//, '~octavo/')
}

/** Whether the reader gets 404. */
function isNotFound(visit: SiteVisit | undefined): boolean {
  return visit === undefined || visit.access.refusal === 'absent'
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

/**
 * Answers of sites: not found, sign-in, redirects, files, and pages and feeds by way of the page cache. The visit is
 * resolved and authorized before.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../access/route/scope.js'
import { answerSite, redirectTo } from '../../site/answer.js'
import { type EncodedAnswer, encodeFor, encodedAnswerOf } from '../http/compression.js'
import { type ReadyAnswer, readyAnswer, sendAnswer } from '../http/send-answer.js'
import { assetAddresses } from './assets.js'
import type { KeyGuessLimiter } from './key-guess-limiter.js'
import type { SiteLocation } from './locate-site.js'
import { type CachedPage, type PageCache, createPageCache } from './page-cache.js'
import { pageKeyOf } from './page-key.js'
import { type ResolvedVisit, isNotFound, isUnchanged } from './resolve-visit.js'
import { type SiteEventCounter, machineEventOf } from './site-events.js'
import { createSiteFileSender } from './site-files.js'
import type { SiteResponses } from './site-responses.js'
import { findEarlyAnswer, siteNotFound } from './site-sign-in.js'

/** Answers a GET or HEAD request to a site; `visit` is undefined when there is no such site. */
export type AnswerVisit = (
  request: FastifyRequest,
  reply: FastifyReply,
  visit: ResolvedVisit | undefined,
  location: SiteLocation,
) => Promise<FastifyReply>

export interface AnswerOptions {
  readonly services: Services
  readonly keyGuesses: KeyGuessLimiter
  readonly events: SiteEventCounter
  readonly responses: SiteResponses
  readonly now: () => number
}

export function createVisitAnswers({
  services,
  keyGuesses,
  events,
  responses,
  now,
}: AnswerOptions): AnswerVisit {
  const pageCache = createPageCache(services.caches)
  const sendFile = createSiteFileSender(services, now)

  return async (request, reply, visit, { pathRequest, isCanonical }) => {
    // Paths in another case, with doubled slashes or without the trailing one redirect to the canonical path.
    if (visit !== undefined && !isNotFound(visit) && !(isCanonical(visit.resolved) && visit.isCompletePath))
      return sendAnswer(request, reply, redirectToCanonical(visit))
    await keyGuesses.check(request, pathRequest.path, isNotFound(visit))
    if (visit?.access.refusal === undefined && visit !== undefined && (await sendFile(request, reply, visit)))
      return reply
    const { encoded, page, cookies = [] } = await prepareAnswer(services, pageCache, visit)
    const { head } = encoded
    if (visit !== undefined && pathRequest.query.has('q') && head.status === 200)
      events.countSearch(request, visit)
    const machineEvent = visit && machineEventOf(visit, head)
    if (machineEvent !== undefined) events.countMachineRead(request, visit!, machineEvent)
    const answer = await encodeFor(encoded, request.raw.headers['accept-encoding'])
    page?.reweigh()
    const dependencies = visit?.dependencies
    // Answers that count an event are not cached: they must pass here each time.
    const isCacheable =
      pathRequest.query.size === 0 && pathRequest.wantsMarkdown !== true && machineEvent === undefined
    if (page !== undefined && dependencies !== undefined && isCacheable) {
      const expiresAt = visit?.identified.expires ?? Infinity
      responses.put(request.raw, { dependencies, answer: page.handle(answer), expiresAt })
    }
    if (cookies.length > 0) reply.header('set-cookie', cookies)
    if (head.status === 401) reply.header('www-authenticate', 'Bearer')
    return sendAnswer(request, reply, answer)
  }
}

/** The answer to a visit, and its entry in the page cache. */
interface PreparedAnswer {
  readonly encoded: EncodedAnswer
  readonly page?: CachedPage | undefined
  readonly cookies?: readonly string[]
}

/** Returns the page from the cache, or renders and caches it. */
async function prepareAnswer(
  services: Services,
  pageCache: PageCache,
  visit: ResolvedVisit | undefined,
): Promise<PreparedAnswer> {
  if (visit === undefined)
    return { encoded: encodedAnswerOf(readyAnswer(await siteNotFound(), 'private', 'compressed')) }
  const early = await findEarlyAnswer(visit, visit.pathRequest)
  if (early !== undefined) {
    // A redirect depends on the visitor's token and claims.
    const cacheability = early.answer.location === undefined ? 'private' : 'none'
    const ready = readyAnswer(early.answer, cacheability, 'compressed')
    return { encoded: encodedAnswerOf(ready), cookies: early.cookies ?? [] }
  }
  const { resolved, isPersonalized, access, identified, pathRequest } = visit
  const { site } = resolved
  const key = pageKeyOf(resolved, pathRequest)
  const cached = key === undefined ? undefined : pageCache.find(key, site.claimReader)
  if (cached !== undefined) return { encoded: cached.encoded, page: cached }
  const siteRequest = { ...pathRequest, visitor: identified.visitor }
  const rendered = await answerSite(services, site, siteRequest, await assetAddresses())
  if (rendered.needsAccessRecheck === true) {
    // Rendering may have waited in a queue: the site and the access are checked again.
    const reloaded = await visit.reload()
    if (!isUnchanged(visit, reloaded)) return prepareAnswer(services, pageCache, reloaded)
  }
  // Visitors with other claims may see another page at the same URL.
  const isSameForAll = !isPersonalized && site.claimReader.answers.length === 0
  const isPublic = access.refusal === undefined && access.by === 'all' && isSameForAll
  const ready = readyAnswer(rendered, isPublic ? 'public' : 'private', 'compressed')
  // Paths without a page are unlimited: caching them would evict the pages.
  const isCacheable = rendered.status === 200 && rendered.isFinal !== false
  const page = key === undefined || !isCacheable ? undefined : pageCache.put(key, site.claimReader, ready)
  return { encoded: page?.encoded ?? encodedAnswerOf(ready), page }
}

/** Redirects to the path as the site itself writes it. */
function redirectToCanonical({
  resolved: { site },
  pathRequest: { path, query },
}: ResolvedVisit): ReadyAnswer {
  return readyAnswer(redirectTo(site.base + path.replace(/^\/+/, ''), true, query), 'private')
}

/**
 * Response cache of sites, by URL and credentials: finds the answer to an equal request before routing. It stores no
 * bytes, only a handle to the page in the page cache and the cached reads by which the URL led to it; the response is
 * valid while all of them are current.
 */
import type { IncomingMessage } from 'node:http'
import { prefersMarkdown } from '../../access/http/accept.js'
import { visitorHeaders } from '../../core/visitor/identify-visitor.js'
import type { CacheHandle, CachedRead, Caches } from '../../store/cache/caches.js'
import { cacheKind } from '../../store/cache/kinds.js'
import { encodingFor } from '../../access/http/content-encoding.js'
import type { FindCachedResponse } from '../http/response-cache.js'
import { type ReadyAnswer, writeAnswer } from '../http/send-answer.js'

/** An answer to a URL in the requested encoding, and the cached reads that it depends on. */
interface CachedAnswer {
  readonly dependencies: readonly CachedRead[]
  readonly answer: CacheHandle<ReadyAnswer>
  /** When the visitor's token expires, in milliseconds since 1970. */
  readonly expiresAt: number
}

const answerKind = cacheKind<CachedAnswer>('answer to readers', () => 500)

export interface SiteResponses {
  readonly find: FindCachedResponse
  readonly put: (request: IncomingMessage, answer: CachedAnswer) => void
}

export function createSiteResponses(caches: Caches, ownHost: string, now: () => number): SiteResponses {
  /** Returns the cache key of a request: encoding, host, URL, and the visitor's credentials and claims. */
  function keyOf({ url, headers }: IncomingMessage): string {
    const host = headers.host === ownHost ? '' : headers.host
    const credentials = visitorHeaders(headers.authorization, headers.cookie)
    return `${encodingFor(headers['accept-encoding']) ?? ''} ${host}${url} ${credentials}`
  }

  return {
    find(request) {
      const { method, url, headers } = request
      if ((method !== 'GET' && method !== 'HEAD') || prefersMarkdown(headers.accept)) return undefined
      if (headers.host === ownHost && !url!.startsWith('/@')) return undefined
      const cached = caches.find(answerKind, keyOf(request))
      if (cached === undefined || cached.expiresAt <= now()) return undefined
      return {
        dependencies: cached.dependencies,
        send(received, response) {
          const answer = cached.answer()
          return answer && writeAnswer(received, response, answer)
        },
      }
    },
    put: (request, answer) => void caches.put(answerKind, keyOf(request), answer),
  }
}

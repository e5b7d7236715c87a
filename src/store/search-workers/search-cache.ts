/**
 * Cache of search results with dependency tracking: the same queries are repeated, by readers who type and by programs that
 * search for each page. Concurrent identical queries share one search.
 */
import { createHash } from 'node:crypto'
import { type Caches, readContextAt } from '../cache/caches.js'
import { rowCacheKind } from '../cache/kinds.js'
import type { Database } from '../db/database.js'
import { type CacheTag, indexTag } from '../db/commit-tags.js'
import { type SerializedQuery, serializeQuery } from './serialize-query.js'
import type { SearchResult } from './execute-search.js'
import type { SearchService } from './search-service.js'

interface CachedSearchResult {
  readonly result: SearchResult
  readonly tags: readonly CacheTag[]
}

const answerKind = rowCacheKind<CachedSearchResult>(
  'search result',
  ({ tags }) => tags,
  ({ result }) => 2 * JSON.stringify(result).length,
)

/** Returns a search service that caches results. */
export function withSearchCache(
  service: SearchService,
  { database, caches }: { readonly database: Pick<Database, 'dataVersion'>; readonly caches: Caches },
): SearchService {
  return {
    ...service,
    async find(query, signal, since) {
      const serialized = serializeQuery(query)
      const context = readContextAt(since ?? (await database.dataVersion()))
      let isOwn = false
      const load = async (): Promise<CachedSearchResult> => {
        isOwn = true
        return { result: await service.find(query, signal), tags: tagsOf(serialized) }
      }
      try {
        return (await caches.readThrough(context, answerKind, cacheKeyOf(serialized), load))!.result
      } catch (error) {
        if (isOwn) throw error
        // The search of another caller failed, which may have been aborted.
        return service.find(query, signal)
      }
    },
  }
}

/** The cache key of a query, as a hash, because it may list thousands of spaces. */
function cacheKeyOf(serialized: SerializedQuery): string {
  return createHash('sha256').update(JSON.stringify(serialized)).digest('base64url')
}

function tagsOf({ scope }: SerializedQuery): readonly CacheTag[] {
  const { organizationId } = scope
  const own = [organizationId, indexTag(organizationId)]
  return 'rule' in scope ? [...own, 'people'] : own
}

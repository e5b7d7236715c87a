/**
 * Answers of searches, kept until something that they follow from is committed: the same words are asked for again and
 * again, by readers who type and by programs that search for each page. Who asks the same meanwhile shares the search.
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
  readonly answer: SearchResult
  readonly concerns: readonly CacheTag[]
}

const answerKind = rowCacheKind<CachedSearchResult>(
  'answer of a search',
  ({ concerns }) => concerns,
  ({ answer }) => 2 * JSON.stringify(answer).length,
)

/** Returns searching that asks only what is not kept. */
export function withSearchCache(
  searching: SearchService,
  { database, caches }: { readonly database: Pick<Database, 'dataVersion'>; readonly caches: Caches },
): SearchService {
  return {
    ...searching,
    async find(question, signal, since) {
      const packed = serializeQuery(question)
      const look = readContextAt(since ?? (await database.dataVersion()))
      let isOwn = false
      const load = async (): Promise<CachedSearchResult> => {
        isOwn = true
        return { answer: await searching.find(question, signal), concerns: tagsOf(packed) }
      }
      try {
        return (await caches.readThrough(look, answerKind, nameOf(packed), load))!.answer
      } catch (error) {
        if (isOwn) throw error
        // It was the search of somebody else, who may have left.
        return searching.find(question, signal)
      }
    },
  }
}

/** The name of all that an answer depends on beside what is committed: spaces may be thousands. */
function nameOf(packed: SerializedQuery): string {
  return createHash('sha256').update(JSON.stringify(packed)).digest('base64url')
}

function tagsOf({ scope }: SerializedQuery): readonly CacheTag[] {
  const { organizationId } = scope
  const own = [organizationId, indexTag(organizationId)]
  return 'rule' in scope ? [...own, 'people'] : own
}

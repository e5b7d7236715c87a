/**
 * Cache of rendered pages, in the encodings that readers requested, by a key of everything that a page is made from.
 *
 * A page that depends on claims of the visitor is cached with the claims that were read: visitors with the same values
 * get the same bytes, whatever their other claims. A few variants of each page are cached, so that a visitor who sends
 * thousands of different claims evicts no other pages.
 */
import { type ClaimAnswer, type ClaimReader, haveSameAnswers } from '../../core/conditions/claim-reader.js'
import type { Caches, CacheHandle } from '../../store/cache/caches.js'
import { type CacheKind, cacheKind } from '../../store/cache/kinds.js'
import { type EncodedAnswer, encodedAnswerOf, weightOfEncoded } from '../http/compression.js'
import type { ReadyAnswer } from '../http/send-answer.js'

/** Bytes that a claim read takes. */
const claimReadBytes = 500
/** Cached variants of one page, their bytes together, and the claims that a cached variant may have read. */
const [maxVariants, maxBytes, maxClaimReads] = [16, 2_000_000, 500]

/** An answer for the visitors with the same values of these claims. */
interface PersonalizedPage {
  readonly claimReads: readonly ClaimAnswer[]
  readonly encoded: EncodedAnswer
}

const commonKind = cacheKind<EncodedAnswer>('rendered page', weightOfEncoded)
const personalizedKind = cacheKind<readonly PersonalizedPage[]>('pages for visitors', (all) =>
  all.reduce((sum, one) => sum + weightOf(one), 0),
)

function weightOf({ encoded, claimReads }: PersonalizedPage): number {
  return weightOfEncoded(encoded) + claimReads.length * claimReadBytes
}

export interface CachedPage {
  readonly encoded: EncodedAnswer
  /** To be called after an encoding was added. */
  reweigh(): void
  /** Returns a handle to one of the encodings, valid while the page is cached. */
  handle(answer: ReadyAnswer): CacheHandle<ReadyAnswer>
}

export interface PageCache {
  /** Returns the page for all visitors, or the one for visitors with the same values of the claims that it read. */
  find(key: string, claims: ClaimReader): CachedPage | undefined
  /** Caches and returns the page; undefined when it would take too much memory. */
  put(key: string, claims: ClaimReader, answer: ReadyAnswer): CachedPage | undefined
}

export function createPageCache(caches: Pick<Caches, 'find' | 'put' | 'handle' | 'reweigh'>): PageCache {
  function findCommon(key: string): CachedPage | undefined {
    const encoded = caches.find(commonKind, key)
    return encoded && toCachedPage(commonKind, key, { encoded, value: encoded })
  }
  function findPersonalized(
    key: string,
    matches: (page: PersonalizedPage) => boolean,
  ): CachedPage | undefined {
    const value = caches.find(personalizedKind, key)
    const encoded = value?.find(matches)?.encoded
    return encoded && toCachedPage(personalizedKind, key, { encoded, value: value! })
  }
  function toCachedPage<Value>(
    kind: CacheKind<Value>,
    key: string,
    { encoded, value }: { readonly encoded: EncodedAnswer; readonly value: Value },
  ): CachedPage {
    return {
      encoded,
      reweigh: () => caches.reweigh(kind, key, value),
      handle: (answer) => caches.handle(kind, key, answer),
    }
  }

  return {
    find(key, { claims, isAnonymous }) {
      const found = findCommon(key)
      if (found !== undefined) return found
      return isAnonymous
        ? findCommon(anonymousKey(key))
        : findPersonalized(key, ({ claimReads }) => haveSameAnswers(claimReads, claims))
    },
    put(key, { answers, isAnonymous }, answer) {
      const encoded = encodedAnswerOf(answer)
      if (answers.length === 0 || isAnonymous) {
        const name = answers.length === 0 ? key : anonymousKey(key)
        caches.put(commonKind, name, encoded)
        return toCachedPage(commonKind, name, { encoded, value: encoded })
      }
      const personalized: PersonalizedPage = { claimReads: answers, encoded }
      if (answers.length > maxClaimReads || weightOf(personalized) > maxBytes) return undefined
      const pages = [personalized]
      let bytes = weightOf(personalized)
      for (const page of (caches.find(personalizedKind, key) ?? []).slice(0, maxVariants - 1)) {
        bytes += weightOf(page)
        if (bytes > maxBytes) break
        pages.push(page)
      }
      caches.put(personalizedKind, key, pages)
      return toCachedPage(personalizedKind, key, { encoded, value: pages })
    },
  }
}

/** The key of the page for visitors without claims. */
function anonymousKey(key: string): string {
  return `${key} anonymous`
}

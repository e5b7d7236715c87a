/**
 * Cache of rendered Markdown, of which `llms-full.txt` of a static export is made: rendering each page once more would
 * take longer than everything else that is written at the end.
 */
import type { Services } from '../../access/route/scope.js'
import { readFullText } from '../../site/feeds/llms-full.js'
import { matchPath } from '../../site/routing/match-path.js'
import { type FetchableSite, type ExportedResponse, textOf } from './fetch-internal.js'
import { createAddressParser } from './site-addresses.js'

/** Bytes of cached Markdown; the rest of a larger site is rendered again. */
const maxCachedBytes = 64_000_000

export interface MarkdownCache {
  /** Caches the Markdown of a page under its address. */
  add(href: string, response: ExportedResponse): void
  /** Builds a part of `llms-full.txt` from the cache; requests everything else from the site. */
  readonly fetchPath: FetchableSite['fetchPath']
}

export function createMarkdownCache(services: Services, { site, fetchPath }: FetchableSite): MarkdownCache {
  const parse = createAddressParser(site, services.addresses.base)
  const cached = new Map<string, ExportedResponse>()
  let bytes = 0
  const cachedMarkdown = (href: string): string | undefined => {
    const response = cached.get(parse(href).address?.href ?? '')
    return response && textOf(response)
  }
  return {
    add(href, response) {
      if (response.status !== 200 || bytes + response.body.length > maxCachedBytes) return
      bytes += response.body.length
      cached.set(href, response)
    },
    async fetchPath(href) {
      const { address } = parse(href)
      const match = address?.path.includes('llms-full.txt') ? matchPath(site, address.path) : undefined
      if (match?.kind !== 'feed' || match.feed.name !== 'llms-full.txt') return fetchPath(href)
      const { variant, part } = match.feed
      const { signal } = new AbortController()
      const fullText = await readFullText(services, site, { variant, part, signal, known: cachedMarkdown })
      if (fullText === undefined || fullText === 'busy') return fetchPath(href)
      const contentType = 'text/markdown; charset=utf-8'
      return { status: 200, contentType, body: fullText.text }
    },
  }
}

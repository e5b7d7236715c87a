/**
 * Cache keys of rendered pages: everything that the bytes of an answer depend on, so that an edit changes the key and an
 * unrelated write does not.
 */
import type { ResolvedSite } from '../../site/routing/find-site.js'
import { translationsOf, variantsInLanguageOf, variantsToSearch } from '../../site/routing/languages.js'
import { type Feed, type PathMatch, matchPath } from '../../site/routing/match-path.js'
import type { PublishedSite, Variant } from '../../site/routing/site.js'
import type { SitePathRequest } from './locate-site.js'

/** Returns the key; undefined when the bytes depend on more, as search results do. */
export function pageKeyOf(
  { site, fingerprint }: ResolvedSite,
  { path, query, wantsMarkdown }: SitePathRequest,
): string | undefined {
  if (query.has('q')) return undefined
  const match = matchPath(site, path)
  if (!isCacheableMatch(match)) return undefined
  const variants = match.kind === 'feed' ? variantsInFeed(site, match.feed) : variantsOnPage(site, match)
  const revisions = variants.map(({ revisionId }) => revisionId)
  return `${fingerprint} ${revisions.join(' ')} ${wantsMarkdown === true ? 'markdown ' : ''}${path}`
}

/** Paths whose answer depends only on the site, the content of its variants and the path. */
type CacheableMatch = Exclude<PathMatch, { kind: 'none' | 'visitor' | 'file' | 'specification' }>

/** Search results also depend on the index; the others are made faster than they are found in the cache. */
function isCacheableMatch(match: PathMatch): match is CacheableMatch {
  return !['search', 'mcp', 'beacon', 'none', 'visitor', 'file', 'specification'].includes(match.kind)
}

/** Returns the variants that a page depends on: it links to its translations and to itself in other variants. */
function variantsOnPage(
  site: PublishedSite,
  match: Exclude<CacheableMatch, { kind: 'feed' }>,
): readonly Variant[] {
  if (match.kind === 'stylesheet') return []
  const { variant } = match.choice
  if (match.kind !== 'page') return [variant]
  return [...new Set([variant, ...translationsOf(site, variant), ...variantsToSearch(site, variant)])]
}

/** Returns the variants whose content a feed lists. */
function variantsInFeed(site: PublishedSite, feed: Feed): readonly Variant[] {
  if (feed.name === 'sitemap-pages.xml') return [feed.variant]
  if (feed.name !== 'llms.txt' && feed.name !== 'llms-full.txt') return []
  return feed.variant === undefined ? [] : variantsInLanguageOf(site, feed.variant)
}

/**
 * What a path below a site's base means: something that stands beside the pages, or a path inside one of the
 * variants. It is decided here alone, for whoever answers and for whoever keeps what was answered.
 */
import { decodePercent } from '../../core/links/resolve.js'
import { belowBase, branchPath, textPath } from './linker.js'
import type { ShownSite, Variant } from './site.js'

export interface Choice {
  readonly variant: Variant
  /** What is left of the path, still encoded. */
  readonly rest: string
  /** True when the default variant was named by its own path, which leads to the root now. */
  readonly isNamedDefault: boolean
}

/** What stands at the root of a site, beside its pages. */
export type Feed = 'robots.txt' | 'sitemap.xml' | 'llms.txt' | '~octavo/theme.css'

/** A text that is no page, by its path in the space, and the token of whoever was offered it. */
export interface OfferedText {
  readonly path: string
  readonly token: string
}

export type Meaning =
  | { readonly kind: 'feed'; readonly feed: Feed }
  | { readonly kind: 'page' | 'search'; readonly choice: Choice }
  | { readonly kind: 'branch'; readonly choice: Choice; readonly path: string }
  | { readonly kind: 'text'; readonly choice: Choice; readonly offered: OfferedText }
  /** A path inside a variant, written otherwise than it is. */
  | { readonly kind: 'variant'; readonly choice: Choice }
  /** The site shows nothing. */
  | { readonly kind: 'nothing' }

const feeds: ReadonlySet<string> = new Set<Feed>([
  'robots.txt',
  'sitemap.xml',
  'llms.txt',
  '~octavo/theme.css',
])

/** Returns what a path (percent-encoded, without leading slash) means on the site. */
export function meaningOf(site: ShownSite, path: string): Meaning {
  if (feeds.has(path)) return { kind: 'feed', feed: path as Feed }
  const choice = chooseVariant(site, path)
  if (choice === undefined) return { kind: 'nothing' }
  if (!path.startsWith(belowBase(choice.variant))) return { kind: 'variant', choice }
  if (choice.rest === '~octavo/search') return { kind: 'search', choice }
  if (choice.rest.startsWith(textPath)) {
    const [token = '', ...path] = choice.rest.slice(textPath.length).split('/')
    return { kind: 'text', choice, offered: { token, path: decodePercent(path.join('/')) } }
  }
  if (!choice.rest.startsWith(branchPath)) return { kind: 'page', choice }
  return { kind: 'branch', choice, path: decodePercent(choice.rest.slice(branchPath.length)) }
}

function chooseVariant(site: ShownSite, path: string): Choice | undefined {
  const trimmed = path.replace(/^\/+/, '')
  const slash = trimmed.indexOf('/')
  const head = decodePercent(slash < 0 ? trimmed : trimmed.slice(0, slash)).toLowerCase()
  const named = site.variants.find((variant) => variant.path === head)
  if (named !== undefined && !named.isDefault) {
    return { variant: named, rest: slash < 0 ? '' : trimmed.slice(slash + 1), isNamedDefault: false }
  }
  const variant = site.variants.find(({ isDefault }) => isDefault)
  return variant && { variant, rest: path, isNamedDefault: named !== undefined }
}

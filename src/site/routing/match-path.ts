/**
 * Route matching: what a path below a site's base names, a resource beside the pages or a path inside a variant. The
 * only place that decides it, for responses and for their caches; documented as a table in docs/guide/publishing.md.
 */
import type { FileId } from '../../core/ids.js'
import { decodePercent } from '../../core/links/resolve.js'
import { filePath } from './address.js'
import { type BeaconKind, belowBase, branchPath, picturePath, specificationPath, textPath } from './linker.js'
import type { Section, PublishedSite, Variant } from './site.js'

export interface VariantChoice {
  readonly variant: Variant
  /** The rest of the path, percent-encoded. */
  readonly rest: string
  /**
   * The rest without the name of a default section or variant, which is no part of addresses: tried in turn where there
   * is no page at the path itself.
   */
  readonly alternatives: readonly string[]
}

/** Files for programs, at the root of a site or of each of its variants. */
export type Feed =
  | { readonly name: 'robots.txt' | 'sitemap.xml' | '~octavo/theme.css' }
  /** Of one variant. */
  | { readonly name: 'sitemap-pages.xml'; readonly variant: Variant }
  /** Of the variants in the language of the one at whose root it is requested. */
  | { readonly name: 'llms.txt'; readonly variant: Variant | undefined }
  /** A part of it, counted from 1. */
  | { readonly name: 'llms-full.txt'; readonly variant: Variant; readonly part: number }

/** A text that is no page, by its path in the space, and the token of the link to it. */
export interface TextDownload {
  readonly path: string
  readonly token: string
}

/** A specification of the organization, by its slug, and the token of the link to it. */
export interface SpecificationDownload {
  readonly slug: string
  readonly token: string
}

export type PathMatch =
  | { readonly kind: 'feed'; readonly feed: Feed }
  /** The style sheet with this content hash, of the site or of one of its variants. */
  | { readonly kind: 'stylesheet'; readonly hash: string }
  | { readonly kind: 'page' | 'search'; readonly choice: VariantChoice }
  /** The MCP endpoint, where the site has it enabled, and the site icon. */
  | { readonly kind: 'mcp' | 'icon'; readonly choice: VariantChoice }
  | { readonly kind: 'picture'; readonly choice: VariantChoice; readonly pageId: string }
  | { readonly kind: 'branch'; readonly choice: VariantChoice; readonly path: string }
  /** Where readers report something of the page at a path. */
  | {
      readonly kind: 'beacon'
      readonly choice: VariantChoice
      readonly path: string
      readonly what: BeaconKind
    }
  | { readonly kind: 'text'; readonly choice: VariantChoice; readonly download: TextDownload }
  | {
      readonly kind: 'specification'
      readonly choice: VariantChoice
      readonly download: SpecificationDownload
    }
  /** A path inside a variant, in a spelling that is not canonical. */
  | { readonly kind: 'variant'; readonly choice: VariantChoice }
  /** A file of a space of the site. */
  | { readonly kind: 'file'; readonly variant: Variant; readonly fileId: FileId }
  /** The visitor's own claims. */
  | { readonly kind: 'visitor' }
  /** Not found: also every path of a site without spaces. */
  | { readonly kind: 'none' }

const rootFeeds: ReadonlySet<string> = new Set(['robots.txt', 'sitemap.xml', '~octavo/theme.css'])

/** Alternative addresses at the root of a site, where programs look for them. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['sitemap.md', 'llms.txt'],
  ['.well-known/sitemap.md', 'llms.txt'],
])
/** Paths below this prefix are for programs, and are no pages. */
const ownPrefix = '~octavo/'
/** The prefix of another product, for its clients. */
const formerPrefix = '~gitbook/'

/** Matches a path (percent-encoded, without leading slash) on the site. */
export function matchPath(site: PublishedSite, written: string): PathMatch {
  const path = aliases.get(written) ?? written
  if (rootFeeds.has(path)) return { kind: 'feed', feed: { name: path as 'robots.txt' } }
  if (path === '~octavo/visitor') return { kind: 'visitor' }
  if (path.startsWith(filePath)) return matchFile(site, path.slice(filePath.length))
  const [, hash] = /^~octavo\/theme-([0-9a-f]{16})\.css$/.exec(path) ?? []
  if (hash !== undefined) return { kind: 'stylesheet', hash }
  const choice = chooseVariant(site, path)
  if (choice === undefined && path === 'llms.txt')
    return { kind: 'feed', feed: { name: path, variant: undefined } }
  if (choice === undefined) return { kind: 'none' }
  if (!isBelowBase(choice.variant, path)) return { kind: 'variant', choice }
  return matchInVariant({ ...choice, rest: withOwnPrefix(choice.rest) })
}

/**
 * True when a path (percent-encoded, below the base) begins with the path of the variant as the site writes it. The root
 * of a section or variant is the same without its slash: some programs drop it, and a redirect would not end for them.
 */
export function isBelowBase(variant: Variant, path: string): boolean {
  const base = belowBase(variant)
  return path.startsWith(base) || `${path}/` === base
}

function withOwnPrefix(path: string): string {
  return path.startsWith(formerPrefix) ? ownPrefix + path.slice(formerPrefix.length) : path
}

function matchInVariant(choice: VariantChoice): PathMatch {
  const feed = matchFeed(choice)
  if (feed !== undefined) return { kind: 'feed', feed }
  if (choice.rest === '~octavo/search') return { kind: 'search', choice }
  if (choice.rest === '~octavo/mcp') return { kind: 'mcp', choice }
  if (choice.rest === '~octavo/icon') return { kind: 'icon', choice }
  if (choice.rest.startsWith(picturePath))
    return { kind: 'picture', choice, pageId: choice.rest.slice(picturePath.length) }
  if (choice.rest.startsWith(textPath)) {
    const [token = '', ...path] = choice.rest.slice(textPath.length).split('/')
    return { kind: 'text', choice, download: { token, path: decodePercent(path.join('/')) } }
  }
  if (choice.rest.startsWith(specificationPath)) {
    const [, token, slug] =
      /^([\w-]+)\/([a-z\d-]+)\.json$/.exec(choice.rest.slice(specificationPath.length)) ?? []
    return slug === undefined
      ? { kind: 'none' }
      : { kind: 'specification', choice, download: { token: token!, slug } }
  }
  const [, what, path] = /^~octavo\/(feedback|view)\/(.*)$/.exec(choice.rest) ?? []
  if (what !== undefined)
    return { kind: 'beacon', choice, what: what as BeaconKind, path: decodePercent(path!) }
  if (!choice.rest.startsWith(branchPath)) return { kind: 'page', choice }
  return { kind: 'branch', choice, path: decodePercent(choice.rest.slice(branchPath.length)) }
}

function matchFeed({ variant, rest }: VariantChoice): Feed | undefined {
  if (rest === 'sitemap-pages.xml' || rest === 'llms.txt') return { name: rest, variant }
  const [, part = '1'] = /^llms-full\.txt(?:\/([1-9]\d{0,5}))?$/.exec(rest) ?? [undefined, '']
  return part === '' ? undefined : { name: 'llms-full.txt', variant, part: Number(part) }
}

function matchFile({ hasOwnFiles, variants }: PublishedSite, path: string): PathMatch {
  const [spaceId, fileId, ...name] = path.split('/').map(decodePercent)
  const variant = variants.find((one) => one.spaceId === spaceId)
  if (!hasOwnFiles || variant === undefined || fileId === undefined || name.length !== 1)
    return { kind: 'none' }
  return { kind: 'file', variant, fileId: fileId as FileId }
}

/** Returns the variant of a path, and the rest of the path; undefined where the site has no spaces. */
export function chooseVariant({ sections }: PublishedSite, path: string): VariantChoice | undefined {
  const root = sections.find(({ isDefault }) => isDefault)
  if (root === undefined) return undefined
  if (root.path === undefined) return chooseInside(root, path)
  const { name, below } = splitName(path)
  const named = sections.find((section) => section.path === name)
  if (named === undefined) return { variant: defaultOf(root), rest: path, alternatives: [] }
  const choice = chooseInside(named, below)
  if (named !== root || !choice.variant.isDefault) return choice
  return { variant: choice.variant, rest: path, alternatives: [below, ...choice.alternatives] }
}

/** Chooses among the variants of a section by the path below it. */
function chooseInside(section: Section, path: string): VariantChoice {
  const { name, below } = splitName(path)
  const named = section.variants.find((variant) => variant.path === name)
  if (named !== undefined && !named.isDefault) return { variant: named, rest: below, alternatives: [] }
  return { variant: defaultOf(section), rest: path, alternatives: named === undefined ? [] : [below] }
}

function defaultOf({ variants }: Section): Variant {
  return variants.find(({ isDefault }) => isDefault)!
}

/** The first part of a path, decoded and in lower case as names are stored, and the rest. */
function splitName(path: string): { readonly name: string; readonly below: string } {
  const trimmed = path.replace(/^\/+/, '')
  const slash = trimmed.indexOf('/')
  const name = decodePercent(slash < 0 ? trimmed : trimmed.slice(0, slash)).toLowerCase()
  return { name, below: slash < 0 ? '' : trimmed.slice(slash + 1) }
}

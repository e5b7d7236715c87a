/**
 * What a path below a site's base means: something that stands beside the pages, or a path inside one of the
 * variants. It is decided here alone, for whoever answers and for whoever keeps what was answered; as a table it
 * stands in docs/guide/publishing.md.
 */
import type { FileId } from '../../core/ids.js'
import { decodePercent } from '../../core/links/resolve.js'
import { filePath } from './address.js'
import { type Told, belowBase, branchPath, picturePath, specificationPath, textPath } from './linker.js'
import type { Section, ShownSite, Variant } from './site.js'

export interface Choice {
  readonly variant: Variant
  /** What is left of the path, still encoded. */
  readonly rest: string
  /**
   * The same without the names of a default section or variant, which have no part in addresses: where there is no
   * page at the path itself, one of these is meant.
   */
  readonly otherwise: readonly string[]
}

/** What stands beside the pages: at the root of a site, or of each of its variants. */
export type Feed =
  | { readonly name: 'robots.txt' | 'sitemap.xml' | '~octavo/theme.css' }
  /** Of one variant. */
  | { readonly name: 'sitemap-pages.xml'; readonly variant: Variant }
  /** Of the variants that speak the language of the one at whose root it is asked for. */
  | { readonly name: 'llms.txt'; readonly variant: Variant | undefined }
  /** A part of it, counted from 1. */
  | { readonly name: 'llms-full.txt'; readonly variant: Variant; readonly part: number }

/** A text that is no page, by its path in the space, and the token of whoever was offered it. */
export interface OfferedText {
  readonly path: string
  readonly token: string
}

/** A specification of the organization, by its slug, and the token of whoever was offered it. */
export interface OfferedSpecification {
  readonly slug: string
  readonly token: string
}

export type Meaning =
  | { readonly kind: 'feed'; readonly feed: Feed }
  /** The style sheet of that name, of the site or of one of its variants. */
  | { readonly kind: 'sheet'; readonly hash: string }
  | { readonly kind: 'page' | 'search'; readonly choice: Choice }
  /** Where language models ask, as long as the site offers them that. */
  | { readonly kind: 'mcp' | 'sign'; readonly choice: Choice }
  | { readonly kind: 'picture'; readonly choice: Choice; readonly pageId: string }
  | { readonly kind: 'branch'; readonly choice: Choice; readonly path: string }
  /** Where readers tell something of the page at a path. */
  | { readonly kind: 'told'; readonly choice: Choice; readonly path: string; readonly what: Told }
  | { readonly kind: 'text'; readonly choice: Choice; readonly offered: OfferedText }
  | { readonly kind: 'specification'; readonly choice: Choice; readonly offered: OfferedSpecification }
  /** A path inside a variant, written otherwise than it is. */
  | { readonly kind: 'variant'; readonly choice: Choice }
  /** A file of a space that it shows. */
  | { readonly kind: 'file'; readonly variant: Variant; readonly fileId: FileId }
  /** What the site was told of whoever asks. */
  | { readonly kind: 'visitor' }
  /** The site shows nothing. */
  | { readonly kind: 'nothing' }

const rootFeeds: ReadonlySet<string> = new Set(['robots.txt', 'sitemap.xml', '~octavo/theme.css'])

/** Other addresses of the same at the root of a site, where programs look for it. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['sitemap.md', 'llms.txt'],
  ['.well-known/sitemap.md', 'llms.txt'],
])
/** What stands below this name is for programs, and is no page. */
const ownPrefix = '~octavo/'
/** Under this name sites of another product answer programs. */
const formerPrefix = '~gitbook/'

/** Returns what a path (percent-encoded, without leading slash) means on the site. */
export function meaningOf(site: ShownSite, written: string): Meaning {
  const path = aliases.get(written) ?? written
  if (rootFeeds.has(path)) return { kind: 'feed', feed: { name: path as 'robots.txt' } }
  if (path === '~octavo/visitor') return { kind: 'visitor' }
  if (path.startsWith(filePath)) return meaningOfFile(site, path.slice(filePath.length))
  const [, hash] = /^~octavo\/theme-([0-9a-f]{16})\.css$/.exec(path) ?? []
  if (hash !== undefined) return { kind: 'sheet', hash }
  const choice = chooseVariant(site, path)
  if (choice === undefined && path === 'llms.txt')
    return { kind: 'feed', feed: { name: path, variant: undefined } }
  if (choice === undefined) return { kind: 'nothing' }
  if (!path.startsWith(belowBase(choice.variant))) return { kind: 'variant', choice }
  return inVariant({ ...choice, rest: withOwnPrefix(choice.rest) })
}

function withOwnPrefix(path: string): string {
  return path.startsWith(formerPrefix) ? ownPrefix + path.slice(formerPrefix.length) : path
}

function inVariant(choice: Choice): Meaning {
  const feed = feedOf(choice)
  if (feed !== undefined) return { kind: 'feed', feed }
  if (choice.rest === '~octavo/search') return { kind: 'search', choice }
  if (choice.rest === '~octavo/mcp') return { kind: 'mcp', choice }
  if (choice.rest === '~octavo/icon') return { kind: 'sign', choice }
  if (choice.rest.startsWith(picturePath))
    return { kind: 'picture', choice, pageId: choice.rest.slice(picturePath.length) }
  if (choice.rest.startsWith(textPath)) {
    const [token = '', ...path] = choice.rest.slice(textPath.length).split('/')
    return { kind: 'text', choice, offered: { token, path: decodePercent(path.join('/')) } }
  }
  if (choice.rest.startsWith(specificationPath)) {
    const [, token, slug] =
      /^([\w-]+)\/([a-z\d-]+)\.json$/.exec(choice.rest.slice(specificationPath.length)) ?? []
    return slug === undefined
      ? { kind: 'nothing' }
      : { kind: 'specification', choice, offered: { token: token!, slug } }
  }
  const [, what, path] = /^~octavo\/(feedback|view)\/(.*)$/.exec(choice.rest) ?? []
  if (what !== undefined) return { kind: 'told', choice, what: what as Told, path: decodePercent(path!) }
  if (!choice.rest.startsWith(branchPath)) return { kind: 'page', choice }
  return { kind: 'branch', choice, path: decodePercent(choice.rest.slice(branchPath.length)) }
}

function feedOf({ variant, rest }: Choice): Feed | undefined {
  if (rest === 'sitemap-pages.xml' || rest === 'llms.txt') return { name: rest, variant }
  const [, part = '1'] = /^llms-full\.txt(?:\/([1-9]\d{0,5}))?$/.exec(rest) ?? [undefined, '']
  return part === '' ? undefined : { name: 'llms-full.txt', variant, part: Number(part) }
}

function meaningOfFile({ hasOwnFiles, variants }: ShownSite, path: string): Meaning {
  const [spaceId, fileId, ...name] = path.split('/').map(decodePercent)
  const variant = variants.find((one) => one.spaceId === spaceId)
  if (!hasOwnFiles || variant === undefined || fileId === undefined || name.length !== 1)
    return { kind: 'nothing' }
  return { kind: 'file', variant, fileId: fileId as FileId }
}

/** Returns the variant that a path leads into, and what is left of the path; undefined where the site shows nothing. */
export function chooseVariant({ sections }: ShownSite, path: string): Choice | undefined {
  const root = sections.find(({ isDefault }) => isDefault)
  if (root === undefined) return undefined
  if (root.path === undefined) return chooseInside(root, path)
  const { name, below } = splitName(path)
  const named = sections.find((section) => section.path === name)
  if (named === undefined) return { variant: defaultOf(root), rest: path, otherwise: [] }
  const choice = chooseInside(named, below)
  if (named !== root || !choice.variant.isDefault) return choice
  return { variant: choice.variant, rest: path, otherwise: [below, ...choice.otherwise] }
}

/** Chooses among the variants of a section by what stands below it. */
function chooseInside(section: Section, path: string): Choice {
  const { name, below } = splitName(path)
  const named = section.variants.find((variant) => variant.path === name)
  if (named !== undefined && !named.isDefault) return { variant: named, rest: below, otherwise: [] }
  return { variant: defaultOf(section), rest: path, otherwise: named === undefined ? [] : [below] }
}

function defaultOf({ variants }: Section): Variant {
  return variants.find(({ isDefault }) => isDefault)!
}

/** The first part of a path as names are kept, and what follows it. */
function splitName(path: string): { readonly name: string; readonly below: string } {
  const trimmed = path.replace(/^\/+/, '')
  const slash = trimmed.indexOf('/')
  const name = decodePercent(slash < 0 ? trimmed : trimmed.slice(0, slash)).toLowerCase()
  return { name, below: slash < 0 ? '' : trimmed.slice(slash + 1) }
}

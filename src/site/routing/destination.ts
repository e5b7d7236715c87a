/**
 * What a path inside a site names. A page at the path always counts; what else may lead somewhere
 * (another case, doubled slashes, the redirects of the space) is answered with one redirect to the
 * page's own address, so that every page has one.
 */
import { decodePercent } from '../../core/links/resolve.js'
import type { Step } from '../../core/merkle/types.js'
import { joinPath } from '../../core/pages/paths.js'
import { children, findPageByFile, findPageByPath } from '../../core/pages/read.js'
import type { ComputedPage, DocumentPage, PageRecord, Snapshot } from '../../core/pages/types.js'
import type { Linker } from './linker.js'
import type { ShownSite, Variant } from './site.js'
import { trimBothOf } from '../../core/trim.js'

export type ReadablePage = DocumentPage | ComputedPage

export type Destination =
  | { readonly kind: 'page' | 'markdown'; readonly page: ReadablePage }
  | { readonly kind: 'redirect'; readonly href: string }
  | { readonly kind: 'missing' }

export interface Choice {
  readonly variant: Variant
  /** What is left of the path, still encoded. */
  readonly rest: string
  /** True when the default variant was named by its own path, which leads to the root now. */
  readonly isNamedDefault: boolean
}

/** Returns the variant that a path below the site's base lies in; undefined for a site that shows nothing. */
export function chooseVariant(site: ShownSite, path: string): Choice | undefined {
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

/** Answers what a path (percent-encoded) names in the content of a variant. */
export function* findDestination(
  snapshot: Snapshot,
  linker: Linker,
  { rest, isNamedDefault, variant }: Choice,
): Step<Destination> {
  const written = decodePercent(rest)
  const path = written.split('/').filter(Boolean).join('/')
  const page = yield* findPageByPath(snapshot, path)
  if (page !== undefined) return yield* destinationOf(snapshot, linker, page, written)

  if (/\.md$/i.test(path)) {
    const source = yield* findPageByPath(snapshot, path.slice(0, -3))
    if (source !== undefined && isReadable(source)) {
      const isOwn = written === `${source.path}.md`
      return isOwn ? { kind: 'markdown', page: source } : redirect(linker.markdown(source))
    }
  }

  const moved = yield* followRedirect(snapshot, path)
  if (moved !== undefined) return redirect(linker.page(moved))
  if (isNamedDefault) {
    const below = path.slice(variant.path.length).replace(/^\//, '')
    const target = yield* findPageByPath(snapshot, below)
    if (target !== undefined) return redirect(linker.page(target))
  }
  return { kind: 'missing' }
}

function* destinationOf(
  snapshot: Snapshot,
  linker: Linker,
  page: PageRecord,
  written: string,
): Step<Destination> {
  if (!isReadable(page)) {
    const first = yield* firstReadable(snapshot, page)
    return first === undefined ? { kind: 'missing' } : redirect(linker.page(first))
  }
  const href = linker.page(page)
  // The first page stands at the root, every other at its path; what is written otherwise leads there.
  const isOwn = href === linker.root ? written === '' : written === page.path
  return isOwn ? { kind: 'page', page } : redirect(href)
}

/** Answers the first page below a group that can be read. */
function* firstReadable(snapshot: Snapshot, page: PageRecord): Step<ReadablePage | undefined> {
  for (const child of yield* children(snapshot, page.id)) {
    const found = isReadable(child) ? child : yield* firstReadable(snapshot, child)
    if (found !== undefined) return found
  }
  return undefined
}

/** Answers the page that the space's own table of redirects names for an old path. */
function* followRedirect(snapshot: Snapshot, path: string): Step<PageRecord | undefined> {
  const { config } = snapshot
  const wanted = path.toLowerCase()
  for (const [from, file] of Object.entries(config.redirects)) {
    if (trimBothOf(from, '/').toLowerCase() !== wanted) continue
    return yield* findPageByFile(snapshot, joinPath(config.root, file.replace(/^(?:\.?\/)+/, '')))
  }
  return undefined
}

/** True for what has a page of its own: groups and links only lead on. */
export function isReadable(page: PageRecord): page is ReadablePage {
  return page.type === 'document' || page.type === 'computed'
}

function redirect(href: string): Destination {
  return { kind: 'redirect', href }
}

/**
 * What a path inside a variant names. A page at the path always counts; what else may lead somewhere
 * (another case, doubled slashes, the redirects of the space) is answered with one redirect to the
 * page's own address, so that every page has one.
 */
import { decodePercent } from '../../core/links/resolve.js'
import type { Step } from '../../core/merkle/types.js'
import { joinPath } from '../../core/pages/paths.js'
import { children, findPageByFile, findPageByPath } from '../../core/pages/read.js'
import type { ComputedPage, DocumentPage, PageRecord, Snapshot } from '../../core/pages/types.js'
import type { Linker, Placed } from './linker.js'
import type { Choice } from './match-path.js'
import { trimBothOf } from '../../core/trim.js'

export type ReadablePage = DocumentPage | ComputedPage

export type Destination =
  | { readonly kind: 'page' | 'rss'; readonly page: ReadablePage }
  /** Of a group it is a list of what is in it. */
  | { readonly kind: 'markdown'; readonly page: Placed }
  | {
      readonly kind: 'redirect'
      readonly href: string
      /** Where it leads: it says as much of the page as the page itself. */
      readonly page: PageRecord
      /** True when the page's own address was only written otherwise: that leads there for ever. */
      readonly isSame: boolean
      /** True when the space's own table of redirects says so. */
      readonly isByTable?: true
    }
  | { readonly kind: 'missing' }

type Redirect = Extract<Destination, { readonly kind: 'redirect' }>

/** Answers what a path (percent-encoded) names in the content of a variant. */
export function* findDestination(
  snapshot: Snapshot,
  linker: Linker,
  { rest, otherwise }: Choice,
): Step<Destination> {
  const written = decodePercent(rest)
  const path = pathOf(written)
  const page = yield* findPageByPath(snapshot, path)
  if (page !== undefined) return yield* destinationOf(snapshot, linker, page, written)

  if (/\.md$/i.test(path)) {
    const source = yield* findPageByPath(snapshot, path.slice(0, -3))
    if (source !== undefined && source.type !== 'link') {
      const isOwn = written === `${source.path}.md`
      return isOwn ? { kind: 'markdown', page: source } : sameAs(linker.markdown(source), source)
    }
  }

  if (`/${path}`.toLowerCase().endsWith('/rss.xml')) {
    const above = path.slice(0, -'/rss.xml'.length)
    const source = yield* findPageByPath(snapshot, above)
    if (source !== undefined && isReadable(source)) {
      if (written === `${source.path}/rss.xml`) return { kind: 'rss', page: source }
      const href = linker.rss(source)
      return { kind: 'redirect', href, page: source, isSame: above !== '' }
    }
  }

  for (const other of otherwise) {
    const led = yield* leadOn(linker, pathOf(decodePercent(other)), (path) => findPageByPath(snapshot, path))
    if (led !== undefined) return led
  }
  const led = yield* leadOn(linker, path, (path) => followRedirect(snapshot, path))
  return led === undefined ? { kind: 'missing' } : { ...led, isByTable: true }
}

/** Answers where the page stands that a path leads to; of a path that ends as Markdown does, its Markdown. */
function* leadOn(
  linker: Linker,
  path: string,
  find: (path: string) => Step<PageRecord | undefined>,
): Step<Redirect | undefined> {
  const page = yield* find(path)
  if (page !== undefined) return redirect(linker, page)
  const source = /\.md$/i.test(path) ? yield* find(path.slice(0, -3)) : undefined
  if (source === undefined || source.type === 'link') return undefined
  return { kind: 'redirect', href: linker.markdown(source), page: source, isSame: false }
}

function pathOf(written: string): string {
  return written.split('/').filter(Boolean).join('/')
}

function* destinationOf(
  snapshot: Snapshot,
  linker: Linker,
  page: PageRecord,
  written: string,
): Step<Destination> {
  if (!isReadable(page)) {
    const first = yield* firstReadable(snapshot, page)
    return first === undefined ? { kind: 'missing' } : redirect(linker, first)
  }
  const href = linker.page(page)
  // The first page stands at the root, every other at its path; what is written otherwise leads there.
  if (href === linker.root) return written === '' ? { kind: 'page', page } : redirect(linker, page)
  return written === page.path ? { kind: 'page', page } : sameAs(href, page)
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

/** Another page may stand there another time. */
function redirect(linker: Linker, page: PageRecord): Redirect {
  return { kind: 'redirect', href: linker.page(page), page, isSame: false }
}

function sameAs(href: string, page: PageRecord): Redirect {
  return { kind: 'redirect', href, page, isSame: true }
}

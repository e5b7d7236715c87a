/**
 * Path resolution within a variant, with canonical URLs. A page at the path wins; all else that matches (another case,
 * doubled slashes, the space's redirects) gets one redirect to the page's own address, so that every page has one.
 */
import { decodePercent } from '../../core/links/resolve.js'
import type { Step } from '../../core/merkle/types.js'
import { findPageByPath, firstOpenPage, firstPageOfGroup } from '../../core/pages/read.js'
import { findRedirect } from '../../core/pages/redirects.js'
import type { ComputedPage, DocumentPage, PageRecord, Snapshot } from '../../core/pages/types.js'
import type { Linker, PageWithPath } from './linker.js'
import type { VariantChoice } from './match-path.js'

export type ReadablePage = DocumentPage | ComputedPage

export type Destination =
  | { readonly kind: 'page' | 'rss'; readonly page: ReadablePage }
  /** The Markdown of a group lists its pages. */
  | { readonly kind: 'markdown'; readonly page: PageWithPath }
  | {
      readonly kind: 'redirect'
      readonly href: string
      /** The target: a redirect reveals as much of a page as the page itself. Absent for a file or another host. */
      readonly page?: PageRecord
      readonly isExternal?: true
      /** True when the path is another spelling of the page's own address: such a redirect is permanent. */
      readonly isPermanent: boolean
      /** True for an entry of the space's redirect table. */
      readonly isSpaceRedirect?: true
      /** True for an old address that is only guessed: anything else that matches the path goes first. */
      readonly isFallback?: true
    }
  | { readonly kind: 'missing' }

type Redirect = Extract<Destination, { readonly kind: 'redirect' }>

/** True for pages whose condition holds for the reader; the pages above are not considered. */
type IsOpen = (page: PageRecord) => boolean

/**
 * Finds the page or redirect of a path (percent-encoded) in the content of a variant. What is closed to the reader is
 * found as well: the caller checks it. Only where the destination is a choice among pages, `isOpen` decides.
 */
export function* findDestination(
  snapshot: Snapshot,
  linker: Linker,
  { rest, alternatives }: VariantChoice,
  isOpen: IsOpen = () => true,
): Step<Destination> {
  const written = decodePercent(rest)
  const path = pathOf(written)
  const page = yield* findPageByPath(snapshot, path)
  if (page !== undefined) {
    const first = path === '' && !isOpen(page) ? yield* firstOpenPage(snapshot, isOpen) : undefined
    if (first !== undefined) return redirect(linker, first)
    return yield* destinationOf(snapshot, linker, page, { written, isOpen })
  }

  if (/\.md$/i.test(path)) {
    const source = yield* findPageByPath(snapshot, path.slice(0, -3))
    if (source !== undefined && source.type !== 'link') {
      const isOwn = written === `${source.path}.md`
      return isOwn ? { kind: 'markdown', page: source } : canonicalRedirect(linker.markdown(source), source)
    }
  }

  if (`/${path}`.toLowerCase().endsWith('/rss.xml')) {
    const above = path.slice(0, -'/rss.xml'.length)
    const source = yield* findPageByPath(snapshot, above)
    if (source !== undefined && isReadable(source)) {
      if (written === `${source.path}/rss.xml`) return { kind: 'rss', page: source }
      const href = linker.rss(source)
      return { kind: 'redirect', href, page: source, isPermanent: above !== '' }
    }
  }

  for (const other of alternatives) {
    const redirected = yield* redirectVia(linker, pathOf(decodePercent(other)), (path) =>
      findPageByPath(snapshot, path),
    )
    if (redirected !== undefined) return redirected
  }
  const redirected = yield* followRedirect(snapshot, linker, path)
  if (redirected !== undefined) return { ...redirected, isSpaceRedirect: true }
  const fallback =
    (yield* findWithoutEnding(snapshot, linker, path)) ?? (yield* findPageOfTag(snapshot, linker, path))
  return fallback === undefined ? { kind: 'missing' } : { ...fallback, isFallback: true }
}

/** Returns the redirect of a path as another generator wrote it: `a/b.html`, and `a/index.html` for a folder. */
function* findWithoutEnding(snapshot: Snapshot, linker: Linker, path: string): Step<Redirect | undefined> {
  const name = /\.html?$/i.exec(path)
  if (name === null) return undefined
  const bare = path.slice(0, name.index)
  const folder = /(?:^|\/)(?:index|readme)$/i.exec(bare)
  for (const one of folder === null ? [bare] : [bare, bare.slice(0, folder.index)]) {
    const page = yield* findPageByPath(snapshot, one)
    if (page !== undefined) return redirect(linker, page)
    const redirected = yield* followRedirect(snapshot, linker, one)
    if (redirected !== undefined) return redirected
  }
  return undefined
}

/** Returns the redirect of an operation that has no page of its own any more, to the page of its tag. */
function* findPageOfTag(snapshot: Snapshot, linker: Linker, path: string): Step<Redirect | undefined> {
  const end = path.lastIndexOf('/')
  if (end < 0 || path.includes('.', end)) return undefined
  const page = yield* findPageByPath(snapshot, path.slice(0, end))
  const isOfTag = page?.type === 'document' && page.generated?.doc === 'operations'
  return isOfTag ? redirect(linker, page) : undefined
}

/** Returns the redirect to the page that `find` returns for a path; for a path with the ending of Markdown, to its Markdown. */
function* redirectVia(
  linker: Linker,
  path: string,
  find: (path: string) => Step<PageRecord | undefined>,
): Step<Redirect | undefined> {
  const page = yield* find(path)
  if (page !== undefined) return redirect(linker, page)
  const source = /\.md$/i.test(path) ? yield* find(path.slice(0, -3)) : undefined
  if (source === undefined || source.type === 'link') return undefined
  return { kind: 'redirect', href: linker.markdown(source), page: source, isPermanent: false }
}

function pathOf(written: string): string {
  return written.split('/').filter(Boolean).join('/')
}

function* destinationOf(
  snapshot: Snapshot,
  linker: Linker,
  page: PageRecord,
  { written, isOpen }: { readonly written: string; readonly isOpen: IsOpen },
): Step<Destination> {
  if (!isReadable(page)) {
    const first = yield* firstPageOfGroup(snapshot, page, isOpen)
    return first === undefined ? { kind: 'missing' } : redirect(linker, first)
  }
  const href = linker.page(page)
  // The first page is at the root, every other at its path; other spellings redirect there.
  if (href === linker.root) return written === '' ? { kind: 'page', page } : redirect(linker, page)
  return written === page.path ? { kind: 'page', page } : canonicalRedirect(href, page)
}

/** Returns the redirect that the space's redirect table names for an old path; with the ending of Markdown, to Markdown. */
function* followRedirect(snapshot: Snapshot, linker: Linker, path: string): Step<Redirect | undefined> {
  const target = yield* findRedirect(snapshot, path)
  switch (target?.kind) {
    case 'page':
      return redirect(linker, target.page, target.fragment)
    case 'file':
      return { kind: 'redirect', href: linker.file(target.file), isPermanent: false }
    case 'url':
      return { kind: 'redirect', href: target.url, isExternal: true, isPermanent: false }
    default:
      return yield* redirectVia(linker, path, function* (one) {
        const found = one === path ? undefined : yield* findRedirect(snapshot, one)
        return found?.kind === 'page' ? found.page : undefined
      })
  }
}

/** True for pages with a page of their own: groups and links only redirect. */
export function isReadable(page: PageRecord): page is ReadablePage {
  return page.type === 'document' || page.type === 'computed'
}

/** Temporary: the path may get another page later. */
function redirect(linker: Linker, page: PageRecord, fragment?: string): Redirect {
  return { kind: 'redirect', href: linker.page(page, fragment), page, isPermanent: false }
}

function canonicalRedirect(href: string, page: PageRecord): Redirect {
  return { kind: 'redirect', href, page, isPermanent: true }
}

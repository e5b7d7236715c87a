/**
 * URL builder: every address inside a site, of pages, files, search, feeds, and canonical URLs.
 *
 * Addresses are paths from the root of the host, so a page works under any host name.
 */
import type { Hash, SpaceId } from '../../core/ids.js'
import type { FileRecord, PageRecord } from '../../core/pages/types.js'
import type { Addresses } from '../../contract/addresses.js'
import type { LatestVersion } from '../../resources/openapi-specs/store.js'
import { widthsOf } from '../../store/images/widths.js'
import type { SizedSource } from '../blocks/context.js'
import { encodeText } from '../blocks/safe-url.js'
import { type PublishedSite, type Variant, changeRequestOf } from './site.js'

export interface Linker {
  /** First page of the variant. */
  readonly root: string
  /** Address of a page; of a link in the tree, its target. */
  page(page: PageRecord, fragment?: string): string
  /** The same page as Markdown. */
  markdown(page: PageWithPath, fragment?: string): string
  /** The social preview image of the page. */
  picture(page: PageWithPath): string
  /** The page and its subpages as a PDF, for readers of its space. */
  pdf(page: PageWithPath): string
  /** The updates of the page as a feed. */
  rss(page: PageWithPath): string
  /** The absolute form of an address of this site or of a file, on the site's canonical host. */
  absolute(href: string): string
  /** The canonical URL of a page. */
  canonical(page: PageWithPath): string
  file(file: FileRecord): string
  /** Download of a text that is no page. */
  text(path: string, hash: Hash): string
  /** Download of a version of a specification. */
  specification(version: Pick<LatestVersion, 'slug' | 'hash'>): string
  /** Smaller sizes of an image, the narrowest first; none for other files. */
  sizes(file: FileRecord): readonly SizedSource[]
  /** A page of another space of this site; undefined for spaces outside of it. */
  inSpace(spaceId: string, path: string, fragment?: string): string | undefined
  /** Where browsers report a page view, or readers their feedback on the page. */
  beacon(what: BeaconKind, page: PageWithPath): string
  /** The entries of the tree below a page, as a fragment of HTML. */
  branch(page: PageWithPath): string
  /** The page for `?q=`, and the JSON endpoint. */
  readonly search: { readonly href: string; readonly api: string }
}

/** Below the root of a variant, before the path of a page: like the page's own link, so it compresses well. */
export const branchPath = '~octavo/tree/'

/** Below the root of a variant, before the token and the path of a text download. */
export const textPath = '~octavo/texts/'

/** Below the root of a variant, before the token and the name of a specification. */
export const specificationPath = '~octavo/openapi/'

/** Below the base of a site: its style sheet, by content hash. */
export function sheetPath(hash: string): string {
  return `~octavo/theme-${hash}.css`
}
/** What readers report of a page. */
export type BeaconKind = 'feedback' | 'view'

/** Below the root of a variant: social preview images, by page id. */
export const picturePath = '~octavo/ogimage/'

/** A page that has a path. */
export type PageWithPath = Exclude<PageRecord, { type: 'link' }>

/** Returns the linker of one variant; the page with the id `first` is at its root. */
export function createLinker(
  addresses: Addresses,
  site: PublishedSite,
  variant: Variant,
  first: string | undefined,
): Linker {
  const below = belowBase(variant)
  const root = site.base + below
  const pathOf = (page: PageWithPath) => (page.id === first ? '' : encodePath(page.path))
  const originLength = new URL(addresses.base).origin.length
  // Files added by a change request are in its content alone.
  const changeRequest = changeRequestOf(site, variant)
  const changeRequestQuery = changeRequest === undefined ? '' : `&changeRequest=${changeRequest}`
  const fileHref = ({ id, hash, name }: FileRecord) =>
    site.files +
    addresses.file(variant.spaceId, id, hash, name).split('/~octavo/files/')[1]! +
    changeRequestQuery
  return {
    root,
    page: (page, fragment) =>
      page.type === 'link' ? page.url : root + pathOf(page) + fragmentPart(fragment),
    markdown: (page, fragment) => `${root}${encodePath(page.path)}.md${fragmentPart(fragment)}`,
    picture: (page) => `${root}${picturePath}${page.id}`,
    pdf: (page) =>
      addresses
        .pdf({ spaceId: variant.spaceId, changeRequest, page: page.id }, page.title, {
          credential: null,
          now: 0,
        })
        .slice(originLength),
    rss: (page) => `${root}${encodePath(page.path)}/rss.xml`,
    absolute: (href) =>
      href.startsWith(site.base)
        ? site.url + href.slice(site.base.length)
        : addresses.base.slice(0, originLength) + href,
    canonical: (page) => site.url + below + pathOf(page),
    file: fileHref,
    text: (path, hash) =>
      `${root}${textPath}${addresses.textToken(variant.spaceId, path, hash)}/${encodePath(path)}`,
    specification: ({ slug, hash }) =>
      `${root}${specificationPath}${addresses.specificationToken(variant.spaceId, slug, hash)}/${slug}.json`,
    sizes: (file) =>
      widthsOf(file).map(({ width, pixels }) => ({ href: `${fileHref(file)}&w=${width}`, width: pixels })),
    inSpace(spaceId, path, fragment) {
      const other = site.variants.find((one) => one.spaceId === (spaceId as SpaceId))
      return other && site.base + belowBase(other) + encodePath(path) + fragmentPart(fragment)
    },
    beacon: (what, page) => `${root}~octavo/${what}/${encodePath(page.path)}`,
    branch: (page) => `${root}${branchPath}${encodePath(page.path)}`,
    search: { href: root, api: `${root}~octavo/search` },
  }
}

/** Path of a variant below the base of its site: empty at the root, else with a slash at its end. */
export function belowBase({ names }: Variant): string {
  return names.map((name) => `${encodeText(name)}/`).join('')
}

/** The path with each of its parts percent-encoded. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeText).join('/')
}

function fragmentPart(fragment: string | undefined): string {
  return fragment === undefined || fragment === '' ? '' : `#${encodeText(fragment)}`
}

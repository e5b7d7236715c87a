/**
 * Every address inside a site is made here: pages, files, search, feeds, and what crawlers keep.
 *
 * Addresses are paths from the root of the host, so the same page works behind any name of the host.
 */
import type { Hash, SpaceId } from '../../core/ids.js'
import type { FileRecord, PageRecord } from '../../core/pages/types.js'
import type { Addresses } from '../../contract/addresses.js'
import type { LatestVersion } from '../../resources/openapi-specs/store.js'
import { widthsOf } from '../../store/images/widths.js'
import type { SizedSource } from '../blocks/context.js'
import { encodeText } from '../blocks/safe-url.js'
import type { ShownSite, Variant } from './site.js'

export interface Linker {
  /** First page of the variant. */
  readonly root: string
  /** Where a page is read; a link of the tree leads where it says. */
  page(page: PageRecord, fragment?: string): string
  /** The same page as Markdown. */
  markdown(page: Placed, fragment?: string): string
  /** The picture of the page for previews in other programs. */
  picture(page: Placed): string
  /** The page with those below it as a PDF, for whoever may read its space. */
  pdf(page: Placed): string
  /** The updates of the page as a feed. */
  rss(page: Placed): string
  /** An address of this site, or of a file, as whoever is elsewhere asks for it: by which the site is known outside. */
  absolute(href: string): string
  /** The absolute address of a page by which it is known outside. */
  canonical(page: Placed): string
  file(file: FileRecord): string
  /** A text that is no page, as the file that a page offers it as. */
  text(path: string, hash: Hash): string
  /** A version of a specification, as the file that a page offers it as. */
  specification(version: Pick<LatestVersion, 'slug' | 'hash'>): string
  /** The same picture in smaller sizes, the narrowest first; none for everything else. */
  sizes(file: FileRecord): readonly SizedSource[]
  /** A page of a space that this site shows too; undefined for every other space. */
  inSpace(spaceId: string, path: string, fragment?: string): string | undefined
  /** Where a browser tells that the page is read, found, or left, or what its reader thinks of it. */
  told(what: Told, page: Placed): string
  /** The entries of the tree below a page, as a fragment of HTML. */
  branch(page: Placed): string
  /** Page that answers `?q=`, and the address that answers it with JSON. */
  readonly search: { readonly href: string; readonly api: string }
}

/** Below the root of a variant, before the path of a page: it stands beside its link, so it hardly weighs a thing. */
export const branchPath = '~octavo/tree/'

/** Below the root of a variant, before the token and the path of a text that a page offers. */
export const textPath = '~octavo/texts/'

/** The same before the token and the name of a specification. */
export const specificationPath = '~octavo/openapi/'

/** Below the base of a site: its style sheet, by the name of its content. */
export function sheetPath(hash: string): string {
  return `~octavo/theme-${hash}.css`
}
/** What readers tell of a page. */
export type Told = 'feedback' | 'view'

/** Pictures of pages, by their ids. */
export const picturePath = '~octavo/ogimage/'

/** A page that has a path. */
export type Placed = Exclude<PageRecord, { type: 'link' }>

/** Returns the linker of one variant; the page with the id `first` stands at its root. */
export function createLinker(
  addresses: Addresses,
  site: ShownSite,
  variant: Variant,
  first: string | undefined,
): Linker {
  const below = belowBase(variant)
  const root = site.base + below
  const pathOf = (page: Placed) => (page.id === first ? '' : encodePath(page.path))
  const originLength = new URL(addresses.base).origin.length
  // What a change request adds is in no content but its own.
  const asDrafted = site.changeRequest === undefined ? '' : `&changeRequest=${site.changeRequest}`
  const fileHref = ({ id, hash, name }: FileRecord) =>
    site.files + addresses.file(variant.spaceId, id, hash, name).split('/~octavo/files/')[1]! + asDrafted
  return {
    root,
    page: (page, fragment) =>
      page.type === 'link' ? page.url : root + pathOf(page) + fragmentPart(fragment),
    markdown: (page, fragment) => `${root}${encodePath(page.path)}.md${fragmentPart(fragment)}`,
    picture: (page) => `${root}${picturePath}${page.id}`,
    pdf: (page) =>
      addresses
        .pdf({ spaceId: variant.spaceId, changeRequest: site.changeRequest, page: page.id }, page.title, {
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
    told: (what, page) => `${root}~octavo/${what}/${encodePath(page.path)}`,
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

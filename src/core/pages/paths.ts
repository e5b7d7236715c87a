/**
 * Slugs, page paths and file paths, and how they are derived from one another.
 *
 * The file decides the path: `a/b.md` is the page `a/b`, and a folder's own page `a/README.md` is the
 * page `a`. New pages get a file from their slug. Does not check which names are taken.
 */
import { byteLength, cutToBytes } from '../bytes.js'
import type { ResolveOptions } from '../links/resolve.js'
import { trimBothOf, trimEndOf } from '../trim.js'
import type { ContentConfig } from '../config.js'
import type { DocumentPage, PageRecord } from './types.js'

/** In UTF-16 units, and in bytes: with a number and an extension it is still a name of a file. */
const maxSlugLength = 100
const maxSlugBytes = 200

/** Configuration of a tree; at the top whatever the root folder. */
export const configFile = '.gitbook.yaml'

/**
 * Returns the slug of a title: lower case, letters and digits of any script, hyphens between words, at
 * most 100 UTF-16 units and 200 bytes, never empty.
 */
export function slugify(title: string): string {
  const words = title
    .normalize('NFC')
    .toLowerCase()
    // Emoji variation selectors and keycap marks are invisible marks of their own.
    .replace(/[\ufe00-\ufe0f]|\u20e3/gu, '')
    .replace(/['’]/gu, '')
    .replace(/[^\p{Letter}\p{Number}\p{Mark}]+/gu, '-')
  const slug = cutToBytes(trimBothOf(words, '-'), maxSlugBytes, maxSlugLength)
  return trimEndOf(slug, '-') || 'page'
}

/** Returns the name of a file in at most this many bytes: the beginning is cut, a short extension stays. */
export function shortenName(name: string, maxBytes: number): string {
  if (byteLength(name) <= maxBytes) return name
  const extension = /\.[a-z\d]{1,10}$/i.exec(name)?.[0] ?? ''
  const stem = name.slice(0, name.length - extension.length)
  return cutToBytes(stem, maxBytes - extension.length) + extension
}

/** Returns the folder of a file path, empty at the top. */
export function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')))
}

/** Returns the last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Returns `folder/name`, or `name` for the top. */
export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : name === '' ? folder : `${folder}/${name}`
}

/** Name of the page of a folder. */
export const folderReadme = 'README.md'

/** Returns the file of the first page, which the configuration may name. */
export function firstPageFile({ root, readme }: ContentConfig): string {
  return joinPath(root, readme)
}

/** Returns the file of the table of contents. */
export function summaryFile({ root, summary }: ContentConfig): string {
  return joinPath(root, summary)
}

/** Returns whether the file is its folder's own page: its README, or the first page in the root folder. */
export function isReadme(file: string, config: ContentConfig): boolean {
  const isFirst = file === firstPageFile(config) && folderOf(file) === config.root
  return isFirst || nameOf(file) === folderReadme
}

/** Returns how links in the texts of this content are resolved. */
export function resolveOptions(config: ContentConfig): ResolveOptions {
  const file = firstPageFile(config)
  return config.readme === folderReadme ? {} : { firstPage: { folder: config.root, file } }
}

/**
 * Returns the path of the page whose text is in a file: without the root folder and the extension,
 * letters as written. The README of the top is the page `readme`, because no stored path is empty.
 */
export function pathOfFile(file: string, config: ContentConfig): string {
  const below =
    config.root !== '' && file.startsWith(`${config.root}/`) ? file.slice(config.root.length + 1) : file
  if (isReadme(file, config)) {
    return (
      folderOf(below) ||
      nameOf(below)
        .replace(/\.[^.]*$/, '')
        .toLowerCase() ||
      'page'
    )
  }
  return below.replace(/\.(?:md|markdown)$/i, '') || below
}

/** Returns the folder of the files of a page's children; null means the top level. */
export function childrenFolder(parent: PageRecord | null, config: ContentConfig): string {
  if (parent === null || parent.type === 'link') return config.root
  if (parent.type !== 'document') return joinPath(config.root, parent.path)
  if (isReadme(parent.file, config)) return folderOf(parent.file)
  return parent.file.replace(/\.[^./]*$/, '')
}

/**
 * Returns the folder that moves with a page, or null when none does: for `a/b.md` and `a/README.md` the
 * folder of their children, but the README of the top does not own the whole tree.
 */
export function ownFolder(page: PageRecord, config: ContentConfig): string | null {
  if (page.type === 'link') return null
  const folder = childrenFolder(page, config)
  return folder === config.root ? null : folder
}

/** Returns the file of a page of this slug in a folder; `like` keeps the form `slug/README.md`. */
export function fileForSlug(
  folder: string,
  slug: string,
  config: ContentConfig,
  like?: DocumentPage,
): string {
  const asFolder = like !== undefined && isReadme(like.file, config) && ownFolder(like, config) !== null
  return joinPath(folder, asFolder ? joinPath(slug, folderReadme) : `${slug}.md`)
}

/**
 * Returns whether a page of this file would be mistaken for something else: the table of contents or a
 * folder's own page, also on case-insensitive file systems.
 */
export function isReservedFile(file: string, config: ContentConfig): boolean {
  const isOtherCase = (one: string, other: string) =>
    one !== other && one.toLowerCase() === other.toLowerCase()
  const summary = summaryFile(config)
  return (
    file.toLowerCase() === summary.toLowerCase() ||
    isOtherCase(nameOf(file), folderReadme) ||
    isOtherCase(file, firstPageFile(config))
  )
}

/** Returns whether bytes at this path are stored as text: Markdown that is no attachment, and YAML of `.gitbook`. */
export function isTextPath(path: string): boolean {
  if (/(?:^|\/)\.gitbook\/assets\//.test(path)) return false
  return /\.(?:md|markdown)$/i.test(path) || /(?:^|\/)\.gitbook(?:\.ya?ml|\/[^/]+\.ya?ml)$/.test(path)
}

/** Returns why bytes cannot be at a path of the tree, as the end of a sentence; undefined when they can. */
export function reasonAgainstFilePath(path: string, { root }: ContentConfig): string | undefined {
  const parts = path.split('/')
  if (root !== '' && !path.startsWith(`${root}/`))
    return `must begin with "${root}/", the folder of the content`
  if (parts.some((part) => part.trim() !== part || part === '' || part === '.' || part === '..'))
    return 'must consist of names between single slashes, without spaces around them'
  if (/[\u0000-\u001f\u007f"\\]/.test(path))
    return 'must have no control characters, quotation marks or backslashes'
  if (parts.length > maxFolderDepth + 1 || byteLength(path) > maxPathBytes)
    return `must have at most ${maxFolderDepth} folders and ${maxPathBytes} bytes`
  // A number must have room, in case two changes take one name.
  if (parts.some((part) => byteLength(part) > maxNameBytes - 15))
    return `must have names of at most ${maxNameBytes - 15} bytes`
  if (isTextPath(path))
    return 'must not be that of a page or of a setting: Markdown files belong into ".gitbook/assets/"'
  return undefined
}

/** Returns whether a text is a reusable content, which has an id of its own. */
export function isInclude(path: string, config: ContentConfig): boolean {
  return path.startsWith(joinPath(config.root, '.gitbook/includes/')) && /\.md$/i.test(path)
}

/** Most nested folders, and ancestors of a page: addresses, exports and walks grow with them. */
export const maxFolderDepth = 64

/** Bytes of a name that every file system takes, and of a path that an address can hold, percent-encoded. */
export const maxNameBytes = 255
export const maxPathBytes = 2_048

/** Returns how many parts a path has. */
export function depthOf(path: string): number {
  let depth = 1
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) depth++
  return depth
}

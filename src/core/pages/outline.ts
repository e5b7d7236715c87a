/**
 * Outline of a page tree as in a table of contents: titles, order and nesting, files and links, no ids.
 *
 * It is read from a parsed SUMMARY.md, from folders and files where there is none, and from the pages of
 * a snapshot, so that an export can check whether the stored SUMMARY.md still matches the tree.
 */
import type { Problem } from '../document/types.js'
import { relativePath } from '../links/relative.js'
import { type SummaryEntry, withoutLink } from '../markdown/summary.js'
import { firstPageFile, folderOf, folderReadme, joinPath, nameOf, slugify } from './paths.js'
import { forEachWithPauses, pause } from '../merkle/steps.js'
import type { Step } from '../merkle/types.js'
import type { PageNode } from './read.js'
import { entryOf } from './titles.js'
import type { ContentConfig } from '../config.js'

export type Outline = {
  readonly title: string
  readonly children: readonly Outline[]
} & (
  | { readonly kind: 'group'; readonly slug?: string }
  /** `file` from the root of the tree; absent for a page whose bullet names none. */
  | { readonly kind: 'document'; readonly linkTitle?: string; readonly file?: string }
  /** A relative `url` is relative to the table of contents. */
  | { readonly kind: 'link'; readonly url: string }
  | { readonly kind: 'computed'; readonly source: string }
)

/** A problem in a table of contents, and its span. */
export type OutlineProblem = Problem

/** What is at a file path of the tree. */
export type KindOf = (path: string) => 'text' | 'file' | undefined

/**
 * Returns the outline of a table of contents. A file listed again is omitted and its children take its position, but a
 * part of a listed file is a link to it; children of a link or a computed page follow it; a bullet that names a file
 * which is no text is a link to that file. With `omitsParts`, parts of listed files are omitted, as they once were.
 */
export function outlineOfSummary(
  entries: readonly SummaryEntry[],
  summaryFile: string,
  kindOf: KindOf,
  { omitsParts = false }: { readonly omitsParts?: boolean } = {},
): { readonly outline: readonly Outline[]; readonly problems: readonly OutlineProblem[] } {
  const problems: OutlineProblem[] = []
  const listedFiles = new Set<string>()
  const folder = folderOf(summaryFile)
  const wholeFiles = new Set<string>()
  const addWholeFiles = (list: readonly SummaryEntry[]): void => {
    for (const entry of list) {
      const { file, part } = entry.kind === 'page' ? destinationOf(entry, folder, kindOf) : {}
      if (file !== undefined && part === undefined) wholeFiles.add(file)
      addWholeFiles(entry.children)
    }
  }
  addWholeFiles(entries)
  const readList = (list: readonly SummaryEntry[]): Outline[] => list.flatMap(readEntry)
  return { outline: readList(entries), problems }

  function readEntry(entry: SummaryEntry): Outline[] {
    const { title } = entry
    switch (entry.kind) {
      case 'group':
        return [{ kind: 'group', title, ...optional('slug', entry.slug), children: readList(entry.children) }]
      case 'link':
        return withFollowingChildren({ kind: 'link', title, url: entry.url, children: [] }, entry)
      case 'computed':
        return withFollowingChildren({ kind: 'computed', title, source: entry.source, children: [] }, entry)
      case 'page':
        return readPage(entry)
    }
  }

  function readPage(entry: Extract<SummaryEntry, { kind: 'page' }>): Outline[] {
    const { title } = entry
    const { file, part } = destinationOf(entry, folder, kindOf)
    if (entry.isLoose && file === undefined) problems.push({ message: withoutLink(title), span: entry.span })
    // Where no entry names the whole file, the first part is its page.
    const isPart = file !== undefined && part !== undefined && (wholeFiles.has(file) || listedFiles.has(file))
    if (isPart && !omitsParts)
      return withFollowingChildren({ kind: 'link', title, url: part, children: [] }, entry)
    if (file !== undefined && (listedFiles.has(file) || file === summaryFile)) {
      problems.push({ message: `${file} stands here twice: this entry is left out.`, span: entry.span })
      return readList(entry.children)
    }
    if (file !== undefined) {
      listedFiles.add(file)
      const kind = kindOf(file)
      if (kind === 'file') {
        const isLiteral = entry.file === undefined || file !== joinPath(folder, entry.file)
        const url = part ?? (isLiteral ? relativePath(summaryFile, file) : entry.file)
        return withFollowingChildren({ kind: 'link', title, url, children: [] }, entry)
      }
      if (kind === undefined)
        problems.push({ message: `${file} does not exist: its page has no text.`, span: entry.span })
    }
    const names = { ...optional('linkTitle', entry.linkTitle), ...optional('file', file) }
    return [{ kind: 'document', title, ...names, children: readList(entry.children) }]
  }

  function withFollowingChildren(one: Outline, entry: SummaryEntry): Outline[] {
    if (entry.children.length > 0) {
      problems.push({ message: `“${entry.title}” cannot have subpages: they follow it.`, span: entry.span })
    }
    return [one, ...readList(entry.children)]
  }
}

interface EntryDestination {
  /** From the root of the tree. */
  readonly file?: string
  /** The destination as written, where it is a part of the file. */
  readonly part?: string
}

/** Returns the file that an entry names: that of its literal destination, if there is one. */
function destinationOf(
  { file, literalFile, part, isLoose }: Extract<SummaryEntry, { kind: 'page' }>,
  folder: string,
  kindOf: KindOf,
): EntryDestination {
  const literal = literalFile === undefined ? undefined : joinPath(folder, literalFile)
  if (literal !== undefined && kindOf(literal) !== undefined) return { file: literal }
  if (file === undefined) return {}
  const path = joinPath(folder, file)
  if (isLoose && kindOf(path) === undefined) return {}
  return { file: path, ...optional('part', part) }
}

/** Deeper folders are flattened into this depth: consumers of an outline may recurse. */
const maxFolders = 64
/** Files of a folder between two pauses. */
const filesPerPause = 200

/**
 * Returns the outline that folders and files suggest: a folder's README is the page above the others, a
 * folder of the top without one is a group; names in natural order, the README of the top first.
 */
export function* outlineOfFiles(
  files: Iterable<string>,
  config: ContentConfig,
  titleOf: (file: string) => string | undefined,
): Step<readonly Outline[]> {
  const root: Folder = { path: config.root, files: [], folders: new Map() }
  const found = new Set<string>()
  const prefix = config.root === '' ? '' : `${config.root}/`
  yield* forEachWithPauses([...files], (file) => {
    if (!file.startsWith(prefix) || !/\.(?:md|markdown)$/i.test(file)) return
    const parts = file.slice(prefix.length).split('/')
    if (parts.some((part) => part.startsWith('.')) || file === joinPath(config.root, config.summary)) return
    let folder = root
    for (const part of parts.slice(0, -1).slice(0, maxFolders)) {
      const known = folder.folders.get(part)
      const next: Folder = known ?? { path: joinPath(folder.path, part), files: [], folders: new Map() }
      if (!known) folder.folders.set(part, next)
      folder = next
    }
    folder.files.push(file)
    found.add(file)
  })
  // The README of another folder stays the page of that folder.
  const mayBeFirst = (file: string) => nameOf(file) !== folderReadme || folderOf(file) === config.root
  const first = [firstPageFile(config), joinPath(config.root, folderReadme)].find(
    (file) => found.has(file) && mayBeFirst(file),
  )
  const pages = yield* outlineOfFolder(root, 0)
  return first === undefined ? pages : [pageOf(first, []), ...pages]

  function readmeOf(folder: Folder): string | undefined {
    return folder === root ? undefined : folder.files.find((file) => nameOf(file) === folderReadme)
  }

  function* outlineOfFolder(folder: Folder, depth: number): Step<Outline[]> {
    yield* pause()
    const items = new Map<string, Outline>()
    for (const [at, file] of folder.files.entries()) {
      if (at % filesPerPause === filesPerPause - 1) yield* pause()
      if (file === first || (folder !== root && nameOf(file) === folderReadme)) continue
      const stem = nameOf(file).replace(/\.[^.]*$/, '')
      const below = folder.folders.get(stem)
      const own = below && readmeOf(below) !== undefined ? undefined : below
      items.set(
        `${naturalOrder(stem)}\u0000${file}`,
        pageOf(file, own ? yield* outlineOfFolder(own, depth + 1) : []),
      )
      if (own) folder.folders.delete(stem)
    }
    for (const [name, below] of folder.folders) {
      const file = readmeOf(below)
      const children = yield* outlineOfFolder(below, depth + 1)
      const title = titleOfName(name)
      const item: Outline =
        file !== undefined
          ? pageOf(file, children)
          : depth === 0
            ? { kind: 'group', title, children }
            : { kind: 'document', title, file: joinPath(below.path, folderReadme), children }
      items.set(`${naturalOrder(name)}\u0000`, item)
    }
    return [...items].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item)
  }

  function pageOf(file: string, children: readonly Outline[]): Outline {
    const name = nameOf(file) === folderReadme ? nameOf(folderOf(file)) || nameOf(file) : nameOf(file)
    return {
      kind: 'document',
      title: titleOf(file) ?? titleOfName(name.replace(/\.(?:md|markdown)$/i, '')),
      file,
      children,
    }
  }
}

/** Returns the outline of the pages of a snapshot. */
export function outlineOfTree(nodes: readonly PageNode[]): readonly Outline[] {
  return nodes.map(({ page, children: below }): Outline => {
    const { title } = page
    const children = outlineOfTree(below)
    switch (page.type) {
      case 'group':
        return { kind: 'group', title, ...(page.slug !== slugify(title) && { slug: page.slug }), children }
      case 'document':
        return { kind: 'document', ...entryOf(page), file: page.file, children }
      case 'link':
        return { kind: 'link', title, url: page.url, children }
      case 'computed':
        return { kind: 'computed', title, source: page.source, children }
    }
  })
}

/**
 * Returns whether a table of contents still matches the tree. A group's slug may have got a number in the tree, and a
 * page without a file matches any file that does not exist.
 */
export function sameOutline(said: readonly Outline[], tree: readonly Outline[], kindOf: KindOf): boolean {
  return said.length === tree.length && said.every((one, index) => same(one, tree[index]!))

  function same(one: Outline, other: Outline): boolean {
    if (one.title !== other.title || !sameOutline(one.children, other.children, kindOf)) return false
    if (one.kind === 'group' && other.kind === 'group') {
      const slug = other.slug ?? slugify(other.title)
      const natural = slugify(one.slug ?? one.title)
      return (
        slug === natural || (slug.startsWith(`${natural}-`) && /^\d+$/.test(slug.slice(natural.length + 1)))
      )
    }
    if (one.kind === 'document' && other.kind === 'document') {
      // A link title may also come from the text, where the table of contents need not repeat it.
      if (one.linkTitle !== undefined && one.linkTitle !== other.linkTitle) return false
      return one.file === undefined ? kindOf(other.file!) === undefined : one.file === other.file
    }
    if (one.kind === 'link' && other.kind === 'link') return one.url === other.url
    return one.kind === 'computed' && other.kind === 'computed' && one.source === other.source
  }
}

interface Folder {
  readonly path: string
  readonly files: string[]
  readonly folders: Map<string, Folder>
}

function naturalOrder(name: string): string {
  return name.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(12, '0'))
}

function titleOfName(name: string): string {
  const words = name.replace(/[-_]+/g, ' ').trim() || name
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function optional<Name extends string>(
  name: Name,
  value: string | undefined,
): { readonly [Key in Name]?: string } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: string }
}

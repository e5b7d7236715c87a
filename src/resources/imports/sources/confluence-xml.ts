/**
 * Confluence XML export: the objects are read twice, first for the page tree, then for the bodies, so that only one
 * object is in memory. Old versions, drafts and trashed pages are not imported.
 */
import { type ImportTarget, parseImportUrl } from '../../../core/confluence/storage.js'
import type { SummaryItem } from '../../../core/markdown/summary-format.js'
import { folderOf, joinPath, nameOf, slugify } from '../../../core/pages/paths.js'
import type { HtmlPage } from '../../../core/html/convert.js'
import { ApiError } from '../../../contract/errors.js'
import type { StoredPageOptions } from '../../../store/reading/reader.js'
import type { ArchiveItem } from '../archive.js'
import { parseWikiUrl } from './confluence-urls.js'
import { type Entity, readEntities } from './confluence-entities.js'
import {
  type OpenItems,
  type PathMapping,
  type SourceContext,
  createPathMapping,
  listPaths,
  noPagesError,
  pageItem,
  referencedFiles,
  convertPage,
  summaryEntry,
  textEntry,
  withTitle,
} from './source.js'

export const entitiesFile = 'entities.xml'
/** Maximum nesting of folders; deeper pages become siblings of their parent. */
const maxFolderDepth = 12

interface ExportedPage {
  readonly id: string
  readonly title: string
  /** The id of its space. */
  readonly space: string
  readonly parent: string | undefined
  readonly position: number
  readonly isPost: boolean
}

interface SpaceExport {
  readonly pages: ReadonlyMap<string, ExportedPage>
  readonly home: string | undefined
  /** The keys of spaces, by their ids. */
  readonly spaces: ReadonlyMap<string, string>
  /** Paths in the archive, by the id of the attachment's page and the file name. */
  readonly files: ReadonlyMap<string, string>
}

export async function* convertEntities(open: OpenItems, context: SourceContext): AsyncGenerator<ArchiveItem> {
  const paths = await listPaths(open)
  const space = await readSpaceExport(open, paths)
  if (space.pages.size === 0) throw noPagesError('page of Confluence that is not deleted')
  const mapping = createPathMapping()
  const below = groupByParent(space)
  const summary = assignPaths(space, below, mapping)
  // A post may have the same title as a page; the page wins.
  const postsFirst = [...space.pages.values()].toSorted((a, b) => Number(b.isPost) - Number(a.isPost))
  const byTitle = new Map(postsFirst.map((page) => [titleKey(space, page, page.title), page]))
  const linkIndex = { space, byTitle, keys: new Set(space.spaces.values()) }
  for (const [key, path] of space.files) {
    const name = key.slice(key.indexOf('\n') + 1).replaceAll('/', '-')
    if (!mapping.newPaths.has(path))
      mapping.assign(path, `.gitbook/assets/${/^\.*$/.test(name) ? 'file' : name}`)
  }
  const referenced = new Set<string>()
  const written = new Set<string>()
  for await (const { properties } of entitiesOf(open, ['BodyContent'])) {
    const page = space.pages.get((properties.get('content') ?? '').trim())
    if (page === undefined || written.has(page.id)) continue
    written.add(page.id)
    const body = properties.get('body') ?? ''
    const key = keyOf(page)
    const find = createReferenceFinder(page, linkIndex)
    const children = (below.get(page.id) ?? []).map(({ id, title }) => ({ id, title }))
    const storage = { title: page.title, below: children }
    const read = await convertBody(body, storage, find, context)
    const move = {
      from: key,
      to: mapping.newPaths.get(key)!,
      mapping,
      find,
      onReference: (old: string) => void referenced.add(old),
    }
    yield* convertPage(read, page.title, move, context)
  }
  for (const page of space.pages.values())
    if (!written.has(page.id)) yield textEntry(mapping.newPaths.get(keyOf(page))!, withTitle(page.title, ''))
  const isFile = new Set(space.files.values())
  yield* referencedFiles(open, {
    mapping,
    isPage: (path) => !isFile.has(path) && folderOf(path) === '',
    isReferenced: (path) => referenced.has(path),
  })
  yield summaryEntry(summary)
}

/** Converts a body; converts it again when it has references that cannot be resolved, which then become plain text. */
async function convertBody(
  body: string,
  storage: StoredPageOptions,
  find: FindReference,
  { reader }: SourceContext,
): Promise<HtmlPage> {
  const read = await reader.convert(body, { storage })
  const own = read.destinations.filter((address) => parseImportUrl(address) !== undefined)
  const resolvable = own.filter((address) => find(address) !== undefined)
  if (resolvable.length === own.length) return read
  return reader.convert(body, {
    storage: { ...storage, leads: resolvable.map((address) => address.split('#', 1)[0]!) },
  })
}

/** Returns the key of a page by title; titles are unique within a space. */
function titleKey({ spaces }: SpaceExport, { space }: ExportedPage, title: string, key?: string): string {
  return `${key ?? spaces.get(space) ?? ''}\n${title}`
}

function keyOf({ id }: ExportedPage): string {
  return `page:${id}`
}

async function* entitiesOf(open: OpenItems, kinds: readonly string[]): AsyncGenerator<Entity> {
  for await (const item of open()) {
    if (!('open' in item) || nameOf(item.path) !== entitiesFile) continue
    yield* readEntities(item.stream(), new Set(kinds))
    return
  }
}

async function readSpaceExport(open: OpenItems, paths: readonly string[]): Promise<SpaceExport> {
  const pages = new Map<string, ExportedPage>()
  const files = new Map<string, string>()
  const versions = new Map<string, string[]>()
  for (const path of paths) {
    const [, folder] = /(?:^|\/)attachments\/(\d+\/\d+)\/[^/]+$/.exec(path) ?? []
    if (folder === undefined) continue
    const versionsOfFile = versions.get(folder)
    if (versionsOfFile === undefined) versions.set(folder, [path])
    else versionsOfFile.push(path)
  }
  const spaces = new Map<string, string>()
  let home: string | undefined
  for await (const { kind, id, properties } of entitiesOf(open, [
    'Page',
    'BlogPost',
    'Attachment',
    'Space',
  ])) {
    if (kind === 'Space') {
      home ??= properties.get('homePage')?.trim() || undefined
      spaces.set(id, properties.get('key') ?? '')
    } else if (!isCurrent(properties)) continue
    else if (kind === 'Attachment') {
      const owner = (properties.get('containerContent') ?? properties.get('content') ?? '').trim()
      const name = properties.get('title') ?? properties.get('fileName') ?? ''
      const versionPaths = versions.get(`${owner}/${id}`)
      const path =
        versionPaths?.find((one) => nameOf(one) === properties.get('version')?.trim()) ?? versionPaths?.at(-1)
      if (path !== undefined && name !== '') files.set(`${owner}\n${name}`, path)
    } else {
      const position = Number.parseInt(properties.get('position') ?? '', 10)
      pages.set(id, {
        id,
        title: properties.get('title')?.trim() || 'Untitled',
        space: properties.get('space')?.trim() ?? '',
        parent: properties.get('parent')?.trim() || undefined,
        position: Number.isNaN(position) ? Number.MAX_SAFE_INTEGER : position,
        isPost: kind === 'BlogPost',
      })
    }
    if (pages.size > maxPages) {
      const problem = `it holds more than ${maxPages} pages`
      throw new ApiError('import_failed', { problem })
    }
  }
  return { pages, home, spaces, files }
}

const maxPages = 100_000

/** An old version has the id of the current version in `originalVersion`. */
function isCurrent(properties: ReadonlyMap<string, string>): boolean {
  const status = properties.get('contentStatus')?.trim() ?? 'current'
  return status === 'current' && !properties.get('originalVersion')?.trim()
}

type ChildPages = ReadonlyMap<string | undefined, readonly ExportedPage[]>

/** Returns the ordered children of each page, and the pages without a parent under `undefined`. */
function groupByParent({ pages, home }: SpaceExport): ChildPages {
  const below = new Map<string | undefined, ExportedPage[]>()
  for (const page of pages.values()) {
    if (page.isPost || page.id === home) continue
    const parent = page.parent !== undefined && pages.has(page.parent) ? page.parent : undefined
    const siblings = below.get(parent)
    if (siblings === undefined) below.set(parent, [page])
    else siblings.push(page)
  }
  for (const siblings of below.values())
    siblings.sort((a, b) => a.position - b.position || (a.title < b.title ? -1 : 1))
  return below
}

/** Assigns each page its path, and returns the table of contents: the home page first, then its children. */
function assignPaths({ pages, home }: SpaceExport, below: ChildPages, mapping: PathMapping): SummaryItem[] {
  const childrenOf = (parent: string | undefined): readonly ExportedPage[] => below.get(parent) ?? []
  const assignPath = (page: ExportedPage, folder: string): string =>
    mapping.assign(keyOf(page), joinPath(folder, `${slugify(page.title)}.md`))
  const itemsOf = (parent: string | undefined, folder: string, depth: number): SummaryItem[] =>
    childrenOf(parent).flatMap((page): SummaryItem[] => {
      const file = assignPath(page, folder)
      if (depth < maxFolderDepth)
        return [pageItem(page.title, file, itemsOf(page.id, file.replace(/\.md$/, ''), depth + 1))]
      // All descendants, at any depth.
      const items = [pageItem(page.title, file)]
      const queue = [...childrenOf(page.id)]
      for (const next of queue) {
        items.push(pageItem(next.title, assignPath(next, folder)))
        for (const child of childrenOf(next.id)) queue.push(child)
      }
      return items
    })
  const first = home === undefined ? undefined : pages.get(home)
  const items: SummaryItem[] = []
  if (first !== undefined) items.push(pageItem(first.title, mapping.assign(keyOf(first), 'README.md')))
  if (first !== undefined) items.push(...itemsOf(first.id, '', 0))
  items.push(...itemsOf(undefined, '', 0))
  const posts = [...pages.values()].filter(({ isPost }) => isPost)
  const rest = [...pages.values()].filter((page) => !page.isPost && !mapping.newPaths.has(keyOf(page)))
  // Pages in a parent cycle have no listed ancestor.
  for (const page of rest)
    items.push(pageItem(page.title, mapping.assign(keyOf(page), `${slugify(page.title)}.md`)))
  if (posts.length === 0) return items
  const children = posts.map((page) =>
    pageItem(page.title, mapping.assign(keyOf(page), `blog/${slugify(page.title)}.md`)),
  )
  return [...items, { kind: 'group', title: 'Blog', children }]
}

type FindReference = (url: string) => { readonly path: string; readonly fragment?: string } | undefined

interface LinkIndex {
  readonly space: SpaceExport
  readonly byTitle: ReadonlyMap<string, ExportedPage>
  readonly keys: ReadonlySet<string>
}

/** Returns a function that resolves the references of a page to pages and attachments. */
function createReferenceFinder(page: ExportedPage, { space, byTitle, keys }: LinkIndex): FindReference {
  const pageOf = (reference: ImportTarget): ExportedPage | undefined => {
    if (reference.kind === 'id') return space.pages.get(reference.id)
    if (reference.kind !== 'page') return undefined
    return reference.title === '@self'
      ? page
      : byTitle.get(titleKey(space, page, reference.title, reference.space))
  }
  return (url) => {
    const reference = parseImportUrl(url) ?? resolveWikiUrl(url, keys)
    if (reference === undefined) return undefined
    if (reference.kind !== 'file') {
      const target = pageOf(reference)
      return target && { path: keyOf(target), ...(reference.fragment && { fragment: reference.fragment }) }
    }
    const owner = reference.of === undefined ? page : pageOf(reference.of)
    const path = owner && space.files.get(`${owner.id}\n${reference.name}`)
    return path === undefined ? undefined : { path }
  }
}

/**
 * Returns the page that an absolute wiki URL refers to. Its fragment is dropped: Confluence writes anchors
 * differently there.
 */
function resolveWikiUrl(
  url: string,
  keys: ReadonlySet<string>,
): (ImportTarget & { readonly fragment?: undefined }) | undefined {
  const reference = parseWikiUrl(url)
  if (reference?.kind !== 'id') return reference
  return reference.space === undefined || keys.has(reference.space)
    ? { kind: 'id', id: reference.id }
    : undefined
}

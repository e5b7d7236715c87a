/**
 * A space of Confluence, exported as XML: its objects are read twice, once for what hangs together how, once for the
 * texts, so that no more than one of them is held at a time. Old versions, drafts and what is in its trash stay behind.
 */
import { destinationsOfStorage } from '../../../core/confluence/storage.js'
import { decodePercent } from '../../../core/links/resolve.js'
import type { SummaryItem } from '../../../core/markdown/summary-format.js'
import { folderOf, joinPath, nameOf, slugify } from '../../../core/pages/paths.js'
import { ApiError } from '../../../contract/errors.js'
import type { ArchiveItem } from '../archive.js'
import { type Entity, readEntities } from './confluence-entities.js'
import {
  type OpenItems,
  type Places,
  type SourceContext,
  createPlaces,
  listPaths,
  noPages,
  pageItem,
  placeFiles,
  placePage,
  summaryEntry,
  textEntry,
  withTitle,
} from './source.js'

export const entitiesFile = 'entities.xml'
/** Characters of a page whose links are followed: the longest of people have a tenth. */
const longestBody = 5_000_000
/** Folders in one another; what lies deeper stands beside its parent. */
const mostFolders = 12

interface StoredPage {
  readonly id: string
  readonly title: string
  readonly parent: string | undefined
  readonly position: number
  readonly isPost: boolean
}

interface Told {
  readonly pages: ReadonlyMap<string, StoredPage>
  readonly home: string | undefined
  /** Paths in the archive, by the page that a file hangs on and its name. */
  readonly files: ReadonlyMap<string, string>
}

export async function* convertEntities(open: OpenItems, context: SourceContext): AsyncGenerator<ArchiveItem> {
  const paths = await listPaths(open)
  const told = await readTold(open, paths)
  if (told.pages.size === 0) throw noPages('page of Confluence that is not deleted')
  const places = createPlaces()
  const summary = placePages(told, places)
  const byTitle = new Map([...told.pages.values()].map((page) => [page.title, page]))
  for (const [key, path] of told.files) {
    const name = key.slice(key.indexOf('\n') + 1).replaceAll('/', '-')
    if (!places.of.has(path)) places.take(path, `.gitbook/assets/${/^\.*$/.test(name) ? 'file' : name}`)
  }
  const met = new Set<string>()
  const written = new Set<string>()
  for await (const { properties } of entitiesOf(open, ['BodyContent'])) {
    const page = told.pages.get((properties.get('content') ?? '').trim())
    if (page === undefined || written.has(page.id)) continue
    written.add(page.id)
    const body = properties.get('body') ?? ''
    const key = keyOf(page)
    const find = findFrom(page, { told, byTitle })
    // A page beyond all measure keeps its words.
    const named = body.length > longestBody ? [] : destinationsOfStorage(body)
    const leads = [...named].filter((address) => find(address) !== undefined)
    const read = await context.reader.convert(body, { storage: { title: page.title, leads } })
    const move = {
      from: key,
      to: places.of.get(key)!,
      places,
      find,
      meet: (old: string) => void met.add(old),
    }
    yield* placePage(read, page.title, move, context)
  }
  for (const page of told.pages.values())
    if (!written.has(page.id)) yield textEntry(places.of.get(keyOf(page))!, withTitle(page.title, ''))
  const isFile = new Set(told.files.values())
  yield* placeFiles(open, {
    places,
    isPage: (path) => !isFile.has(path) && folderOf(path) === '',
    isMet: (path) => met.has(path),
  })
  yield summaryEntry(summary)
}

function keyOf({ id }: StoredPage): string {
  return `page:${id}`
}

async function* entitiesOf(open: OpenItems, kinds: readonly string[]): AsyncGenerator<Entity> {
  for await (const item of open()) {
    if (!('open' in item) || nameOf(item.path) !== entitiesFile) continue
    yield* readEntities(item.stream(), new Set(kinds))
    return
  }
}

async function readTold(open: OpenItems, paths: readonly string[]): Promise<Told> {
  const pages = new Map<string, StoredPage>()
  const files = new Map<string, string>()
  const versions = new Map<string, string[]>()
  for (const path of paths) {
    const [, folder] = /(?:^|\/)attachments\/(\d+\/\d+)\/[^/]+$/.exec(path) ?? []
    if (folder === undefined) continue
    const known = versions.get(folder)
    if (known === undefined) versions.set(folder, [path])
    else known.push(path)
  }
  let home: string | undefined
  for await (const { kind, id, properties } of entitiesOf(open, [
    'Page',
    'BlogPost',
    'Attachment',
    'Space',
  ])) {
    if (kind === 'Space') home = properties.get('homePage')?.trim() || home
    else if (!isCurrent(properties)) continue
    else if (kind === 'Attachment') {
      const owner = (properties.get('containerContent') ?? properties.get('content') ?? '').trim()
      const name = properties.get('title') ?? properties.get('fileName') ?? ''
      const kept = versions.get(`${owner}/${id}`)
      const path = kept?.find((one) => nameOf(one) === properties.get('version')?.trim()) ?? kept?.at(-1)
      if (path !== undefined && name !== '') files.set(`${owner}\n${name}`, path)
    } else {
      const position = Number.parseInt(properties.get('position') ?? '', 10)
      pages.set(id, {
        id,
        title: properties.get('title')?.trim() || 'Untitled',
        parent: properties.get('parent')?.trim() || undefined,
        position: Number.isNaN(position) ? Number.MAX_SAFE_INTEGER : position,
        isPost: kind === 'BlogPost',
      })
    }
    if (pages.size > mostPages) {
      const problem = `it holds more than ${mostPages} pages`
      throw new ApiError('import_failed', { problem })
    }
  }
  return { pages, home, files }
}

const mostPages = 100_000

/** An old version names the one that is shown. */
function isCurrent(properties: ReadonlyMap<string, string>): boolean {
  const status = properties.get('contentStatus')?.trim() ?? 'current'
  return status === 'current' && !properties.get('originalVersion')?.trim()
}

/** Gives each page its place, and returns the table of contents: the page of the space first, then what is below it. */
function placePages({ pages, home }: Told, places: Places): SummaryItem[] {
  const below = new Map<string | undefined, StoredPage[]>()
  for (const page of pages.values()) {
    if (page.isPost || page.id === home) continue
    const parent = page.parent !== undefined && pages.has(page.parent) ? page.parent : undefined
    const siblings = below.get(parent)
    if (siblings === undefined) below.set(parent, [page])
    else siblings.push(page)
  }
  const childrenOf = (parent: string | undefined): readonly StoredPage[] =>
    (below.get(parent) ?? []).toSorted((a, b) => a.position - b.position || (a.title < b.title ? -1 : 1))
  const place = (page: StoredPage, folder: string): string =>
    places.take(keyOf(page), joinPath(folder, `${slugify(page.title)}.md`))
  const itemsOf = (parent: string | undefined, folder: string, depth: number): SummaryItem[] =>
    childrenOf(parent).flatMap((page): SummaryItem[] => {
      const file = place(page, folder)
      if (depth < mostFolders)
        return [pageItem(page.title, file, itemsOf(page.id, file.replace(/\.md$/, ''), depth + 1))]
      // However deep they lie.
      const items = [pageItem(page.title, file)]
      const waiting = [...childrenOf(page.id)]
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        items.push(pageItem(next.title, place(next, folder)))
        for (const child of childrenOf(next.id)) waiting.push(child)
      }
      return items
    })
  const first = home === undefined ? undefined : pages.get(home)
  const items: SummaryItem[] = []
  if (first !== undefined) items.push(pageItem(first.title, places.take(keyOf(first), 'README.md')))
  if (first !== undefined) items.push(...itemsOf(first.id, '', 0))
  items.push(...itemsOf(undefined, '', 0))
  const posts = [...pages.values()].filter(({ isPost }) => isPost)
  const rest = [...pages.values()].filter((page) => !page.isPost && !places.of.has(keyOf(page)))
  // Pages that stand in a circle are below nothing that could be listed.
  for (const page of rest)
    items.push(pageItem(page.title, places.take(keyOf(page), `${slugify(page.title)}.md`)))
  if (posts.length === 0) return items
  const children = posts.map((page) =>
    pageItem(page.title, places.take(keyOf(page), `blog/${slugify(page.title)}.md`)),
  )
  return [...items, { kind: 'group', title: 'Blog', children }]
}

/** Returns what finds the pages and files that a page names. */
function findFrom(
  page: StoredPage,
  { told, byTitle }: { readonly told: Told; readonly byTitle: ReadonlyMap<string, StoredPage> },
): (url: string) => { readonly path: string; readonly fragment?: string } | undefined {
  return (url) => {
    const [, kind, named, of, fragment] = /^~(page|file)\/([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(url) ?? []
    if (kind === undefined) return undefined
    const name = decodePercent(named!)
    if (kind === 'page') {
      const target = byTitle.get(name)
      return target && { path: keyOf(target), ...(fragment && { fragment }) }
    }
    const owner = of === undefined ? page : byTitle.get(decodePercent(of))
    const path = owner && told.files.get(`${owner.id}\n${name}`)
    return path === undefined ? undefined : { path }
  }
}

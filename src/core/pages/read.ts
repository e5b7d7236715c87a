/**
 * Queries of a snapshot: pages, the tree over them, files and reusable contents.
 *
 * Every function is a `Step` and reads no more than it returns; only `pageTree` reads all pages.
 */
import type { FileId, Hash, PageId } from '../ids.js'
import { at, get, getMany, range } from '../merkle/map.js'
import type { Step } from '../merkle/types.js'
import { childrenPrefix, orderKey, pathKey, readOrderKey } from './keys.js'
import { joinPath, nameOf } from './paths.js'
import type { ComputedPage, DocumentPage, FileRecord, NameEntry, PageRecord, Snapshot } from './types.js'

/** A page with its subpages in order. */
export interface PageNode {
  readonly page: PageRecord
  readonly children: readonly PageNode[]
}

/** Returns the page of an id, or undefined. */
export function* findPage(snapshot: Snapshot, id: PageId): Step<PageRecord | undefined> {
  return yield* get(snapshot.pages, id)
}

/** Returns the pages of many ids, in the order of the ids; undefined for those that do not exist. */
export function* findPages(snapshot: Snapshot, ids: readonly PageId[]): Step<(PageRecord | undefined)[]> {
  return yield* getMany(snapshot.pages, ids)
}

/** Returns the page at a path in any case, or undefined; the empty path is the first document. */
export function* findPageByPath(snapshot: Snapshot, path: string): Step<PageRecord | undefined> {
  if (path === '') return yield* firstPage(snapshot)
  const id = yield* get(snapshot.paths, pathKey(path))
  return id === undefined ? undefined : yield* findPage(snapshot, id as PageId)
}

/** Returns the page whose text is in a file, or undefined. */
export function* findPageByFile(snapshot: Snapshot, file: string): Step<DocumentPage | undefined> {
  const entry = yield* entryAt(snapshot, file)
  if (!entry || !('page' in entry)) return undefined
  return (yield* findPage(snapshot, entry.page)) as DocumentPage | undefined
}

/** Returns the children of a page in order; null means the top level. */
export function* children(snapshot: Snapshot, parent: PageId | null): Step<PageRecord[]> {
  const keys = yield* range(snapshot.order, { prefix: childrenPrefix(parent) })
  const pages = yield* findPages(
    snapshot,
    keys.map(([key]) => readOrderKey(key).id),
  )
  return pages as PageRecord[]
}

/** Returns all pages, nested in order. */
export function* pageTree(snapshot: Snapshot): Step<PageNode[]> {
  const pages = new Map(yield* range(snapshot.pages))
  const nodes = new Map<PageId | null, PageNode[]>([[null, []]])
  const listOf = (id: PageId | null): PageNode[] => {
    const known = nodes.get(id)
    if (known) return known
    const list: PageNode[] = []
    nodes.set(id, list)
    return list
  }
  for (const [key] of yield* range(snapshot.order)) {
    const { parent, id } = readOrderKey(key)
    listOf(parent).push({ page: pages.get(id)!, children: listOf(id) })
  }
  return listOf(null)
}

/** Returns the pages above a page, the topmost first. */
export function* ancestors(snapshot: Snapshot, page: PageRecord): Step<PageRecord[]> {
  const above: PageRecord[] = []
  let parent = page.parent
  while (parent !== null) {
    const found = yield* findPage(snapshot, parent)
    if (!found) break
    above.push(found)
    parent = found.parent
  }
  return above.toReversed()
}

/** Returns the first document in reading order, or undefined for a space without documents. */
export function* firstPage(snapshot: Snapshot): Step<DocumentPage | undefined> {
  const first = yield* at(snapshot.order, 0)
  if (!first) return undefined
  let page = yield* findPage(snapshot, readOrderKey(first[0]).id)
  while (page && page.type !== 'document') page = yield* pageAfter(snapshot, page)
  return page as DocumentPage | undefined
}

/**
 * Returns the first page of a group that is open and has a page of its own: where a link to the group leads. Pages that
 * are not listed come last.
 */
export function* firstPageOfGroup(
  snapshot: Snapshot,
  { id }: PageRecord,
  isOpen: (page: PageRecord) => boolean = () => true,
): Step<DocumentPage | ComputedPage | undefined> {
  let unlisted: DocumentPage | ComputedPage | undefined
  for (const page of yield* children(snapshot, id)) {
    if ((page.type !== 'document' && page.type !== 'computed') || !isOpen(page)) continue
    if (page.hidden !== true) return page
    unlisted ??= page
  }
  return unlisted
}

/** Pages that the search for the first open page passes at most. */
const maxPassedPages = 1_000

/** Returns the first listed document that is open, in reading order; what is below a closed page is closed. */
export function* firstOpenPage(
  snapshot: Snapshot,
  isOpen: (page: PageRecord) => boolean,
): Step<DocumentPage | undefined> {
  const [first] = yield* range(snapshot.order, { prefix: childrenPrefix(null), limit: 1 })
  let page = first && (yield* findPage(snapshot, readOrderKey(first[0]).id))
  for (let passed = 0; page !== undefined && passed < maxPassedPages; passed++) {
    const isClosed = !isOpen(page)
    if (!isClosed && page.type === 'document' && page.hidden !== true) return page
    page = yield* isClosed ? pageAfterBranch(snapshot, page) : pageAfter(snapshot, page)
  }
  return undefined
}

/** Returns the page that follows in reading order (subpages come before the next sibling), or undefined at the end. */
export function* pageAfter(snapshot: Snapshot, page: PageRecord): Step<PageRecord | undefined> {
  const [below] = yield* range(snapshot.order, { prefix: childrenPrefix(page.id), limit: 1 })
  if (below === undefined) return yield* pageAfterBranch(snapshot, page)
  return yield* findPage(snapshot, readOrderKey(below[0]).id)
}

/** Returns the page that follows a page and all its subpages in reading order, or undefined at the end. */
function* pageAfterBranch(snapshot: Snapshot, page: PageRecord): Step<PageRecord | undefined> {
  let from: PageRecord | undefined = page
  while (from) {
    const [next] = yield* range(snapshot.order, {
      prefix: childrenPrefix(from.parent),
      from: `${orderKey(from.parent, from.position, from.id)}\u0000`,
      limit: 1,
    })
    if (next !== undefined) return yield* findPage(snapshot, readOrderKey(next[0]).id)
    from = from.parent === null ? undefined : yield* findPage(snapshot, from.parent)
  }
  return undefined
}

/** Returns the page before in reading order, or undefined at the start. */
export function* pageBefore(snapshot: Snapshot, page: PageRecord): Step<PageRecord | undefined> {
  let found = yield* range(snapshot.order, {
    prefix: childrenPrefix(page.parent),
    to: orderKey(page.parent, page.position, page.id),
    limit: 1,
    reverse: true,
  })
  if (found.length === 0) return page.parent === null ? undefined : yield* findPage(snapshot, page.parent)
  for (;;) {
    const { id } = readOrderKey(found[0]![0])
    const last = yield* range(snapshot.order, { prefix: childrenPrefix(id), limit: 1, reverse: true })
    if (last.length === 0) return yield* findPage(snapshot, id)
    found = last
  }
}

/** Returns the files in order of their ids, after an id when one is passed. */
export function* listFiles(
  snapshot: Snapshot,
  within: { readonly after?: FileId; readonly limit?: number } = {},
): Step<FileRecord[]> {
  const entries = yield* range(snapshot.files, {
    ...(within.after !== undefined && { from: `${within.after}\u0000` }),
    ...(within.limit !== undefined && { limit: within.limit }),
  })
  return entries.map(([, value]) => value)
}

/** Returns the file of an id, or undefined. */
export function* findFile(snapshot: Snapshot, id: FileId): Step<FileRecord | undefined> {
  return yield* get(snapshot.files, id)
}

/** Returns the entry at a file path (exact case), or undefined. */
export function* entryAt(snapshot: Snapshot, path: string): Step<NameEntry | undefined> {
  return yield* get(snapshot.names, path)
}

/** Returns the file paths that begin with a prefix, with their entries. */
export function* listNames(snapshot: Snapshot, prefix = ''): Step<[path: string, entry: NameEntry][]> {
  const entries = yield* range(snapshot.names, { prefix })
  return entries.map(([path, value]) => [path, value])
}

/** A text that pages include, by its id. */
export interface ReusableContentEntry {
  readonly id: string
  readonly title: string
  readonly path: string
  readonly text: Hash
}

/** Returns the reusable contents in order of their paths. */
export function* listReusableContents(snapshot: Snapshot): Step<ReusableContentEntry[]> {
  const names = yield* listNames(snapshot, joinPath(snapshot.config.root, '.gitbook/includes/'))
  return names.flatMap(([path, entry]) =>
    'text' in entry && entry.id !== undefined
      ? [{ id: entry.id, title: titleOfText(path, entry), path, text: entry.text }]
      : [],
  )
}

/** Returns the title of a reusable content: that of its front matter, else the name of its file. */
export function titleOfText(
  path: string,
  entry: NameEntry | { readonly title?: string } | undefined,
): string {
  const title = entry !== undefined && 'title' in entry ? entry.title : undefined
  return title ?? nameOf(path).replace(/\.md$/i, '')
}

/**
 * Link resolution: the targets of the destinations in a text, in one snapshot. Used for the document JSON,
 * the published page and the lists of links. All destinations of a text are looked up in a
 * few batches, so the cost is a few map reads whatever their number.
 */
import type { ContentConfig } from '../config.js'
import type { Hash } from '../ids.js'
import { type Resolved, resolveReference } from '../links/resolve.js'
import { getMany, range } from '../merkle/map.js'
import { forEachWithPauses, pause, runTogether } from '../merkle/steps.js'
import type { MapRoot, Step } from '../merkle/types.js'
import { pathKey } from './keys.js'
import { folderOf, isReadme, resolveOptions } from './paths.js'
import type { FileRecord, NameEntry, PageRecord, Snapshot } from './types.js'

export type Target =
  | { readonly kind: 'page'; readonly page: PageRecord; readonly fragment?: string }
  | { readonly kind: 'file'; readonly file: FileRecord }
  /** A text that is no page, such as a reusable content. */
  | { readonly kind: 'text'; readonly path: string; readonly entry: Extract<NameEntry, { text: unknown }> }
  | { readonly kind: 'anchor'; readonly fragment: string }
  | { readonly kind: 'space'; readonly space: string; readonly path: string; readonly fragment?: string }
  /** An external address: http, mail and the like. */
  | { readonly kind: 'url'; readonly url: string }
  /** A destination inside the content that does not exist. */
  | { readonly kind: 'broken'; readonly path: string }

/** Returns the target of each destination in the text of `fromFile`, keyed by the destination as written. */
export function* resolveTargets(
  snapshot: Snapshot,
  fromFile: string,
  urls: Iterable<string>,
  applications: readonly string[] = [],
): Step<Map<string, Target>> {
  const options = { ...resolveOptions(snapshot.config), applications }
  const resolved = new Map<string, Resolved>()
  for (const url of urls) {
    if (!resolved.has(url)) resolved.set(url, resolveReference(fromFile, url, options))
  }
  const known = yield* indexTargets(snapshot, resolved.values())
  return new Map([...resolved].map(([url, reading]) => [url, resolveTarget(known, reading, snapshot.config)]))
}

/** Returns an index of everything the destinations may refer to, in a few batches whatever their number. */
export function* indexTargets(snapshot: Snapshot, destinations: Iterable<Resolved>): Step<ContentIndex> {
  const all = [...destinations]
  const files = new Set<string>()
  /** Ids of pages, or their paths. */
  const named = new Set<string>()
  const uploads = new Set<string>()
  for (const reading of all) {
    if (reading.kind === 'file') for (const path of readings(reading)) files.add(path)
    if (reading.kind === 'page') named.add(reading.page)
    if (reading.kind === 'upload') uploads.add(reading.file)
  }
  const entries = yield* getExisting(snapshot.names, files)
  // A group is looked up only where no file exists: most destinations need no paths.
  for (const reading of all) {
    const isFound = reading.kind !== 'file' || readings(reading).some((path) => entries.has(path))
    if (!isFound) named.add(folderPath(reading, snapshot.config))
  }
  const byPath = yield* getExisting(snapshot.paths, [...named].map(pathKey))
  const ids = new Set<string>([...named, ...byPath.values()])
  for (const entry of entries.values()) {
    if ('page' in entry) ids.add(entry.page)
    if ('file' in entry) uploads.add(entry.file)
  }
  const pages = yield* getExisting(snapshot.pages, ids)
  const uploaded = yield* getExisting(snapshot.files, uploads)
  return {
    entryAt: (path) => entries.get(path),
    pageOf: (name) => pages.get(name) ?? pages.get(byPath.get(pathKey(name)) ?? ''),
    fileOf: (id) => uploaded.get(id),
  }
}

/** Index of a whole snapshot. */
export interface SnapshotIndex extends ContentIndex {
  /** Of pages and other texts, by their files. */
  readonly texts: ReadonlyMap<string, Hash>
}

/** Returns the index of a whole snapshot, for callers that need most of it. */
export function* indexSnapshot(snapshot: Snapshot): Step<SnapshotIndex> {
  const [names, pages, files] = yield* runTogether(
    range(snapshot.names),
    range(snapshot.pages),
    range(snapshot.files),
  )
  yield* pause()
  const entries = new Map<string, NameEntry>()
  const texts = new Map<string, Hash>()
  yield* forEachWithPauses(names, ([path, entry]) => {
    entries.set(path, entry)
    if ('text' in entry) texts.set(path, entry.text)
  })
  const byName = new Map<string, PageRecord>()
  yield* forEachWithPauses(pages, ([, page]) => {
    addNames(byName, page)
    if (page.type === 'document' && page.text !== undefined) texts.set(page.file, page.text)
  })
  const byId = new Map<string, FileRecord>()
  yield* forEachWithPauses(files, ([id, file]) => byId.set(id, file))
  return { ...createIndex(entries, byName, byId), texts }
}

/** Returns the index of these records, by all their names. */
export function indexRecords(
  entries: ReadonlyMap<string, NameEntry>,
  pages: readonly PageRecord[],
  files: readonly FileRecord[],
): ContentIndex {
  const byName = new Map<string, PageRecord>()
  for (const page of pages) addNames(byName, page)
  return createIndex(entries, byName, new Map(files.map((file) => [file.id, file])))
}

function addNames(byName: Map<string, PageRecord>, page: PageRecord): void {
  byName.set(page.id, page)
  if (page.type !== 'link') byName.set(pathKey(page.path), page)
}

function createIndex(
  entries: ReadonlyMap<string, NameEntry>,
  byName: ReadonlyMap<string, PageRecord>,
  byId: ReadonlyMap<string, FileRecord>,
): ContentIndex {
  return {
    entryAt: (path) => entries.get(path),
    pageOf: (name) => byName.get(name) ?? byName.get(pathKey(name)),
    fileOf: (id) => byId.get(id),
  }
}

/** Lookups by the names that destinations use. */
export interface ContentIndex {
  entryAt(path: string): NameEntry | undefined
  /** By its id or its path. */
  pageOf(name: string): PageRecord | undefined
  fileOf(id: string): FileRecord | undefined
}

/** Returns the target of a destination among indexed records. */
export function resolveTarget(known: ContentIndex, reading: Resolved, config: ContentConfig): Target {
  const target = targetOf(reading, known)
  if (target.kind !== 'broken' || reading.kind !== 'file') return target
  const group = known.pageOf(folderPath(reading, config))
  return group?.type === 'group' ? { kind: 'page', page: group, ...fragmentOf(reading) } : target
}

function readings(file: Extract<Resolved, { kind: 'file' }>): readonly string[] {
  return [file.path, ...(file.alternatives ?? [])]
}

/** The page path that a link to a folder means where the folder has no page of its own: that of a group. */
function folderPath({ path }: { readonly path: string }, config: ContentConfig): string {
  const folder = isReadme(path, config) ? folderOf(path) : path
  return config.root !== '' && folder.startsWith(`${config.root}/`)
    ? folder.slice(config.root.length + 1)
    : folder
}

function* getExisting<Value>(root: MapRoot<Value>, keys: Iterable<string>): Step<Map<string, Value>> {
  const sorted = [...new Set(keys)].toSorted()
  const values: (Value | undefined)[] = sorted.length === 0 ? [] : yield* getMany(root, sorted)
  const found = new Map<string, Value>()
  for (const [index, key] of sorted.entries()) {
    const value = values[index]
    if (value !== undefined) found.set(key, value)
  }
  return found
}

function targetOf(reading: Resolved, { entryAt, pageOf, fileOf }: ContentIndex): Target {
  switch (reading.kind) {
    case 'anchor':
    case 'space':
      return reading
    case 'mail':
    case 'url':
    case 'outside':
      return reading.kind === 'outside'
        ? { kind: 'broken', path: reading.url }
        : { kind: 'url', url: reading.url }
    case 'upload': {
      const file = fileOf(reading.file)
      return file ? { kind: 'file', file } : { kind: 'broken', path: `/files/${reading.file}` }
    }
    case 'page': {
      const page = pageOf(reading.page)
      return page
        ? { kind: 'page', page, ...fragmentOf(reading) }
        : { kind: 'broken', path: `/pages/${reading.page}` }
    }
    case 'file': {
      for (const path of readings(reading)) {
        const entry = entryAt(path)
        if (entry === undefined) continue
        if ('text' in entry) return { kind: 'text', path, entry }
        if ('file' in entry) return { kind: 'file', file: fileOf(entry.file)! }
        return { kind: 'page', page: pageOf(entry.page)!, ...fragmentOf(reading) }
      }
      return { kind: 'broken', path: reading.path }
    }
  }
}

function fragmentOf({ fragment }: { readonly fragment?: string }): { readonly fragment?: string } {
  return fragment === undefined ? {} : { fragment }
}

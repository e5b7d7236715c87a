/**
 * Matches imported pages, files and reusable contents with existing ones, to reuse their ids: each is matched once, by
 * its path first and by its content second. Reads all records, once.
 */
import type { FileId, Hash, PageId } from '../ids.js'
import { range } from '../merkle/map.js'
import { runTogether } from '../merkle/steps.js'
import type { Step } from '../merkle/types.js'
import type { Outline } from './outline.js'
import { pathKey } from './keys.js'
import type { FileRecord, PageRecord, Snapshot } from './types.js'

interface OutlinePlace {
  readonly path?: string
  readonly file?: string
}

export interface ExistingContent {
  /** The page whose text was in this file; undefined when there was none. */
  pageAtFile(file: string): PageId | undefined
  /** An unmatched page that was imported from the file, or has an equal text, path, or link. */
  page(one: Outline, at: OutlinePlace, text: Hash | undefined): PageId | undefined
  record(id: PageId): PageRecord | undefined
  /** The position that a page had among the children of this parent. */
  position(id: PageId, parent: PageId | null): string | undefined
  /** Excludes the entry at this path from matches by content. */
  reserve(path: string): void
  file(path: string, hash: Hash): FileId | undefined
  text(path: string, hash: Hash): string | undefined
}

/** Returns the index of a snapshot's entries; null is an empty one. */
export function* indexExisting(snapshot: Snapshot | null): Step<ExistingContent> {
  const [pageEntries, fileEntries, nameEntries] = snapshot
    ? yield* runTogether(range(snapshot.pages), range(snapshot.files), range(snapshot.names))
    : [[], [], []]
  const pages = new Map(pageEntries.map(([id, value]) => [id as PageId, value]))
  const names = new Map(nameEntries)
  const pagesByKey = new Map<string, PageId[]>()
  for (const page of pages.values())
    for (const likeness of matchKeysOf(page)) push(pagesByKey, likeness, page.id)
  const filesByHash = new Map<string, FileRecord[]>()
  for (const [, file] of fileEntries) {
    push(filesByHash, file.hash, file)
  }
  const textsByHash = new Map<string, { path: string; id: string }[]>()
  for (const [path, entry] of names) {
    if ('text' in entry && entry.id !== undefined) push(textsByHash, entry.text, { path, id: entry.id })
  }

  const used = new Set<string>()
  const reserved = new Set<string>()
  const useFirst = <Id extends string>(ids: readonly Id[] | undefined): Id | undefined => {
    const id = ids?.find((one) => !used.has(one))
    if (id !== undefined) used.add(id)
    return id
  }
  return {
    pageAtFile(file) {
      const entry = names.get(file)
      return entry && 'page' in entry ? useFirst([entry.page]) : undefined
    },
    page(one, at, text) {
      for (const likeness of matchKeysOfOutline(one, at, text)) {
        const id = useFirst(pagesByKey.get(likeness))
        if (id !== undefined) return id
      }
      return undefined
    },
    record: (id) => pages.get(id),
    position(id, parent) {
      const page = pages.get(id)
      return page?.parent === parent ? page.position : undefined
    },
    reserve: (path) => void reserved.add(path),
    file(path, hash) {
      const entry = names.get(path)
      if (entry && 'file' in entry) return useFirst([entry.file])
      const moved = filesByHash.get(hash)?.filter((file) => !reserved.has(file.path))
      return useFirst(moved?.map((file) => file.id))
    },
    text(path, hash) {
      const entry = names.get(path)
      if (entry && 'text' in entry && entry.id !== undefined) return useFirst([entry.id])
      const moved = textsByHash.get(hash)?.filter((text) => !reserved.has(text.path))
      return useFirst(moved?.map((text) => text.id))
    },
  }
}

/** Keys by which a page is matched, the most specific first. */
function matchKeysOf(page: PageRecord): string[] {
  switch (page.type) {
    case 'document':
      return [
        ...(page.origin === undefined || page.origin.source !== undefined
          ? []
          : [`from ${page.origin.file}`]),
        ...(page.text === undefined ? [] : [`text ${page.text}`]),
      ]
    case 'link':
      return [`link ${page.url} ${page.title}`, `link ${page.url}`]
    case 'group':
      return [`group ${pathKey(page.path)}`, `group titled ${page.title}`]
    case 'computed':
      return [`computed ${pathKey(page.path)}`, `computed from ${page.source}`]
  }
}

function matchKeysOfOutline(
  one: Outline,
  { path = '', file }: OutlinePlace,
  text: Hash | undefined,
): string[] {
  switch (one.kind) {
    case 'document':
      return text === undefined ? [] : [`from ${file}`, `text ${text}`]
    case 'link':
      return [`link ${one.url} ${one.title}`, `link ${one.url}`]
    case 'group':
      return [`group ${pathKey(path)}`, `group titled ${one.title}`]
    case 'computed':
      return [`computed ${pathKey(path)}`, `computed from ${one.source}`]
  }
}

function push<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

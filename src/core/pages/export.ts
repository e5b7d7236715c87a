/**
 * Export of a snapshot: every file of the tree as it is stored, byte for byte.
 *
 * Two texts follow the tree instead of being edited: the table of contents and `.gitbook.yaml`. They are
 * written as stored while they still match the tree, else generated in the style of the old.
 */
import { describePage } from '../markdown/describe.js'
import type { Hash, PageId } from '../ids.js'
import { parseConfig } from '../markdown/gitbook-yaml.js'
import { formatSummary } from '../markdown/summary-format.js'
import type { SummaryItem } from '../markdown/summary-format.js'
import { parseSummary } from '../markdown/summary.js'
import { getMany, range } from '../merkle/map.js'
import { loadTexts, runTogether } from '../merkle/steps.js'
import type { Step } from '../merkle/types.js'
import { outlineOfFiles, outlineOfSummary, outlineOfTree, sameOutline } from './outline.js'
import type { KindOf, Outline } from './outline.js'
import { redirectUrl } from './redirects.js'
import { configFile, folderOf, joinPath } from './paths.js'
import { entryAt, listNames, pageTree } from './read.js'
import { defaultConfig } from '../config.js'
import type { ContentConfig } from '../config.js'
import type { FileRecord, PageRecord, Snapshot } from './types.js'

export type ExportEntry = { readonly path: string } & (
  | { readonly kind: 'text'; readonly hash: Hash }
  /** A generated text, which is not stored. */
  | { readonly kind: 'written'; readonly text: string }
  | { readonly kind: 'file'; readonly file: FileRecord }
)

/** Returns every file that an export writes, in order of their paths; pages without a text have none. */
export function* listExport(snapshot: Snapshot): Step<ExportEntry[]> {
  const { config } = snapshot
  const [names, pages, files] = yield* runTogether(
    listNames(snapshot),
    range(snapshot.pages),
    range(snapshot.files),
  )
  const pageById = new Map(pages.map(([id, value]) => [id as PageId, value]))
  const fileById = new Map(files)
  const exported = new Map<string, ExportEntry>()
  for (const [path, entry] of names) {
    if ('text' in entry) exported.set(path, { path, kind: 'text', hash: entry.text })
    else if ('file' in entry) exported.set(path, { path, kind: 'file', file: fileById.get(entry.file)! })
    else {
      const page = pageById.get(entry.page)
      if (page?.type === 'document' && page.text !== undefined)
        exported.set(path, { path, kind: 'text', hash: page.text })
    }
  }
  for (const [path, text] of [
    [joinPath(config.root, config.summary), yield* currentSummary(snapshot)],
    [configFile, yield* currentConfig(snapshot)],
  ] as const) {
    if (text !== null) exported.set(path, { path, kind: 'written', text })
  }
  return [...exported.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** Returns the table of contents that replaces the stored one, or null while the stored one matches the tree. */
export function* currentSummary(snapshot: Snapshot): Step<string | null> {
  const { config } = snapshot
  const file = joinPath(config.root, config.summary)
  const tree = outlineOfTree(yield* pageTree(snapshot))
  const stored = yield* storedText(snapshot, file)
  if (stored === undefined) {
    return (yield* filesImplyTree(snapshot, tree)) ? null : formatSummary(itemsOf(tree, folderOf(file)))
  }
  const { entries } = parseSummary(stored)
  const kindOf = yield* kindsOf(snapshot, filesOf(entries, folderOf(file), tree))
  // Trees of earlier imports have no links to parts of pages.
  const isCurrent = [false, true].some((omitsParts) =>
    sameOutline(outlineOfSummary(entries, file, kindOf, { omitsParts }).outline, tree, kindOf),
  )
  return isCurrent ? null : formatSummary(itemsOf(tree, folderOf(file)), stored)
}

/** Returns the `.gitbook.yaml` that replaces the stored one, or null while the stored one matches the snapshot. */
export function* currentConfig(snapshot: Snapshot): Step<string | null> {
  const stored = yield* storedText(snapshot, configFile)
  const storedConfig = stored === undefined ? defaultConfig : parseConfig(stored).config
  return sameConfig(storedConfig, snapshot.config) ? null : formatConfig(snapshot.config)
}

/** A tree that an import would make of the files alone needs no table of contents. */
function* filesImplyTree(snapshot: Snapshot, tree: readonly Outline[]): Step<boolean> {
  const pages = new Map(yield* range(snapshot.pages))
  const hashes = new Map<string, Hash>()
  for (const [path, entry] of yield* listNames(snapshot)) {
    const page = 'page' in entry ? (pages.get(entry.page) as PageRecord | undefined) : undefined
    const hash = 'text' in entry ? entry.text : page?.type === 'document' ? page.text : undefined
    if (hash !== undefined) hashes.set(path, hash)
  }
  const titles = new Map<string, string | undefined>()
  for (const [path, hash] of hashes) {
    const [text] = yield* loadTexts([hash])
    titles.set(path, describePage(text!).title)
  }
  const stored = yield* outlineOfFiles(hashes.keys(), snapshot.config, (file) => titles.get(file))
  return sameOutline(stored, tree, (path) => (hashes.has(path) ? 'text' : undefined))
}

function* storedText(snapshot: Snapshot, path: string): Step<string | undefined> {
  const entry = yield* entryAt(snapshot, path)
  return entry && 'text' in entry ? (yield* loadTexts([entry.text]))[0] : undefined
}

type Entries = ReturnType<typeof parseSummary>['entries']

function filesOf(entries: Entries, folder: string, tree: readonly Outline[]): string[] {
  const stored = entries.flatMap((entry): string[] => {
    const named = entry.kind === 'page' ? [entry.file, entry.literalFile] : []
    const files = named.flatMap((name) => (name === undefined ? [] : [joinPath(folder, name)]))
    return [...files, ...filesOf(entry.children, folder, [])]
  })
  const listed = (list: readonly Outline[]): string[] =>
    list.flatMap((one) => [
      ...(one.kind === 'document' && one.file ? [one.file] : []),
      ...listed(one.children),
    ])
  return [...stored, ...listed(tree)]
}

/** A page without a text has a name but no file. */
function* kindsOf(snapshot: Snapshot, paths: readonly string[]): Step<KindOf> {
  const entries = yield* getMany(snapshot.names, paths)
  const ids = entries.flatMap((entry) => (entry && 'page' in entry ? [entry.page] : []))
  const pages = (yield* getMany(snapshot.pages, ids)) as PageRecord[]
  const written = new Set(
    pages.flatMap((page) => (page.type === 'document' && page.text !== undefined ? [page.id] : [])),
  )
  const kinds = new Map<string, 'text' | 'file'>()
  for (const [index, path] of paths.entries()) {
    const entry = entries[index]
    if (entry && 'file' in entry) kinds.set(path, 'file')
    else if (entry && ('text' in entry || written.has(entry.page))) kinds.set(path, 'text')
  }
  return (path) => kinds.get(path)
}

function itemsOf(outline: readonly Outline[], folder: string): SummaryItem[] {
  return outline.map((one): SummaryItem => {
    const children = itemsOf(one.children, folder)
    if (one.kind !== 'document') return { ...one, children }
    const { file, kind: _, ...page } = one
    const below = folder !== '' && file?.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file
    return { ...page, kind: 'page', ...(below !== undefined && { file: below }), children }
  })
}

function sameConfig(a: ContentConfig, b: ContentConfig): boolean {
  return JSON.stringify(membersOf(a)) === JSON.stringify(membersOf(b))
}

function membersOf({ root, readme, summary, redirects }: ContentConfig): unknown {
  const moved = Object.entries(redirects).map(([from, to]) => [from, redirectUrl(to)] as const)
  return [root, readme, summary, moved.toSorted(([a], [b]) => (a < b ? -1 : 1))]
}

/** Every JSON string is a YAML string. */
function formatConfig({ root, readme, summary, redirects }: ContentConfig): string {
  const quoted = (text: string): string =>
    /^[a-z][\w-]*(?:[./][\w-]+)+$/i.test(text) ? text : JSON.stringify(text)
  const lines = [
    `root: ${quoted(`./${root}`)}`,
    '',
    'structure:',
    `  readme: ${quoted(readme)}`,
    `  summary: ${quoted(summary)}`,
  ]
  const moved = Object.entries(redirects)
  if (moved.length > 0) lines.push('', 'redirects:')
  for (const [from, to] of moved) lines.push(`  ${quoted(from)}: ${quoted(redirectUrl(to))}`)
  return `${lines.join('\n')}\n`
}

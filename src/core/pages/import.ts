/**
 * From a tree of files to the plan of a snapshot: which files are pages, in which order, under which ids.
 *
 * A space that is imported again keeps what it had: pages are known by their file, then by an equal text,
 * files by their path, then by equal bytes; order that did not change keeps its positions, so that a
 * second import of the same tree is the same snapshot. Reading bytes and building are for the callers.
 */
import type { FileId, Hash, PageId } from '../ids.js'
import type { SummaryEntry } from '../markdown/summary.js'
import type { Step } from '../merkle/types.js'
import { spread } from '../order/position.js'
import type { DescribedText, SnapshotPlan } from './build.js'
import { withDescription } from './describe.js'
import type { Description } from './describe.js'
import { known } from './known.js'
import type { Known } from './known.js'
import { createNumbering } from './numbers.js'
import { outlineOfFiles, outlineOfSummary } from './outline.js'
import type { Outline, OutlineProblem } from './outline.js'
import {
  childrenFolder,
  fileForSlug,
  isInclude,
  isReservedFile,
  joinPath,
  nameOf,
  pathOfFile,
  slugify,
} from './paths.js'
import { pathKey } from './keys.js'
import type { ContentConfig } from '../config.js'
import type { DocumentPage, FileRecord, PageRecord, Snapshot } from './types.js'

/** What stands at a file path of the tree that is imported. */
export type ImportEntry =
  | { readonly kind: 'text'; readonly text: DescribedText }
  | ({ readonly kind: 'file' } & Pick<FileRecord, 'contentType' | 'size' | 'hash' | 'width' | 'height'>)

export interface ImportTree {
  readonly config: ContentConfig
  /** Entries of the parsed table of contents; absent when the tree has none. */
  readonly summary?: readonly SummaryEntry[]
  readonly entries: ReadonlyMap<string, ImportEntry>
}

export interface ImportContext {
  readonly newId: () => string
  readonly newFileId: () => FileId
  /** Milliseconds since 1970, for pages that are new or have a new text. */
  readonly now: number
}

export interface ImportPlan {
  readonly plan: SnapshotPlan
  /** What is odd in the table of contents. */
  readonly problems: readonly OutlineProblem[]
}

/** Answers how the tree is to stand in the space, in place of everything that stands there now. */
export function* planImport(
  existing: Snapshot | null,
  tree: ImportTree,
  context: ImportContext,
): Step<ImportPlan> {
  const { config, entries } = tree
  const summaryFile = joinPath(config.root, config.summary)
  const { outline, problems } = tree.summary
    ? outlineOfSummary(tree.summary, summaryFile, (path) => entries.get(path)?.kind)
    : {
        outline: outlineOfFiles(textsOf(entries), config, (file) => titleOfText(entries.get(file))),
        problems: [],
      }
  const old = yield* known(existing)
  const pages = planPages(outline, tree, old, context)
  const pageFiles = new Set(pages.flatMap((page) => (page.type === 'document' ? [page.file] : [])))

  const files: FileRecord[] = []
  const texts: { path: string; text: DescribedText; id?: string }[] = []
  const descriptions = new Map<Hash, Description>()
  const paths = [...entries.keys()].filter((path) => !pageFiles.has(path))
  for (const path of paths) old.reserve(path)
  for (const path of paths) {
    const entry = entries.get(path)!
    if (entry.kind === 'file') {
      const { kind: _, ...bytes } = entry
      const id = old.file(path, entry.hash) ?? context.newFileId()
      files.push({ id, path, name: nameOf(path), ...bytes })
    } else if (isInclude(path, config)) {
      texts.push({ path, text: entry.text, id: old.text(path, entry.text.hash) ?? context.newId() })
    } else {
      texts.push({ path, text: entry.text })
    }
  }
  for (const file of pageFiles) {
    const entry = entries.get(file)
    if (entry?.kind === 'text') descriptions.set(entry.text.hash, entry.text.description)
  }
  return { plan: { config, pages, files, texts, descriptions }, problems }
}

function textsOf(entries: ReadonlyMap<string, ImportEntry>): string[] {
  return [...entries].flatMap(([path, entry]) => (entry.kind === 'text' ? [path] : []))
}

function titleOfText(entry: ImportEntry | undefined): string | undefined {
  if (entry?.kind !== 'text') return undefined
  return entry.text.description.metadata.title ?? entry.text.description.title
}

interface Placed {
  readonly one: Outline
  readonly parent: Placed | null
  readonly file?: string
  id?: PageId | undefined
  path?: string
}

function planPages(
  outline: readonly Outline[],
  tree: ImportTree,
  old: Known,
  context: ImportContext,
): PageRecord[] {
  const placed: Placed[] = []
  const taken = new Set<string>()
  const numberOf = createNumbering()
  const freePath = (path: string): string => {
    const numbered = (number: number): string => (number === 0 ? path : `${path}-${number}`)
    // Readers cannot tell the forms of an accent apart either.
    const keyOf = (number: number): string => pathKey(numbered(number)).normalize('NFC')
    const number = numberOf(`path ${path}`, (one) => !taken.has(keyOf(one)))
    taken.add(keyOf(number))
    return numbered(number)
  }
  const files = new Set(tree.entries.keys())
  const place = (list: readonly Outline[], parent: Placed | null): void => {
    for (const one of list) {
      const file =
        one.kind === 'document'
          ? (one.file ?? placeholderFile(one.title, parent, tree.config, files, numberOf))
          : undefined
      if (file !== undefined) files.add(file)
      const self: Placed = { one, parent, ...(file !== undefined && { file }) }
      placed.push(self)
      place(one.children, self)
    }
  }
  place(outline, null)

  // Files decide the paths of documents; groups and computed pages take what is left.
  for (const self of placed)
    if (self.file !== undefined) self.path = freePath(pathOfFile(self.file, tree.config))
  for (const self of placed) {
    const { one, parent } = self
    if (one.kind !== 'group' && one.kind !== 'computed') continue
    const slug = slugify((one.kind === 'group' ? one.slug : undefined) ?? one.title)
    self.path = freePath(joinPath(parent?.path ?? '', slug))
  }

  // All pages that stayed in their files are known before a text that moved looks for its old page.
  for (const self of placed) if (self.file !== undefined) self.id = old.pageAtFile(self.file)
  for (const self of placed)
    self.id ??= old.page(self.one, self.path, textHash(tree, self.file)) ?? (context.newId() as PageId)

  const siblings = new Map<Placed | null, Placed[]>()
  for (const self of placed) {
    const list = siblings.get(self.parent)
    if (list) list.push(self)
    else siblings.set(self.parent, [self])
  }
  const positions = new Map<Placed, string>()
  for (const [parent, list] of siblings) {
    const before = list.map((self) => old.position(self.id!, parent?.id ?? null))
    const kept = before.every(
      (position, at) => position !== undefined && (at === 0 || before[at - 1]! < position),
    )
    const fresh = kept ? [] : spread(list.length)
    for (const [at, self] of list.entries()) positions.set(self, kept ? before[at]! : fresh[at]!)
  }
  return placed.map((self) => recordOf(self, positions.get(self)!, tree, old, context.now))
}

function recordOf(self: Placed, position: string, tree: ImportTree, old: Known, now: number): PageRecord {
  const { one } = self
  const before = old.record(self.id!)
  const base = { id: self.id!, parent: self.parent?.id ?? null, position, title: one.title }
  const times = { createdAt: before?.createdAt ?? now, updatedAt: now }
  const look = { ...pick(before, 'emoji'), ...pick(before, 'icon'), ...pick(before, 'hidden') }
  const stamped = <Record extends PageRecord>(record: Record, same: boolean): Record =>
    same ? { ...record, ...pick(before, 'createdAt'), ...pick(before, 'updatedAt') } : { ...record, ...times }
  switch (one.kind) {
    case 'group': {
      const same = before?.type === 'group' && before.title === one.title
      return stamped({ ...base, ...look, type: 'group', path: self.path!, slug: nameOf(self.path!) }, same)
    }
    case 'link': {
      const same = before?.type === 'link' && before.title === one.title && before.url === one.url
      return stamped({ ...base, ...look, type: 'link', url: one.url }, same)
    }
    case 'computed': {
      const same = before?.type === 'computed' && before.title === one.title && before.source === one.source
      const place = { path: self.path!, slug: nameOf(self.path!) }
      return stamped({ ...base, ...look, type: 'computed', source: one.source, ...place }, same)
    }
    case 'document': {
      const entry = tree.entries.get(self.file!)
      const text = entry?.kind === 'text' ? entry.text : undefined
      const same = before?.type === 'document' && before.title === one.title && before.text === text?.hash
      const linkTitle = one.linkTitle === undefined ? {} : { linkTitle: one.linkTitle }
      const place = { file: self.file!, path: self.path!, slug: nameOf(self.path!) }
      const record: DocumentPage = { ...base, type: 'document', ...linkTitle, ...place }
      const written = text && {
        ...withDescription(record, text.description),
        text: text.hash,
        size: text.size,
      }
      return stamped(written ?? record, same)
    }
  }
}

/** A page whose bullet names no file gets the one that a new page would get. */
function placeholderFile(
  title: string,
  parent: Placed | null,
  config: ContentConfig,
  files: ReadonlySet<string>,
  numberOf: ReturnType<typeof createNumbering>,
): string {
  const above = parent?.file === undefined ? null : ({ type: 'document', file: parent.file } as DocumentPage)
  const folder = childrenFolder(above, config)
  const slug = slugify(title)
  const fileOf = (number: number): string =>
    fileForSlug(folder, number === 0 ? slug : `${slug}-${number}`, config)
  const isFree = (number: number): boolean =>
    !files.has(fileOf(number)) && !isReservedFile(fileOf(number), config)
  return fileOf(numberOf(`file ${fileOf(0)}`, isFree))
}

function textHash(tree: ImportTree, file: string | undefined): Hash | undefined {
  const entry = file === undefined ? undefined : tree.entries.get(file)
  return entry?.kind === 'text' ? entry.text.hash : undefined
}

function pick<Name extends keyof PageRecord>(
  record: PageRecord | undefined,
  name: Name,
): Partial<Pick<PageRecord, Name>> {
  return record?.[name] === undefined ? {} : ({ [name]: record[name] } as Partial<Pick<PageRecord, Name>>)
}

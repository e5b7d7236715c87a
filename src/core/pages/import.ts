/**
 * Import plan: from a tree of files to the records of a snapshot: which files are pages, their order and their ids.
 *
 * A repeated import reuses ids: pages are matched by their file, then by the file from which they were imported, then by
 * an equal text, files by their path, then by equal bytes; an unchanged order keeps its positions, so that a second import of the same tree is the same snapshot.
 * Reading bytes and building are up to the callers.
 */
import type { FileId, Hash, PageId } from '../ids.js'
import type { SummaryEntry } from '../markdown/summary.js'
import { forEachWithPauses, pause } from '../merkle/steps.js'
import type { Step } from '../merkle/types.js'
import { spread } from '../order/position.js'
import type { DescribedText, SnapshotPlan } from './build.js'
import { withDescription } from './describe.js'
import type { Description } from './describe.js'
import { indexExisting } from './match-existing.js'
import type { ExistingContent } from './match-existing.js'
import { createNumbering } from './free-numbers.js'
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
import { entryOf, ownTitle, withTitles } from './titles.js'
import type { ContentConfig } from '../config.js'
import type { DocumentPage, FileRecord, PageRecord, Snapshot } from './types.js'

/** The entry at a file path of the imported tree. */
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
  /** Problems in the table of contents. */
  readonly problems: readonly OutlineProblem[]
}

/** Returns the plan of the imported tree, which replaces all content of the space. */
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
        outline: yield* outlineOfFiles(textsOf(entries), config, (file) => titleOfText(entries.get(file))),
        problems: [],
      }
  const existingContent = yield* indexExisting(existing)
  yield* pause()
  const pages = yield* planPages(outline, tree, existingContent, context)
  const pageFiles = new Set(pages.flatMap((page) => (page.type === 'document' ? [page.file] : [])))

  const files: FileRecord[] = []
  const texts: { path: string; text: DescribedText; id?: string }[] = []
  const descriptions = new Map<Hash, Description>()
  const paths = [...entries.keys()].filter((path) => !pageFiles.has(path))
  for (const path of paths) existingContent.reserve(path)
  yield* forEachWithPauses(paths, (path) => {
    const entry = entries.get(path)!
    if (entry.kind === 'file') {
      const { kind: _, ...bytes } = entry
      const id = existingContent.file(path, entry.hash) ?? context.newFileId()
      files.push({ id, path, name: nameOf(path), ...bytes })
    } else if (isInclude(path, config)) {
      texts.push({
        path,
        text: entry.text,
        id: existingContent.text(path, entry.text.hash) ?? context.newId(),
      })
    } else {
      texts.push({ path, text: entry.text })
    }
  })
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
  return entry?.kind === 'text' ? ownTitle(entry.text.description) : undefined
}

interface ImportedPage {
  readonly one: Outline
  readonly parent: ImportedPage | null
  readonly file?: string
  id?: PageId | undefined
  path?: string
}

function* planPages(
  outline: readonly Outline[],
  tree: ImportTree,
  existingContent: ExistingContent,
  context: ImportContext,
): Step<PageRecord[]> {
  const placed: ImportedPage[] = []
  const taken = new Set<string>()
  const numberOf = createNumbering()
  const freePath = (path: string): string => {
    const numbered = (number: number): string => (number === 0 ? path : `${path}-${number}`)
    // Readers cannot distinguish the forms of an accent either.
    const keyOf = (number: number): string => pathKey(numbered(number)).normalize('NFC')
    const number = numberOf(`path ${path}`, (one) => !taken.has(keyOf(one)))
    taken.add(keyOf(number))
    return numbered(number)
  }
  const files = new Set(tree.entries.keys())
  const place = (list: readonly Outline[], parent: ImportedPage | null): void => {
    for (const one of list) {
      const file =
        one.kind === 'document'
          ? (one.file ?? placeholderFile(one.title, parent, tree.config, files, numberOf))
          : undefined
      if (file !== undefined) files.add(file)
      const self: ImportedPage = { one, parent, ...(file !== undefined && { file }) }
      placed.push(self)
      place(one.children, self)
    }
  }
  place(outline, null)

  // Files decide the paths of documents; groups and computed pages get the remaining ones.
  yield* forEachWithPauses(placed, (self) => {
    if (self.file !== undefined) self.path = freePath(pathOfFile(self.file, tree.config))
  })
  yield* forEachWithPauses(placed, (self) => {
    const { one, parent } = self
    if (one.kind !== 'group' && one.kind !== 'computed') return
    const slug = slugify((one.kind === 'group' ? one.slug : undefined) ?? one.title)
    self.path = freePath(joinPath(parent?.path ?? '', slug))
  })

  // Pages that stayed in their files are matched before moved texts are matched by content.
  yield* forEachWithPauses(placed, (self) => {
    if (self.file !== undefined) self.id = existingContent.pageAtFile(self.file)
  })
  yield* forEachWithPauses(placed, (self) => {
    self.id ??= existingContent.page(self.one, self, textHash(tree, self.file)) ?? (context.newId() as PageId)
  })

  const siblings = new Map<ImportedPage | null, ImportedPage[]>()
  yield* forEachWithPauses(placed, (self) => {
    const list = siblings.get(self.parent)
    if (list) list.push(self)
    else siblings.set(self.parent, [self])
  })
  const positions = new Map<ImportedPage, string>()
  for (const [parent, list] of siblings) {
    const before = list.map((self) => existingContent.position(self.id!, parent?.id ?? null))
    const isOrderUnchanged = before.every(
      (position, at) => position !== undefined && (at === 0 || before[at - 1]! < position),
    )
    yield* pause()
    const fresh = isOrderUnchanged ? [] : spread(list.length)
    for (const [at, self] of list.entries()) positions.set(self, isOrderUnchanged ? before[at]! : fresh[at]!)
    yield* pause()
  }
  const records: PageRecord[] = []
  yield* forEachWithPauses(placed, (self) =>
    records.push(recordOf(self, positions.get(self)!, tree, existingContent, context.now)),
  )
  return records
}

function recordOf(
  self: ImportedPage,
  position: string,
  tree: ImportTree,
  existingContent: ExistingContent,
  now: number,
): PageRecord {
  const { one: outline } = self
  const before = existingContent.record(self.id!)
  const base = { id: self.id!, parent: self.parent?.id ?? null, position, title: outline.title }
  const times = { createdAt: before?.createdAt ?? now, updatedAt: now }
  const appearance = { ...pick(before, 'emoji'), ...pick(before, 'icon'), ...pick(before, 'hidden') }
  const stamped = <Record extends PageRecord>(record: Record, same: boolean): Record =>
    same ? { ...record, ...pick(before, 'createdAt'), ...pick(before, 'updatedAt') } : { ...record, ...times }
  switch (outline.kind) {
    case 'group': {
      const same = before?.type === 'group' && before.title === outline.title
      return stamped(
        { ...base, ...appearance, type: 'group', path: self.path!, slug: nameOf(self.path!) },
        same,
      )
    }
    case 'link': {
      const same = before?.type === 'link' && before.title === outline.title && before.url === outline.url
      return stamped({ ...base, ...appearance, type: 'link', url: outline.url }, same)
    }
    case 'computed': {
      const same =
        before?.type === 'computed' && before.title === outline.title && before.source === outline.source
      const place = { path: self.path!, slug: nameOf(self.path!) }
      return stamped({ ...base, ...appearance, type: 'computed', source: outline.source, ...place }, same)
    }
    case 'document': {
      const entry = tree.entries.get(self.file!)
      const text = entry?.kind === 'text' ? entry.text : undefined
      const { title, linkTitle } = outline
      const same =
        before?.type === 'document' && entryOf(before).title === title && before.text === text?.hash
      const place = { file: self.file!, path: self.path!, slug: nameOf(self.path!) }
      const record: DocumentPage = { ...base, type: 'document', ...place }
      const written = text && {
        ...withDescription(record, text.description),
        text: text.hash,
        size: text.size,
      }
      const contentsEntry = { title, ...(linkTitle !== undefined && { linkTitle }) }
      const titled = withTitles(written ?? record, contentsEntry, text?.description)
      // A page that is as it was stays so, with or without an origin.
      const hasNone = same && before.origin === undefined
      const origin = hasNone ? undefined : text && { file: self.file! }
      return stamped({ ...titled, ...(origin !== undefined && { origin }) }, same)
    }
  }
}

/** A page whose bullet names no file gets the file of a new page. */
function placeholderFile(
  title: string,
  parent: ImportedPage | null,
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

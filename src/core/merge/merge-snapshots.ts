/**
 * Three-way merge of space snapshots: the merged snapshot and its conflicts, which may be none.
 *
 * Only entries that either side changed are read: the cost follows the changes, not the space. First the page tree and
 * the paths are merged (`merge-page-tree.ts`, `assign-paths.ts`); then every text with its links relinked into the merged
 * tree (`relink.ts`, `merge-texts.ts`); last all is put into a draft over ours, which maintains the indexes. The one
 * rule for every value: equal sides agree, an unchanged side yields, else conflict.
 */
import type { FileId, Hash } from '../ids.js'
import { diff, get, range } from '../merkle/map.js'
import { loadTexts, runTogether } from '../merkle/steps.js'
import type { Sink, Step } from '../merkle/types.js'
import { sameSnapshot } from '../pages/build.js'
import type { Describe } from '../pages/describe.js'
import {
  type Draft,
  draftDescription,
  draftOf,
  finishDraft,
  putFile,
  putPage,
  putTextFile,
  removeFile,
  removePage,
  removeTextFile,
  writeText,
} from '../pages/draft.js'
import { linksPrefix, readLinkKey } from '../pages/keys.js'
import { isInclude, joinPath } from '../pages/paths.js'
import { findPage } from '../pages/read.js'
import { changeRedirects, redirectOf } from '../pages/redirect-targets.js'
import { redirectUrl, redirectsFile } from '../pages/redirects.js'
import { entryAfterEdit, ownTitle, withTitles } from '../pages/titles.js'
import type { ContentConfig } from '../config.js'
import type { RedirectChange } from '../markdown/gitbook-yaml.js'
import type { FileRecord, NameEntry, PageRecord, Snapshot } from '../pages/types.js'
import type { Choices, Conflict } from './conflict.js'
import {
  type Decisions,
  type ThreeWay,
  decideBlocks,
  decideFile,
  decideText,
  mergeValuesTrivially,
} from './decisions.js'
import type { Side } from './merged-text.js'
import { type MergePlan, type PlannedFile2, type PlannedText, assignPaths } from './assign-paths.js'
import { type Relink, createRelink } from './relink.js'
import { mergeTexts } from './merge-texts.js'
import { type PlannedPage, planPages, versionsByKey } from './merge-page-tree.js'
import { mergeKeys } from './merge-yaml.js'

export interface MergeContext {
  readonly sink: Sink
  readonly describe: Describe
  /** The side whose version is used where the two conflict; ours by default. */
  readonly prefer?: Side
  /** Choices for conflicts of this merge: they are applied, and their conflicts not reported again. */
  readonly choices?: Choices
}

export interface MergeResult {
  readonly snapshot: Snapshot
  readonly conflicts: readonly Conflict[]
}

/** Returns the merge of two snapshots that both descend from `base`. */
export function* mergeSnapshots(
  base: Snapshot,
  ours: Snapshot,
  theirs: Snapshot,
  context: MergeContext,
): Step<MergeResult> {
  // One side is unchanged: the other is the result, and its nodes are written already.
  if (sameSnapshot(base, ours)) return { snapshot: theirs, conflicts: [] }
  if (sameSnapshot(base, theirs)) return { snapshot: ours, conflicts: [] }
  const decisions: Decisions = {
    prefer: context.prefer ?? 'ours',
    choices: context.choices ?? new Map(),
    conflicts: [],
  }
  const [pagesOurs, pagesTheirs, filesOurs, filesTheirs, namesOurs, namesTheirs] = yield* runTogether(
    diff(base.pages, ours.pages),
    diff(base.pages, theirs.pages),
    diff(base.files, ours.files),
    diff(base.files, theirs.files),
    diff(base.names, ours.names),
    diff(base.names, theirs.names),
  )
  const trees = { base, ours, theirs }
  const relink = createRelink(trees, context.describe)
  const draft = draftOf(ours, context)
  draft.config = mergeConfigs(base.config, ours.config, theirs.config, decisions.prefer)
  const plan: MergePlan = {
    pages: yield* planPages(decisions, versionsByKey(pagesOurs, pagesTheirs), ours, relink),
    files: yield* planFiles(decisions, versionsByKey(filesOurs, filesTheirs), trees),
    texts: yield* planTexts(decisions, versionsByKey(namesOurs, namesTheirs), trees, draft.config),
  }
  yield* assignPaths(plan, ours, theirs, relink)

  const pages: PageRecord[] = []
  for (const page of plan.pages.values()) {
    if (page.merged) pages.push(yield* mergePageText(decisions, page, page.merged, relink, draft))
  }
  const texts: MergedTextFile[] = []
  for (const text of plan.texts.values()) {
    if (text.isPresent) texts.push(yield* mergeTextFile(decisions, text, relink, draft.config))
  }
  const relinked = yield* relinkUnchanged(plan, ours, relink, draft)

  for (const [id, page] of plan.pages) if (page.ours && !page.merged) yield* removePage(draft, id)
  for (const [id, file] of plan.files) if (file.ours && !file.merged) yield* removeFile(draft, id)
  for (const text of plan.texts.values()) {
    if (text.ours && !text.isPresent) yield* removeTextFile(draft, text.from)
  }
  for (const page of [...pages, ...relinked.pages]) yield* putPage(draft, page)
  for (const { merged } of plan.files.values()) if (merged) yield* putFile(draft, merged)
  for (const { path, text, id } of [...texts, ...relinked.texts]) yield* putTextFile(draft, path, text, id)
  yield* changeRedirects(draft, yield* relinkRedirects(trees, relink, draft.config))
  return { snapshot: yield* finishDraft(draft), conflicts: decisions.conflicts }
}

type Trees = Readonly<Record<'base' | 'ours' | 'theirs', Snapshot>>

function* planFiles(
  decisions: Decisions,
  changed: ReadonlyMap<string, ThreeWay<FileRecord>>,
  trees: Trees,
): Step<Map<FileId, PlannedFile2>> {
  const plan = new Map<FileId, PlannedFile2>()
  for (const [key, versions] of changed) {
    const id = key as FileId
    const { base } = versions
    const isNeeded = base && (yield* isDeletedButUsed(versions, trees, base.path, `/files/${id}`))
    const merged = isNeeded
      ? versions[decideFile(decisions, id, versions)]
      : mergeFile(decisions, id, versions)
    plan.set(id, { ...versions, merged })
  }
  return plan
}

/**
 * Returns whether one side deleted a link target that the other refers to where the base did not: deleting it would
 * break what that side wrote, so it is a conflict. A target that the deletion replaced by another one is not needed.
 */
function* isDeletedButUsed(
  { base, ours, theirs }: ThreeWay<unknown>,
  trees: Trees,
  path: string,
  ...otherNames: readonly string[]
): Step<boolean> {
  if (!base || !ours === !theirs) return false
  const [deleting, using] = ours ? [trees.theirs, trees.ours] : [trees.ours, trees.theirs]
  if ((yield* get(deleting.names, path)) !== undefined) return false
  for (const name of [path, ...otherNames]) {
    const prefix = linksPrefix(name)
    const [before, after] = yield* runTogether(
      range(trees.base.links, { prefix }),
      range(using.links, { prefix }),
    )
    const known = new Set(before.map(([key]) => key))
    if (after.some(([key]) => !known.has(key))) return true
  }
  return false
}

function mergeFile(decisions: Decisions, id: FileId, versions: ThreeWay<FileRecord>): FileRecord | undefined {
  const trivial = mergeValuesTrivially(versions)
  if (trivial) return trivial.value
  const { base, ours, theirs } = versions
  if (!base || !ours || !theirs) return versions[decideFile(decisions, id, versions)]
  // Path and bytes are merged separately: one side may rename the file that the other replaces.
  const filePath = mergeValuesTrivially({
    base: filePathOf(base),
    ours: filePathOf(ours),
    theirs: filePathOf(theirs),
  })?.value
  const bytes = mergeValuesTrivially({
    base: bytesOf(base),
    ours: bytesOf(ours),
    theirs: bytesOf(theirs),
  })?.value
  const conflicting = filePath && bytes ? ours : versions[decideFile(decisions, id, versions)]!
  return { ...conflicting, ...(bytes ?? bytesOf(conflicting)), ...(filePath ?? filePathOf(conflicting)) }
}

type FilePath = Pick<FileRecord, 'path' | 'name'>

function filePathOf({ path, name }: FileRecord): FilePath {
  return { path, name }
}

function bytesOf({
  id: _id,
  path: _path,
  name: _name,
  ...bytes
}: FileRecord): Omit<FileRecord, 'id' | keyof FilePath> {
  return bytes
}

type TextEntry = Extract<NameEntry, { text: Hash }>

function* planTexts(
  decisions: Decisions,
  changed: ReadonlyMap<string, ThreeWay<NameEntry>>,
  trees: Trees,
  config: ContentConfig,
): Step<Map<string, PlannedText>> {
  const plan = new Map<string, PlannedText>()
  for (const [path, versions] of changed) {
    const [base, ours, theirs] = [versions.base, versions.ours, versions.theirs].map((entry) =>
      entry && 'text' in entry ? entry : undefined,
    )
    if (!base && !ours && !theirs) continue
    const texts = { base, ours, theirs }
    if (!base && ours && theirs && ours.text !== theirs.text && isInclude(path, config)) {
      // Two reusable contents with the same name: the second is renamed.
      plan.set(path, { base, ours, theirs: undefined, from: path, path, isPresent: true })
      plan.set(`${path}\u0000`, { base, ours: undefined, theirs, from: path, path, isPresent: true })
      continue
    }
    const isNeeded = isInclude(path, config) && (yield* isDeletedButUsed(texts, trees, path))
    const trivial = isNeeded ? undefined : mergeValuesTrivially(texts)
    const deleted = trivial
      ? trivial.value === undefined
      : (!ours || !theirs) && !texts[decideText(decisions, path, texts)]
    plan.set(path, { ...texts, from: path, path, isPresent: !deleted })
  }
  return plan
}

/** The merged record with its merged text. */
function* mergePageText(
  decisions: Decisions,
  { base, ours, theirs }: PlannedPage,
  merged: PageRecord,
  relink: Relink,
  draft: Draft,
): Step<PageRecord> {
  if (merged.type === 'link') {
    const isOurs = ours?.type === 'link' && ours.url === merged.url
    return { ...merged, url: yield* relink.url(isOurs ? 'ours' : 'theirs', merged.url) }
  }
  if (merged.type !== 'document') return merged
  const { file } = merged
  const read = function* (version: 'base' | 'ours' | 'theirs', page: PageRecord | undefined): Step<string> {
    if (page?.type !== 'document' || page.text === undefined) return ''
    return yield* relink.text(version, page.text, page.file, file)
  }
  const hashes = [base, ours, theirs].map((page) => (page?.type === 'document' ? page.text : undefined))
  const [inBase, inOurs, inTheirs] = hashes
  const isConflicting = inOurs !== inTheirs && inOurs !== inBase && inTheirs !== inBase && ours && theirs
  let text: string
  if (isConflicting) {
    const versions = [
      yield* read('base', base),
      yield* read('ours', ours),
      yield* read('theirs', theirs),
    ] as const
    text = decideBlocks(decisions, { page: merged.id, path: file }, (policy) =>
      mergeTexts(...versions, policy),
    )
    const written = writeText(draft, merged, text)
    const titles = versions.map((version) => ownTitle(draft.describe(version)))
    if (!titles.includes(merged.title)) return written
    const description = yield* draftDescription(draft, written.text!)
    const own = { title: merged.title, metadata: {} }
    return withTitles(written, entryAfterEdit(merged, own, description), description)
  } else {
    if (merged.text === undefined) return merged
    const side = merged.text === inOurs ? 'ours' : 'theirs'
    const from = side === 'ours' ? ours : theirs
    if (from?.type !== 'document') return merged
    if (from.file === file && relink.moves[side].size === 0) return merged
    text = yield* read(side, from)
    if (text === (yield* loadTexts([merged.text]))[0]) return merged
  }
  return writeText(draft, merged, text)
}

interface MergedTextFile {
  readonly path: string
  readonly text: string
  readonly id?: string
}

function* mergeTextFile(
  decisions: Decisions,
  { base, ours, theirs, from, path: to }: PlannedText,
  relink: Relink,
  config: ContentConfig,
): Step<MergedTextFile> {
  const markdown = /\.(?:md|markdown)$/i.test(to) && to !== joinPath(config.root, config.summary)
  const read = function* (
    version: 'base' | 'ours' | 'theirs',
    entry: { readonly text: unknown } | undefined,
  ): Step<string> {
    if (!entry) return ''
    if (!markdown) return (yield* loadTexts([entry.text as Hash]))[0]!
    return yield* relink.text(version, entry.text as Hash, from, to)
  }
  const entries = [base, ours, theirs] as (TextEntry | undefined)[]
  const id = entries[1]?.id ?? entries[2]?.id
  const versions = [
    yield* read('base', base),
    yield* read('ours', ours),
    yield* read('theirs', theirs),
  ] as const
  return {
    path: to,
    text: ours && theirs ? mergeNamedText(decisions, to, versions, config) : versions[ours ? 1 : 2],
    ...(id !== undefined && { id }),
  }
}

function mergeNamedText(
  decisions: Decisions,
  path: string,
  versions: readonly [base: string, ours: string, theirs: string],
  config: ContentConfig,
): string {
  // The table of contents is generated from the tree when the two differ: it never conflicts.
  if (path === joinPath(config.root, config.summary)) {
    return mergeTexts(...versions, { prefer: decisions.prefer }).text
  }
  const merge = /\.ya?ml$/i.test(path) ? mergeKeys : mergeTexts
  return decideBlocks(decisions, { path }, (policy) => merge(...versions, policy))
}

/** Relinks pages and texts that theirs did not change and that link to files moved from their path in ours. */
function* relinkUnchanged(
  plan: MergePlan,
  ours: Snapshot,
  relink: Relink,
  draft: Draft,
): Step<{ pages: PageRecord[]; texts: MergedTextFile[] }> {
  const pages = new Map<string, PageRecord>()
  const texts = new Map<string, MergedTextFile>()
  for (const path of relink.moves.ours.keys()) {
    for (const [key] of yield* range(ours.links, { prefix: linksPrefix(path) })) {
      const { source } = readLinkKey(key)
      if ('page' in source) {
        if (plan.pages.has(source.page) || pages.has(source.page)) continue
        const page = yield* findPage(ours, source.page)
        if (page?.type === 'link') pages.set(page.id, { ...page, url: yield* relink.url('ours', page.url) })
        if (page?.type !== 'document' || page.text === undefined) continue
        const text = yield* relink.text('ours', page.text, page.file, page.file)
        pages.set(page.id, writeText(draft, page, text))
      } else if (!plan.texts.has(source.text) && !texts.has(source.text)) {
        const entry = (yield* get(ours.names, source.text)) as TextEntry
        const text = yield* relink.text('ours', entry.text, source.text, source.text)
        texts.set(source.text, { path: source.text, text, ...(entry.id !== undefined && { id: entry.id }) })
      }
    }
  }
  return { pages: [...pages.values()], texts: [...texts.values()] }
}

/** Returns the redirects of the merged settings whose targets the merge moves. */
function* relinkRedirects(
  trees: Trees,
  relink: Relink,
  config: ContentConfig,
): Step<ReadonlyMap<string, RedirectChange>> {
  const changes = new Map<string, RedirectChange>()
  for (const [from, to] of Object.entries(config.redirects)) {
    for (const side of ['ours', 'theirs'] as const) {
      if (trees[side].config.redirects[from] !== to || relink.moves[side].size === 0) continue
      const url = redirectUrl(to)
      const moved = yield* relink.url(side, url, redirectsFile(config))
      const after = moved === url ? undefined : redirectOf(moved)
      if (after !== undefined && after !== to) changes.set(from, { before: [to], after })
    }
  }
  return changes
}

/** Where both changed a member, the preferred side's wins: `.gitbook.yaml` itself is merged as a text. */
function mergeConfigs(
  base: ContentConfig,
  ours: ContentConfig,
  theirs: ContentConfig,
  prefer: Side,
): ContentConfig {
  const pick = (member: 'root' | 'readme' | 'summary'): string => {
    const versions = { base: base[member], ours: ours[member], theirs: theirs[member] }
    return mergeValuesTrivially(versions)?.value ?? versions[prefer]
  }
  const redirects: Record<string, string> = {}
  for (const from of new Set([...Object.keys(ours.redirects), ...Object.keys(theirs.redirects)])) {
    const versions = {
      base: base.redirects[from],
      ours: ours.redirects[from],
      theirs: theirs.redirects[from],
    }
    const trivial = mergeValuesTrivially(versions)
    const to = trivial ? trivial.value : (versions[prefer] ?? versions.ours ?? versions.theirs)
    if (to !== undefined) redirects[from] = to
  }
  return { root: pick('root'), readme: pick('readme'), summary: pick('summary'), redirects }
}

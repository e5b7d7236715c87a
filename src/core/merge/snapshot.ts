/**
 * Three snapshots of a space become one, and a list of conflicts that may be empty.
 *
 * Only what either side changed is looked at: the cost follows the changes, not the space. First it is
 * decided what stands and where (`tree.ts`, `places.ts`); then every text is merged with its links pointed
 * into the merged tree (`relink.ts`, `text.ts`); last all is put into a draft over ours, which keeps the
 * indexes right. The one rule for every value: equal sides agree, an unchanged side yields, else conflict.
 */
import type { FileId, Hash } from '../ids.js'
import { diff, get, range } from '../merkle/map.js'
import { loadTexts, together } from '../merkle/steps.js'
import type { Sink, Step } from '../merkle/types.js'
import { sameSnapshot } from '../pages/build.js'
import type { Describe } from '../pages/describe.js'
import {
  type Draft,
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
import type { ContentConfig } from '../config.js'
import type { FileRecord, NameEntry, PageRecord, Snapshot } from '../pages/types.js'
import type { Choices, Conflict } from './conflict.js'
import {
  type Decisions,
  type Three,
  decideBlocks,
  decideFile,
  decideText,
  settleValues,
} from './decisions.js'
import type { Side } from './dispute.js'
import { type Plan, type PlannedFile, type PlannedText, settlePlaces } from './places.js'
import { type Relink, relinkOf } from './relink.js'
import { mergeTexts } from './text.js'
import { type PlannedPage, planPages, versionsOf } from './tree.js'
import { mergeKeys } from './yaml.js'

export interface MergeContext {
  readonly sink: Sink
  readonly describe: Describe
  /** Whose version the merged tree shows where the two conflict; ours unless said. */
  readonly prefer?: Side
  /** Answers to conflicts of this very merge: they are followed and not reported again. */
  readonly choices?: Choices
}

export interface Merged {
  readonly snapshot: Snapshot
  readonly conflicts: readonly Conflict[]
}

/** Answers the merge of two snapshots that both come from `base`. */
export function* mergeSnapshots(
  base: Snapshot,
  ours: Snapshot,
  theirs: Snapshot,
  context: MergeContext,
): Step<Merged> {
  // One side did nothing: the other is the answer, with nodes that are written already.
  if (sameSnapshot(base, ours)) return { snapshot: theirs, conflicts: [] }
  if (sameSnapshot(base, theirs)) return { snapshot: ours, conflicts: [] }
  const decisions: Decisions = {
    prefer: context.prefer ?? 'ours',
    choices: context.choices ?? new Map(),
    conflicts: [],
  }
  const [pagesOurs, pagesTheirs, filesOurs, filesTheirs, namesOurs, namesTheirs] = yield* together(
    diff(base.pages, ours.pages),
    diff(base.pages, theirs.pages),
    diff(base.files, ours.files),
    diff(base.files, theirs.files),
    diff(base.names, ours.names),
    diff(base.names, theirs.names),
  )
  const relink = relinkOf({ base, ours, theirs }, context.describe)
  const draft = draftOf(ours, context)
  draft.config = mergeConfigs(base.config, ours.config, theirs.config, decisions.prefer)
  const plan: Plan = {
    pages: yield* planPages(decisions, versionsOf<PageRecord>(pagesOurs, pagesTheirs), ours, relink),
    files: planFiles(decisions, versionsOf<FileRecord>(filesOurs, filesTheirs)),
    texts: planTexts(decisions, versionsOf<NameEntry>(namesOurs, namesTheirs), draft.config),
  }
  yield* settlePlaces(plan, ours, theirs, relink)

  const pages: PageRecord[] = []
  for (const page of plan.pages.values()) {
    if (page.merged) pages.push(yield* mergedPage(decisions, page, page.merged, relink, draft))
  }
  const texts: WrittenText[] = []
  for (const text of plan.texts.values()) {
    if (text.stands) texts.push(yield* mergedText(decisions, text, relink, draft.config))
  }
  const followers = yield* followLinks(plan, ours, relink, draft)

  for (const [id, page] of plan.pages) if (page.ours && !page.merged) yield* removePage(draft, id)
  for (const [id, file] of plan.files) if (file.ours && !file.merged) yield* removeFile(draft, id)
  for (const text of plan.texts.values()) {
    if (text.ours && !text.stands) yield* removeTextFile(draft, text.from)
  }
  for (const page of [...pages, ...followers.pages]) yield* putPage(draft, page)
  for (const { merged } of plan.files.values()) if (merged) yield* putFile(draft, merged)
  for (const { path, text, id } of [...texts, ...followers.texts]) yield* putTextFile(draft, path, text, id)
  return { snapshot: yield* finishDraft(draft), conflicts: decisions.conflicts }
}

function planFiles(
  decisions: Decisions,
  changed: ReadonlyMap<string, Three<FileRecord>>,
): Map<FileId, PlannedFile> {
  const plan = new Map<FileId, PlannedFile>()
  for (const [key, versions] of changed) {
    plan.set(key as FileId, { ...versions, merged: mergeFile(decisions, key as FileId, versions) })
  }
  return plan
}

function mergeFile(decisions: Decisions, id: FileId, versions: Three<FileRecord>): FileRecord | undefined {
  const settled = settleValues(versions)
  if (settled) return settled.value
  const { base, ours, theirs } = versions
  if (!base || !ours || !theirs) return versions[decideFile(decisions, id, versions)]
  // Its place and its bytes are two things: one side may rename what the other replaces.
  const place = settleValues({ base: placeOf(base), ours: placeOf(ours), theirs: placeOf(theirs) })?.value
  const bytes = settleValues({ base: bytesOf(base), ours: bytesOf(ours), theirs: bytesOf(theirs) })?.value
  const disputed = place && bytes ? ours : versions[decideFile(decisions, id, versions)]!
  return { ...disputed, ...(bytes ?? bytesOf(disputed)), ...(place ?? placeOf(disputed)) }
}

type FilePlace = Pick<FileRecord, 'path' | 'name'>

function placeOf({ path, name }: FileRecord): FilePlace {
  return { path, name }
}

function bytesOf({
  id: _id,
  path: _path,
  name: _name,
  ...bytes
}: FileRecord): Omit<FileRecord, 'id' | keyof FilePlace> {
  return bytes
}

type TextEntry = Extract<NameEntry, { text: Hash }>

function planTexts(
  decisions: Decisions,
  changed: ReadonlyMap<string, Three<NameEntry>>,
  config: ContentConfig,
): Map<string, PlannedText> {
  const plan = new Map<string, PlannedText>()
  for (const [path, versions] of changed) {
    const [base, ours, theirs] = [versions.base, versions.ours, versions.theirs].map((entry) =>
      entry && 'text' in entry ? entry : undefined,
    )
    if (!base && !ours && !theirs) continue
    const texts = { base, ours, theirs }
    if (!base && ours && theirs && ours.text !== theirs.text && isInclude(path, config)) {
      // Two reusable contents that happen to have one name: the second is named anew.
      plan.set(path, { base, ours, theirs: undefined, from: path, path, stands: true })
      plan.set(`${path}\u0000`, { base, ours: undefined, theirs, from: path, path, stands: true })
      continue
    }
    const settled = settleValues(texts)
    const deleted = settled
      ? settled.value === undefined
      : (!ours || !theirs) && !texts[decideText(decisions, path, texts)]
    plan.set(path, { ...texts, from: path, path, stands: !deleted })
  }
  return plan
}

/** The merged record with its merged text. */
function* mergedPage(
  decisions: Decisions,
  { base, ours, theirs }: PlannedPage,
  merged: PageRecord,
  relink: Relink,
  draft: Draft,
): Step<PageRecord> {
  if (merged.type !== 'document') return merged
  const { file } = merged
  const read = function* (version: 'base' | 'ours' | 'theirs', page: PageRecord | undefined): Step<string> {
    if (page?.type !== 'document' || page.text === undefined) return ''
    return yield* relink.text(version, page.text, page.file, file)
  }
  const hashes = [base, ours, theirs].map((page) => (page?.type === 'document' ? page.text : undefined))
  const [inBase, inOurs, inTheirs] = hashes
  const disputed = inOurs !== inTheirs && inOurs !== inBase && inTheirs !== inBase && ours && theirs
  let text: string
  if (disputed) {
    const versions = [
      yield* read('base', base),
      yield* read('ours', ours),
      yield* read('theirs', theirs),
    ] as const
    text = decideBlocks(decisions, { page: merged.id, path: file }, (settlement) =>
      mergeTexts(...versions, settlement),
    )
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

interface WrittenText {
  readonly path: string
  readonly text: string
  readonly id?: string
}

function* mergedText(
  decisions: Decisions,
  { base, ours, theirs, from, path: to }: PlannedText,
  relink: Relink,
  config: ContentConfig,
): Step<WrittenText> {
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
  // The table of contents is written anew from the tree when the two disagree: it has nothing to dispute.
  if (path === joinPath(config.root, config.summary)) {
    return mergeTexts(...versions, { prefer: decisions.prefer }).text
  }
  const merge = /\.ya?ml$/i.test(path) ? mergeKeys : mergeTexts
  return decideBlocks(decisions, { path }, (settlement) => merge(...versions, settlement))
}

/** Pages and texts that no side changed, or only ours, and that link to what moved away from where ours has it. */
function* followLinks(
  plan: Plan,
  ours: Snapshot,
  relink: Relink,
  draft: Draft,
): Step<{ pages: PageRecord[]; texts: WrittenText[] }> {
  const pages = new Map<string, PageRecord>()
  const texts = new Map<string, WrittenText>()
  for (const path of relink.moves.ours.keys()) {
    for (const [key] of yield* range(ours.links, { prefix: linksPrefix(path) })) {
      const { source } = readLinkKey(key)
      if ('page' in source) {
        if (plan.pages.has(source.page) || pages.has(source.page)) continue
        const page = yield* findPage(ours, source.page)
        if (page?.type !== 'document' || page.text === undefined) continue
        const text = yield* relink.text('ours', page.text, page.file, page.file)
        pages.set(page.id, writeText(draft, page, text))
      } else if (!plan.texts.has(source.text) && !texts.has(source.text)) {
        const entry = (yield* get(ours.names, source.text)) as unknown as TextEntry
        const text = yield* relink.text('ours', entry.text, source.text, source.text)
        texts.set(source.text, { path: source.text, text, ...(entry.id !== undefined && { id: entry.id }) })
      }
    }
  }
  return { pages: [...pages.values()], texts: [...texts.values()] }
}

/** Where both changed a member, the preferred side's stands: `.gitbook.yaml` itself merges as a text. */
function mergeConfigs(
  base: ContentConfig,
  ours: ContentConfig,
  theirs: ContentConfig,
  prefer: Side,
): ContentConfig {
  const pick = (member: 'root' | 'readme' | 'summary'): string => {
    const versions = { base: base[member], ours: ours[member], theirs: theirs[member] }
    return settleValues(versions)?.value ?? versions[prefer]
  }
  const redirects: Record<string, string> = {}
  for (const from of new Set([...Object.keys(ours.redirects), ...Object.keys(theirs.redirects)])) {
    const versions = {
      base: base.redirects[from],
      ours: ours.redirects[from],
      theirs: theirs.redirects[from],
    }
    const settled = settleValues(versions)
    const to = settled ? settled.value : (versions[prefer] ?? versions.ours ?? versions.theirs)
    if (to !== undefined) redirects[from] = to
  }
  return { root: pick('root'), readme: pick('readme'), summary: pick('summary'), redirects }
}

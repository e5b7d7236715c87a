/**
 * Machine tree: the source's tree with machine-translated texts, merged with the edits of people.
 *
 * It is built in two steps. The machine tree depends only on the source and the translation memory; it has the same
 * pages under the same ids and paths as the source, updated where the source changed. A three-way merge then applies
 * it to the space: the base is the previous machine tree, the two sides are the edits of people and the new machine
 * tree. So edited blocks stay, and all other blocks follow the source.
 */
import type { Hash, PageId } from '../../core/ids.js'
import type { Conflict } from '../../core/merge/conflict.js'
import { mergeSnapshots } from '../../core/merge/merge-snapshots.js'
import { diff } from '../../core/merkle/map.js'
import { describePage } from '../../core/markdown/describe.js'
import {
  draftOf,
  finishDraft,
  placeText,
  putFile,
  putPage,
  putTextFile,
  removeFile,
  removePage,
  removeTextFile,
  writeText,
} from '../../core/pages/draft.js'
import { entryOf, withTitles } from '../../core/pages/titles.js'
import type { FileRecord, NameEntry, PageRecord, Snapshot } from '../../core/pages/types.js'
import type { InlinePart } from '../../core/translation/inline.js'
import { type Row, type Unit, unitsOf } from '../../core/translation/split.js'
import { parseTagged } from '../../core/translation/tagged.js'
import { wordsOf } from '../../core/translation/inline.js'
import { writeWhole } from '../../core/translation/check.js'
import { run, runYielding } from '../../store/content/objects.js'
import { type ObjectSink, createSink } from '../../store/content/sink.js'
import { hashOf } from '../../store/content/encoding.js'
import type { Services } from '../../access/route/scope.js'
import type { Db } from '../../store/db/database.js'
import type { Step } from '../../core/merkle/types.js'
import { describeInto } from '../content/describe.js'
import type { ContentContext } from '../content/content.js'
import {
  type SpaceTranslationRow,
  type MemoryRow,
  type PageStateRow,
  loadMemory,
} from './space-translation-store.js'
import {
  type TranslatableText,
  hashOfUnit,
  isTranslatable,
  readTranslatableTexts,
  unitsOfText,
} from './translatable-texts.js'

/** Numbers of untranslated units of a page after a run. */
export type PageCounts = Pick<PageStateRow, 'page_id' | 'missing' | 'failed'>

export interface MachineTree {
  readonly snapshot: Snapshot
  readonly sink: ObjectSink
  /** For every page that was processed. */
  readonly open: readonly PageCounts[]
}

interface TreeServices {
  readonly db: Db
  readonly services: Pick<Services, 'objects'>
}

/** Returns the translation of a unit, undefined when the memory has no usable one. */
export function translationOf(
  unit: Unit,
  memory: ReadonlyMap<string, MemoryRow>,
): readonly InlinePart[] | undefined {
  const words = memory.get(hashOfUnit(unit))?.words
  return words === undefined || words === null ? undefined : parseTagged(words, unit.pieces)
}

/**
 * Builds the machine tree of the current source from the translation memory; units without a translation keep the
 * source text.
 */
export async function buildMachineTree(
  { db, services }: TreeServices,
  row: SpaceTranslationRow,
  {
    before,
    source,
    ids,
  }: { readonly before: Snapshot; readonly source: ContentContext; readonly ids: readonly PageId[] },
): Promise<MachineTree> {
  const { organization_id: organizationId } = row
  const sink = createSink(organizationId, services.objects)
  const runStep = <Result>(step: Step<Result>): Promise<Result> =>
    runYielding(step, { db, organizationId, cache: services.objects, pending: sink })
  const machine = JSON.parse(row.machine) as Snapshot
  const now = source.revision.snapshot
  const draft = draftOf(machine, { sink, describe: describeInto(sink) })
  draft.config = now.config
  const pages = await source.run(diff(before.pages, now.pages))
  const files = await source.run(diff(before.files, now.files))
  const names = await source.run(diff(before.names, now.names))
  for (const { key, after } of pages) if (after === undefined) await runStep(removePage(draft, key as PageId))
  for (const { key, after } of files) {
    if (after === undefined) await runStep(removeFile(draft, key as FileRecord['id']))
  }
  for (const { key, before: was, after } of names) {
    if (isText(was) && !isText(after)) await runStep(removeTextFile(draft, key))
  }
  for (const { after } of files) if (after !== undefined) await runStep(putFile(draft, after))
  for (const { key, after } of names) {
    if (!isText(after) || isTranslatable(key, source)) continue
    await runStep(placeText(draft, key, { hash: after.text, size: after.size }, after.id))
  }
  const open: PageCounts[] = []
  const processed = new Set<PageId>()
  for await (const translatable of readTranslatableTexts(source, ids)) {
    processed.add(translatable.id)
    const memory = await loadMemory(db, row, unitsOfText(translatable).map(hashOfUnit))
    const { text, untranslated } = writeWhole(translatable.text, translatable.split, (unit) =>
      translationOf(unit, memory),
    )
    open.push(countUnits(translatable, memory, untranslated))
    const { page, path, entry } = translatable
    if (page !== undefined) await runStep(putPage(draft, withTranslation(page, text)))
    else await runStep(putTextFile(draft, path!, text, entry!.id))

    function withTranslation(record: PageRecord, words: string): PageRecord {
      const pieces = translatable.title && translationOf(translatable.title, memory)
      const translated = (title: string) => (pieces === undefined ? title : titleFrom(pieces, title))
      if (record.type !== 'document')
        return pieces === undefined ? record : { ...record, title: translated(record.title) }
      const description = record.text === undefined ? undefined : describePage(words)
      const entry = entryOf(record)
      // An entry that equals the own title of the source equals that of its translation.
      const follows = translatable.title === undefined ? description?.title : undefined
      const written = record.text === undefined ? record : writeText(draft, record, words)
      return withTitles(written, { ...entry, title: follows ?? translated(entry.title) }, description)
    }
  }
  // Pages that were deleted meanwhile have no untranslated units.
  for (const id of ids) if (!processed.has(id)) open.push({ page_id: id, missing: 0, failed: 0 })
  return { snapshot: await runStep(finishDraft(draft)), sink, open }
}

function titleFrom(pieces: readonly InlinePart[], otherwise: string): string {
  return wordsOf(pieces).replace(/\s+/g, ' ').trim() || otherwise
}

function isText(entry: unknown): entry is Extract<NameEntry, { text: Hash }> {
  return typeof entry === 'object' && entry !== null && 'text' in entry
}

function countUnits(
  translatable: TranslatableText,
  memory: ReadonlyMap<string, MemoryRow>,
  untranslated: ReadonlySet<Row>,
): PageCounts {
  const broken = new Set(unitsOf({ rows: [...untranslated], end: '' }))
  let [missing, failed] = [0, 0]
  for (const unit of unitsOfText(translatable)) {
    const known = memory.get(hashOfUnit(unit))
    if (known === undefined) missing += 1
    else if (known.words === null || broken.has(unit)) failed += 1
  }
  return { page_id: translatable.id, missing, failed }
}

export interface MergedTree {
  readonly snapshot: Snapshot
  readonly conflicts: readonly Conflict[]
}

/**
 * Returns the space merged with what the machine tree changed since the last run; where people edited the same block,
 * their text wins.
 */
export function mergeMachineTree(
  { db, services }: TreeServices,
  row: SpaceTranslationRow,
  head: Snapshot,
  { snapshot: theirs, sink }: Pick<MachineTree, 'snapshot' | 'sink'>,
): Promise<MergedTree> {
  const base = JSON.parse(row.machine) as Snapshot
  const step = mergeSnapshots(base, head, theirs, { sink, describe: describeInto(sink), prefer: 'ours' })
  const from = { db, organizationId: row.organization_id, cache: services.objects, pending: sink }
  return db.isTransaction ? run(step, from) : runYielding(step, from)
}

/** Returns the hash that identifies an edited block. */
export function hashOfBlock(text: string): string {
  return hashOf(Buffer.from(text.trim()))
}

/** Maximum blocks of a page that are recorded as outdated. */
const maxOutdatedBlocks = 500

/** Returns the hashes of edited blocks whose source changed, by page. */
export function findOutdatedBlocks(conflicts: readonly Conflict[]): Map<PageId, readonly string[]> {
  const found = new Map<PageId, string[]>()
  for (const conflict of conflicts) {
    if (conflict.kind !== 'block' || !conflict.ours) continue
    const id = conflict.page ?? (`/${conflict.path}` as PageId)
    const list = found.get(id) ?? []
    if (list.length < maxOutdatedBlocks) list.push(hashOfBlock(conflict.ours))
    found.set(id, list)
  }
  return found
}

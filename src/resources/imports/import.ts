/**
 * Import pipeline: a tree of files becomes a revision. Files are read and stored one by one, planned as a whole, and
 * committed in one step.
 *
 * Objects are content-addressed, so they are written in many short transactions while the tree is read; an import
 * that is killed leaves unreferenced objects and the old head. Readers see only the last transaction. Optimistic
 * concurrency: when other writers move the head during planning, the import plans again; the last attempt plans under
 * the space lock, so that every import terminates. Core decides which files are pages.
 */
import type { Hash, RevisionId } from '../../core/ids.js'
import type { MapNode, Sink, Step } from '../../core/merkle/types.js'
import {
  insertOrUpdatePlan,
  mergeImportedTree,
  planWithExisting,
  sameSettings,
} from '../../core/merge/merge-imported-tree.js'
import { count } from '../../core/merkle/map.js'
import { buildSnapshotInSteps, emptySnapshot, sameSnapshot } from '../../core/pages/build.js'
import { type ImportProblem, sortProblems } from '../../core/pages/import-problems.js'
import { configFile } from '../../core/pages/paths.js'
import { findPage, listNames } from '../../core/pages/read.js'
import type { InsertTarget } from '../../core/pages/insert-subtree.js'
import { planImport } from '../../core/pages/import.js'
import { EditError, editErrors } from '../../core/pages/edit-error.js'
import type { Snapshot } from '../../core/pages/types.js'
import { newFileId, newId } from '../../access/ids.js'
import type { Services } from '../../access/route/scope.js'
import { ApiError } from '../../contract/errors.js'
import type { importModes } from '../../contract/imports.js'
import { decodeNode, decodeText, encodeNode, encodeText, hashOf } from '../../store/content/encoding.js'
import { type PendingObjects, noObjectCache, run, runYielding } from '../../store/content/objects.js'
import { createSink } from '../../store/content/sink.js'
import type { Db, Tx } from '../../store/db/database.js'
import type { ContentContext } from '../content/content.js'
import { type TextSink, describeInto } from '../content/describe.js'
import { blankPage } from '../content/first-page.js'
import { type ImportChanges, listImportChanges } from './content-changes.js'
import { type TreeReadOptions, readTree } from './read-tree.js'
import { type ImportReport, createReport } from './report.js'
import type { SpecificationServices } from './missing-specifications.js'
import { createObjectWriter } from './object-writer.js'
import { type Structure, readStructure } from './structure.js'
import type { ImportTarget } from './target.js'

/** Whether what the tree does not have stays in the content, or is removed from it. */
export type ImportMode = (typeof importModes)[number]

export interface ImportRequest extends TreeReadOptions {
  readonly services: Pick<Services, 'objects' | 'reader'> & SpecificationServices
  readonly target: ImportTarget
  readonly mode: ImportMode
  /** Where the tree is inserted beside the content, whatever the mode. */
  readonly insertTarget?: InsertTarget | undefined
  /** Called in the transaction that commits the import. */
  readonly onCommit?: (tx: Tx, imported: ImportOutcome) => Promise<void>
  /** Opens the transaction that commits the import; its own transaction when absent. */
  readonly commit?: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
}

export interface ImportOutcome extends ImportReport, ImportChanges {
  readonly revision: RevisionId
  readonly mode: ImportMode
  /** False when the content was already equal and no revision was created. */
  readonly isChanged: boolean
  /** The detected language of the texts; undefined when detection is ambiguous. */
  readonly language: string | undefined
}

/** Attempts that plan outside a transaction, before the last attempt plans under the space lock. */
const optimisticAttempts = 2

/**
 * Returns the revision that contains the tree. Throws an ApiError when the tree cannot be read or has no page; then
 * nothing has changed.
 */
export async function importTree(request: ImportRequest): Promise<ImportOutcome> {
  const { services, target, now, mode } = request
  const { database, objects } = services
  const { commit = database.write } = request
  const { organizationId } = target
  const read = await readTree(request)
  if (read.entries.size === 0) throw new ApiError('import_failed', { problem: 'it holds no files' })
  const structure = await readStructure(read, database, organizationId)
  const { language } = read
  let report: ImportReport | undefined

  async function plan(db: Db): Promise<PlannedSnapshot> {
    const base = await target.findBase(db)
    const before = base?.revision.snapshot ?? null
    const graft = before === null ? undefined : request.insertTarget
    const isUpsert =
      before !== null && graft === undefined && mode === 'update' && !(await isUntouched(base!))
    const isReplacement = graft === undefined && !isUpsert
    const step = planImport(isReplacement ? before : null, structure.tree, {
      newId,
      newFileId: () => newFileId(now),
      now,
    })
    // Inside a transaction other writers wait for its end, so yielding to the event loop would only lengthen it.
    const runStep = db === database.read ? runYielding : run
    const source = { db, organizationId, cache: objects }
    const planned = await runStep(step, source)
    if (planned.plan.pages.length === 0) {
      throw new ApiError('import_failed', { problem: 'it holds no page: no Markdown file was found' })
    }
    const { plan } = planned
    // Computed once: of the base it depends only on what links lead to.
    if (report === undefined) {
      const linked = isUpsert ? await runStep(planWithExisting(before, plan), source) : plan
      report = await createReport(services, organizationId, { ...planned, linked }, structure, read)
    }
    const encoded = encodeObjects((sink) => {
      if (isReplacement) return buildSnapshotInSteps(plan, sink)
      const context = { sink, describe: describeInto(sink), now }
      return graft === undefined
        ? mergeImportedTree(before!, plan, context)
        : insertOrUpdatePlan(before!, graft, plan, context)
    })
    const built = await runStep(encoded, source).catch(throwImportError)
    const changes = await runStep(
      listImportChanges(before ?? emptySnapshot(built.snapshot.config), built.snapshot),
      { ...source, pending: pendingOf(built.objects) },
    )
    const problems = isUpsert ? settingsProblems(structure, base!) : []
    return { base, report: withProblems(report, problems), changes, ...built }
  }

  async function commitPlan(tx: Tx, planned: PlannedSnapshot): Promise<ImportOutcome> {
    const { base, snapshot, report, changes } = planned
    const isChanged = base === null || !sameSnapshot(base.revision.snapshot, snapshot)
    const revision = isChanged ? await target.commit(tx, { snapshot, base, language }) : base.revision.id
    const imported = { revision, mode, isChanged, language, ...report, ...changes }
    await request.onCommit?.(tx, imported)
    return imported
  }

  async function commitOptimistically(): Promise<ImportOutcome | undefined> {
    const planned = await plan(database.read)
    // In short transactions: these objects are not referenced yet.
    const objectWriter = createObjectWriter(database, organizationId)
    for (const { hash, bytes, links } of planned.objects) await objectWriter.add(hash, bytes, links)
    await objectWriter.flush()
    try {
      return await commit((tx) => commitPlan(tx, planned))
    } catch (error) {
      if (error instanceof ApiError && error.errorName === 'content_moved') return undefined
      throw error
    }
  }

  async function commitUnderLock(tx: Tx): Promise<ImportOutcome> {
    await target.lock(tx)
    const planned = await plan(tx)
    const sink = createSink(organizationId, noObjectCache)
    for (const { hash, bytes, links } of planned.objects) {
      sink.putBytes(bytes)
      if (links !== undefined) sink.noteLinks(hash, links)
    }
    await sink.flush(tx)
    return commitPlan(tx, planned)
  }

  let outcome: ImportOutcome | undefined
  for (let attempt = 1; attempt <= optimisticAttempts; attempt += 1) outcome ??= await commitOptimistically()
  return outcome ?? (await commit(commitUnderLock))
}

/** A snapshot that can replace its base once its objects are written. */
interface PlannedSnapshot {
  readonly base: ContentContext | null
  readonly report: ImportReport
  readonly changes: ImportChanges
  readonly snapshot: Snapshot
  readonly objects: readonly EncodedObject[]
}

interface EncodedObject {
  readonly hash: Hash
  readonly bytes: Uint8Array
  /** Only for texts. */
  readonly links: Uint8Array | undefined
}

/** Whether the content is the blank page of a new space, which nobody wrote. */
async function isUntouched({ revision: { parents, snapshot }, run }: ContentContext): Promise<boolean> {
  if (parents.length > 0) return false
  const names = await run(listNames(snapshot))
  const [[, only] = []] = names
  if (names.length > 1 || (await run(count(snapshot.pages))) !== names.length) return false
  if (only === undefined) return true
  const page = 'page' in only ? await run(findPage(snapshot, only.page)) : undefined
  return page?.type === 'document' && page.text === hashOf(encodeText(blankPage.text))
}

/** An upsert leaves the settings of the content as they are. */
function settingsProblems({ tree }: Structure, { revision }: ContentContext): readonly ImportProblem[] {
  if (sameSettings(tree.config, revision.snapshot.config)) return []
  const message =
    'Its root, readme and summary were not taken: the space has others. With the mode "replace" it takes them.'
  return [{ kind: 'structure', path: configFile, message }]
}

function withProblems(report: ImportReport, problems: readonly ImportProblem[]): ImportReport {
  if (problems.length === 0) return report
  return {
    ...report,
    problemCount: report.problemCount + problems.length,
    problems: sortProblems([...report.problems, ...problems]),
  }
}

/** Returns the objects of a plan for reading. */
function pendingOf(objects: readonly EncodedObject[]): PendingObjects {
  const byHash = new Map(objects.map(({ hash, bytes }) => [hash, bytes]))
  return {
    findNode(hash) {
      const bytes = byHash.get(hash)
      return bytes && decodeNode(bytes)
    },
    findText(hash) {
      const bytes = byHash.get(hash)
      return bytes && decodeText(bytes)
    },
  }
}

/** Reports a refused insertion with the message of the edit error: an inserted tree is an edit. */
function throwImportError(error: unknown): never {
  if (!(error instanceof EditError)) throw error
  throw new ApiError('import_failed', { problem: editErrors[error.refusal].replace(/\.$/, '') })
}

/** Returns the roots of the snapshot and the objects that they reference and that may not be stored yet. */
function* encodeObjects(
  build: (sink: Sink & TextSink) => Step<Snapshot>,
): Step<{ snapshot: Snapshot; objects: readonly EncodedObject[] }> {
  const objects: Omit<EncodedObject, 'links'>[] = []
  const texts = new Map<Hash, string>()
  const links = new Map<Hash, Uint8Array>()
  const put = (bytes: Uint8Array): Hash => {
    const hash = hashOf(bytes)
    objects.push({ hash, bytes })
    return hash
  }
  const snapshot = yield* build({
    putNode: (node: MapNode) => put(encodeNode(node)),
    putText(text: string) {
      const hash = put(encodeText(text))
      texts.set(hash, text)
      return hash
    },
    findText: (hash) => texts.get(hash),
    noteLinks: (hash, packed) => void links.set(hash, packed),
  })
  return { snapshot, objects: objects.map((one) => ({ ...one, links: links.get(one.hash) })) }
}

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
import { buildSnapshotInSteps, sameSnapshot } from '../../core/pages/build.js'
import { type InsertTarget, insertPlan } from '../../core/pages/insert-subtree.js'
import { planImport } from '../../core/pages/import.js'
import { EditError, editErrors } from '../../core/pages/edit-error.js'
import type { Snapshot } from '../../core/pages/types.js'
import { newFileId, newId } from '../../access/ids.js'
import type { Services } from '../../access/route/scope.js'
import { ApiError } from '../../contract/errors.js'
import { encodeNode, encodeText, hashOf } from '../../store/content/encoding.js'
import { noObjectCache, run, runYielding } from '../../store/content/objects.js'
import { createSink } from '../../store/content/sink.js'
import type { Db, Tx } from '../../store/db/database.js'
import type { ContentContext } from '../content/content.js'
import { type TextSink, describeInto } from '../content/describe.js'
import { type TreeReadOptions, readTree } from './read-tree.js'
import { type ImportReport, createReport } from './report.js'
import { createObjectWriter } from './object-writer.js'
import { readStructure } from './structure.js'
import type { ImportTarget } from './target.js'

export interface ImportRequest extends TreeReadOptions {
  readonly services: Pick<Services, 'database' | 'objects' | 'files' | 'reader'>
  readonly target: ImportTarget
  /** Where the tree is inserted; it replaces the whole content when absent. */
  readonly insertTarget?: InsertTarget | undefined
  /** Called in the transaction that commits the import. */
  readonly onCommit?: (tx: Tx, imported: ImportOutcome) => Promise<void>
  /** Opens the transaction that commits the import; its own transaction when absent. */
  readonly commit?: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
}

export interface ImportOutcome extends ImportReport {
  readonly revision: RevisionId
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
  const { services, target, now } = request
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
    const step = planImport(graft === undefined ? before : null, structure.tree, {
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
    // Computed once: it depends only on the tree, not on the base.
    report ??= await createReport(planned, structure, read)
    const encoded = encodeObjects((sink) =>
      graft === undefined
        ? buildSnapshotInSteps(plan, sink)
        : insertPlan(before!, graft, plan, { sink, describe: describeInto(sink) }),
    )
    return { base, report, ...(await runStep(encoded, source).catch(throwImportError)) }
  }

  async function commitPlan(tx: Tx, { base, snapshot, report }: PlannedSnapshot): Promise<ImportOutcome> {
    const isChanged = base === null || !sameSnapshot(base.revision.snapshot, snapshot)
    const revision = isChanged ? await target.commit(tx, { snapshot, base, language }) : base.revision.id
    const imported = { revision, isChanged, language, ...report }
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
  readonly snapshot: Snapshot
  readonly objects: readonly EncodedObject[]
}

interface EncodedObject {
  readonly hash: Hash
  readonly bytes: Uint8Array
  /** Only for texts. */
  readonly links: Uint8Array | undefined
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

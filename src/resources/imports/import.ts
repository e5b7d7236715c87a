/**
 * A tree of files becomes content: read and stored as it comes, planned as a whole, made the head at once.
 *
 * Objects are named by what they are, so they are written in many short transactions while the tree is
 * read; an import that is killed leaves objects that nothing names, and the old head. Only the last
 * transaction is seen by readers. Writers who never rest move the head under each plan; the last one is made
 * while they wait, so that every import ends. Which files are pages is decided in core.
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
import { type TreeToRead, readTree } from './read-tree.js'
import { type ImportReport, reportOn } from './report.js'
import { createStage } from './object-writer.js'
import { readStructure } from './structure.js'
import type { ImportTarget } from './target.js'

export interface ImportRequest extends TreeToRead {
  readonly services: Pick<Services, 'database' | 'objects' | 'files' | 'reader'>
  readonly target: ImportTarget
  /** Where the tree is added; in place of everything that stands there when left out. */
  readonly below?: InsertTarget | undefined
  /** Told in the transaction that makes the import seen. */
  readonly placed?: (tx: Tx, imported: Imported) => Promise<void>
  /** Opens the transaction that makes the import seen; one of its own when left out. */
  readonly commit?: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
}

export interface Imported extends ImportReport {
  readonly revision: RevisionId
  /** False when the content was the same already and no revision was made. */
  readonly isChanged: boolean
  /** The language that the texts are in, where that is clear. */
  readonly language: string | undefined
}

/** How often the tree is planned aside, until the last plan is made while nobody else may write in the space. */
const attemptsAside = 2

/**
 * Returns the revision that holds the tree. Throws an ApiError when the tree cannot be read or has no page; then
 * nothing has changed.
 */
export async function importTree(request: ImportRequest): Promise<Imported> {
  const { services, target, now } = request
  const { database, objects } = services
  const { commit = database.write } = request
  const { organizationId } = target
  const read = await readTree(request)
  if (read.entries.size === 0) throw new ApiError('import_failed', { problem: 'it holds no files' })
  const structure = await readStructure(read, database, organizationId)
  const { language } = read
  let report: ImportReport | undefined

  async function plan(db: Db): Promise<Planned> {
    const base = await target.findBase(db)
    const before = base?.revision.snapshot ?? null
    const graft = before === null ? undefined : request.below
    const step = planImport(graft === undefined ? before : null, structure.tree, {
      newId,
      newFileId: () => newFileId(now),
      now,
    })
    // Within a transaction everybody waits for its end, not for its breath.
    const drive = db === database.read ? runYielding : run
    const source = { db, organizationId, cache: objects }
    const planned = await drive(step, source)
    if (planned.plan.pages.length === 0) {
      throw new ApiError('import_failed', { problem: 'it holds no page: no Markdown file was found' })
    }
    const { plan } = planned
    // Once: it follows from the tree alone, whatever that is put in the place of.
    report ??= await reportOn(planned, structure, read)
    const encoded = encodeObjects((sink) =>
      graft === undefined
        ? buildSnapshotInSteps(plan, sink)
        : insertPlan(before!, graft, plan, { sink, describe: describeInto(sink) }),
    )
    return { base, report, ...(await drive(encoded, source).catch(refused)) }
  }

  async function place(tx: Tx, { base, snapshot, report }: Planned): Promise<Imported> {
    const isChanged = base === null || !sameSnapshot(base.revision.snapshot, snapshot)
    const revision = isChanged ? await target.commit(tx, { snapshot, base, language }) : base.revision.id
    const imported = { revision, isChanged, language, ...report }
    await request.placed?.(tx, imported)
    return imported
  }

  async function placeAside(): Promise<Imported | undefined> {
    const planned = await plan(database.read)
    // In short transactions: nothing names them yet.
    const stage = createStage(database, organizationId)
    for (const { hash, bytes, links } of planned.objects) await stage.add(hash, bytes, links)
    await stage.flush()
    try {
      return await commit((tx) => place(tx, planned))
    } catch (error) {
      if (error instanceof ApiError && error.errorName === 'content_moved') return undefined
      throw error
    }
  }

  async function placeWhileOthersWait(tx: Tx): Promise<Imported> {
    await target.lock(tx)
    const planned = await plan(tx)
    const sink = createSink(organizationId, noObjectCache)
    for (const { hash, bytes, links } of planned.objects) {
      sink.putBytes(bytes)
      if (links !== undefined) sink.noteLinks(hash, links)
    }
    await sink.flush(tx)
    return place(tx, planned)
  }

  let placed: Imported | undefined
  for (let attempt = 1; attempt <= attemptsAside; attempt += 1) placed ??= await placeAside()
  return placed ?? (await commit(placeWhileOthersWait))
}

/** A snapshot that can be put in the place of its base once its objects are written. */
interface Planned {
  readonly base: ContentContext | null
  readonly report: ImportReport
  readonly snapshot: Snapshot
  readonly objects: readonly NamedObject[]
}

interface NamedObject {
  readonly hash: Hash
  readonly bytes: Uint8Array
  /** Of a text. */
  readonly links: Uint8Array | undefined
}

/** Told with the words of an edit: a tree that is added is one. */
function refused(error: unknown): never {
  if (!(error instanceof EditError)) throw error
  throw new ApiError('import_failed', { problem: editErrors[error.refusal].replace(/\.$/, '') })
}

/** Answers the roots of the snapshot and the objects that they name and nobody may have written yet. */
function* encodeObjects(
  build: (sink: Sink & TextSink) => Step<Snapshot>,
): Step<{ snapshot: Snapshot; objects: readonly NamedObject[] }> {
  const objects: Omit<NamedObject, 'links'>[] = []
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

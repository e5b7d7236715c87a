/**
 * A tree of files becomes content: read and stored as it comes, planned as a whole, made the head at once.
 *
 * Objects are named by what they are, so they are written in many short transactions while the tree is
 * read; an import that is killed leaves objects that nothing names, and the old head. Only the last
 * transaction is seen by readers. Writers who never rest move the head under each plan; the last one is made
 * while they wait, so that every import ends. Which files are pages is decided in core.
 */
import type { Hash, OrganizationId, RevisionId } from '../../core/ids.js'
import { parseConfig } from '../../core/markdown/gitbook-yaml.js'
import { parseSummary } from '../../core/markdown/summary.js'
import type { MapNode, Sink, Step } from '../../core/merkle/types.js'
import { buildSnapshotInSteps, sameSnapshot } from '../../core/pages/build.js'
import { type ImportPlan, type ImportTree, planImport } from '../../core/pages/import.js'
import type { OutlineProblem } from '../../core/pages/outline.js'
import { isInclude, joinPath } from '../../core/pages/paths.js'
import { type ContentConfig, defaultConfig } from '../../core/config.js'
import type { Snapshot } from '../../core/pages/types.js'
import { newFileId, newId } from '../../access/ids.js'
import type { Services } from '../../access/route/scope.js'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import { encodeNode, encodeText, decodeText, hashOf } from '../../store/content/encoding.js'
import { findBytes, keepNoObjects, run, runAside } from '../../store/content/objects.js'
import { createSink } from '../../store/content/sink.js'
import type { Db, Tx } from '../../store/db/database.js'
import type { ContentHere } from '../content/content.js'
import { type ReadTree, type TreeToRead, readTree } from './read-tree.js'
import { createStage } from './stage.js'
import type { ImportTarget } from './target.js'

export interface ImportRequest extends TreeToRead {
  readonly services: Pick<Services, 'database' | 'objects' | 'files' | 'reader'>
  readonly target: ImportTarget
  /** Opens the transaction that makes the import seen; one of its own when left out. */
  readonly commit?: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
}

export interface Imported {
  readonly revision: RevisionId
  /** False when the content was the same already and no revision was made. */
  readonly isChanged: boolean
  /** Pages, files and reusable contents. */
  readonly importedResources: number
  /** The same, and the Markdown files that are kept without being pages. */
  readonly totalResources: number
  readonly problems: readonly OutlineProblem[]
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
  const { tree, problems } = await readStructure(read, services, organizationId)

  async function plan(db: Db): Promise<Planned> {
    const base = await target.findBase(db)
    const step = planImport(base?.revision.snapshot ?? null, tree, {
      newId,
      newFileId: () => newFileId(now),
      now,
    })
    // Within a transaction everybody waits for its end, not for its breath.
    const drive = db === database.read ? runAside : run
    const source = { db, organizationId, cache: objects }
    const planned = await drive(step, source)
    if (planned.plan.pages.length === 0) {
      throw new ApiError('import_failed', { problem: 'it holds no page: no Markdown file was found' })
    }
    const answer = { ...count(planned, tree), problems: [...planned.problems, ...problems] }
    return { base, ...(await drive(encodeSnapshot(planned), source)), answer }
  }

  async function place(tx: Tx, { base, snapshot, answer }: Planned): Promise<Imported> {
    if (base !== null && sameSnapshot(base.revision.snapshot, snapshot)) {
      return { revision: base.revision.id, isChanged: false, ...answer }
    }
    return { revision: await target.commit(tx, snapshot, base), isChanged: true, ...answer }
  }

  for (let attempt = 1; attempt <= attemptsAside; attempt += 1) {
    const planned = await plan(database.read)
    // In short transactions: nothing names them yet.
    const stage = createStage(database, organizationId)
    for (const { hash, bytes } of planned.objects) await stage.add(hash, bytes)
    await stage.flush()
    try {
      return await commit((tx) => place(tx, planned))
    } catch (error) {
      if (!(error instanceof ApiError && error.errorName === 'content_moved')) throw error
    }
  }
  return commit(async (tx) => {
    await target.lock(tx)
    const planned = await plan(tx)
    const sink = createSink(organizationId, keepNoObjects)
    for (const { bytes } of planned.objects) sink.putBytes(bytes)
    await sink.flush(tx)
    return place(tx, planned)
  })
}

/** A snapshot that can be put in the place of its base once its objects are written. */
interface Planned {
  readonly base: ContentHere | null
  readonly snapshot: Snapshot
  readonly objects: readonly NamedObject[]
  readonly answer: Omit<Imported, 'revision' | 'isChanged'>
}

interface NamedObject {
  readonly hash: Hash
  readonly bytes: Uint8Array
}

/** The two texts that say how the others hang together. */
async function readStructure(
  { entries, problems }: ReadTree,
  { database }: Pick<Services, 'database'>,
  organizationId: OrganizationId,
): Promise<{ tree: ImportTree; problems: OutlineProblem[] }> {
  async function textAt(path: string): Promise<string | undefined> {
    const entry = entries.get(path)
    if (entry?.kind !== 'text') return undefined
    const bytes = await findBytes(database.read, organizationId, entry.text.hash)
    if (bytes!.length > limits.summaryBytes) {
      throw new ApiError('page_too_large', {
        page: `"${path}"`,
        limit: `${limits.summaryBytes / 1_000_000} MB`,
      })
    }
    return decodeText(bytes!)
  }

  const found: OutlineProblem[] = []
  const configText = await textAt('.gitbook.yaml')
  let config: ContentConfig = defaultConfig
  if (configText !== undefined) {
    const parsed = parseConfig(configText)
    config = parsed.config
    for (const { message } of parsed.problems) found.push({ path: '.gitbook.yaml', message })
  }
  const summaryPath = joinPath(config.root, config.summary)
  const summaryText = await textAt(summaryPath)
  if (summaryText === undefined) return { tree: { config, entries }, problems: [...found, ...problems] }
  const summary = parseSummary(summaryText)
  for (const { message } of summary.problems) found.push({ path: summaryPath, message })
  return { tree: { config, entries, summary: summary.entries }, problems: [...found, ...problems] }
}

/** Answers the roots of the snapshot and the objects that they name and nobody may have written yet. */
function* encodeSnapshot({
  plan,
}: ImportPlan): Step<{ snapshot: Snapshot; objects: readonly NamedObject[] }> {
  const objects: NamedObject[] = []
  const put = (bytes: Uint8Array): Hash => {
    const hash = hashOf(bytes)
    objects.push({ hash, bytes })
    return hash
  }
  const sink: Sink = {
    putNode: (node: MapNode) => put(encodeNode(node)),
    putText: (text: string) => put(encodeText(text)),
  }
  return { snapshot: yield* buildSnapshotInSteps(plan, sink), objects }
}

function count({ plan }: ImportPlan, { config, entries }: ImportTree) {
  const written = plan.pages.filter((page) => page.type === 'document' && page.text !== undefined).length
  const includes = plan.texts.filter(({ path }) => isInclude(path, config)).length
  const imported = written + includes + plan.files.length
  const summary = joinPath(config.root, config.summary)
  const aside = plan.texts.filter(
    ({ path }) =>
      entries.has(path) && /\.(?:md|markdown)$/i.test(path) && path !== summary && !isInclude(path, config),
  ).length
  return { importedResources: imported, totalResources: imported + aside }
}

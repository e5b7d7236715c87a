/**
 * A tree of files becomes content: read and stored as it comes, planned as a whole, made the head at once.
 *
 * Objects are named by what they are, so they are written in many short transactions while the tree is
 * read; an import that is killed leaves objects that nothing names, and the old head. Only the last
 * transaction is seen by readers. Which files are pages is decided in core.
 */
import type { Hash, OrganizationId, RevisionId } from '../../../core/ids.js'
import { parseConfig } from '../../../core/markdown/gitbook-yaml.js'
import { parseSummary } from '../../../core/markdown/summary.js'
import type { MapNode, Sink } from '../../../core/merkle/types.js'
import { buildSnapshot, sameSnapshot } from '../../../core/pages/build.js'
import { type ImportPlan, type ImportTree, planImport } from '../../../core/pages/import.js'
import type { OutlineProblem } from '../../../core/pages/outline.js'
import { isInclude, joinPath } from '../../../core/pages/paths.js'
import { type ContentConfig, type Snapshot, defaultConfig } from '../../../core/pages/types.js'
import { newId } from '../../../access/route/ids.js'
import type { Services } from '../../../access/route/scope.js'
import { ApiError } from '../../../contract/errors.js'
import { encodeNode, encodeText, decodeText, hashOf } from '../../../store/content/encoding.js'
import { findBytes, run } from '../../../store/content/objects.js'
import type { ArchiveEntry } from './archive.js'
import { type ReadTree, readTree } from './read-tree.js'
import { createStage } from './stage.js'
import type { ImportTarget } from './target.js'

export interface ImportRequest {
  readonly services: Pick<Services, 'database' | 'objects' | 'files' | 'reader'>
  readonly target: ImportTarget
  readonly entries: AsyncIterable<ArchiveEntry>
  /** Milliseconds since 1970. */
  readonly now: number
  /** Told after each file with how many were read, and once more when the last is written. */
  readonly progress?: (filesRead: number) => void
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

/** How often a head that moved meanwhile is planned on again. */
const attempts = 3

/**
 * Returns the revision that holds the tree. Throws an ApiError when the tree cannot be read, when it has
 * no page, or (`content_moved`) when the head moved again and again; then nothing has changed.
 */
export async function importTree(request: ImportRequest): Promise<Imported> {
  const { services, target, now } = request
  const { database, objects } = services
  const { organizationId } = target
  const read = await readTree(request)
  if (read.entries.size === 0) throw new ApiError('import_failed', { problem: 'it holds no files' })
  const { tree, problems } = await readStructure(read, services, organizationId)

  for (let attempt = 1; ; attempt += 1) {
    const base = await target.findBase(database.read)
    const before = base?.revision.snapshot ?? null
    const step = planImport(before, tree, { newId, now })
    const planned = await run(step, { db: database.read, organizationId, cache: objects })
    if (planned.plan.pages.length === 0) {
      throw new ApiError('import_failed', { problem: 'it holds no page: no Markdown file was found' })
    }
    const snapshot = await writeSnapshot(planned, services, organizationId)
    const answer = { ...count(planned, tree), problems: [...planned.problems, ...problems] }
    if (base !== null && sameSnapshot(base.revision.snapshot, snapshot)) {
      return { revision: base.revision.id, isChanged: false, ...answer }
    }
    try {
      const revision = await database.write((tx) => target.commit(tx, snapshot, base))
      return { revision, isChanged: true, ...answer }
    } catch (error) {
      const isLost = error instanceof ApiError && error.errorName === 'content_moved'
      if (!isLost || attempt === attempts) throw error
    }
  }
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

/** Writes the nodes of the snapshot in short transactions; nothing names them yet. */
async function writeSnapshot(
  { plan }: ImportPlan,
  { database }: Pick<Services, 'database'>,
  organizationId: OrganizationId,
): Promise<Snapshot> {
  const encoded: { hash: Hash; bytes: Uint8Array }[] = []
  const put = (bytes: Uint8Array): Hash => {
    const hash = hashOf(bytes)
    encoded.push({ hash, bytes })
    return hash
  }
  const sink: Sink = {
    putNode: (node: MapNode) => put(encodeNode(node)),
    putText: (text: string) => put(encodeText(text)),
  }
  const snapshot = buildSnapshot(plan, sink)
  const stage = createStage(database, organizationId)
  for (const { hash, bytes } of encoded) await stage.add(hash, bytes)
  await stage.flush()
  return snapshot
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

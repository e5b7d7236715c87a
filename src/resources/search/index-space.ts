/**
 * Search indexing: updates the index of a space to its head.
 *
 * A small difference is one transaction. A large one is many short ones; each index entry contains the hash of its
 * text, so that a run after a crash does only the rest. Neither checks whether the head moves meanwhile: the revision
 * that was started is finished, and the job of the next head takes the difference. So the index of a space that is
 * written continuously lags behind, but never restarts.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PageId, SpaceId } from '../../core/ids.js'
import type { Services } from '../../access/route/scope.js'
import { type PendingObjects, noObjectCache, run } from '../../store/content/objects.js'
import type { Database, Tx } from '../../store/db/database.js'
import { noLocks } from '../../store/db/lock-scope.js'
import type { JobHandler } from '../../store/jobs/worker.js'
import {
  type FailedPage,
  deletePages,
  listFailedPages,
  listIndexedPages,
  mergeParts,
  replacePages,
} from '../../store/search/pages.js'
import {
  type NumberedHead,
  releaseIndexLease,
  acquireIndexLease,
  extendIndexLease,
  findIndexState,
  finishIndexing,
  listSpacesWithComputedPages,
  listOutdated,
  moveIndex,
} from '../../store/search/index-state.js'
import { enqueueContentJobs, type indexSpaceJob } from '../content/content-jobs.js'
import type { indexComputedJob } from '../openapi-specs/index-job.js'
import { latestContentId } from '../content/expansion.js'
import { type ContentContext, findContent, getContent } from '../content/content.js'
import {
  withReferences,
  batches,
  collectChanged,
  collectIndexable,
  findIndexable,
  isIndexed,
  readPages,
} from './index-pages.js'
import { findSpace, findSpaceAnywhere } from '../spaces/store.js'
import {
  type ReferencedSpecifications,
  findPagesReferencing,
  findPagesLinkingChangedFiles,
  findReferencedSpecifications,
} from './referenced-specifications.js'

export interface IndexRequest {
  readonly services: Pick<
    Services,
    'database' | 'objects' | 'reader' | 'files' | 'caches' | 'specifications' | 'background'
  >
  readonly spaceId: SpaceId
  readonly signal: AbortSignal
  readonly now: () => number
  /** Called after each step. */
  readonly progress?: (done: number, total: number) => void
  /** True to retry texts whose folding failed before. */
  readonly retriesFailed?: boolean
}

/** For a difference of more pages, comparing all pages is faster. */
const maxPagesAtOnce = 100
const idsPerDelete = 500
/** Milliseconds between two polls of an index that another process is changing. */
const pollInterval = 100
const spacesPerCatchUp = 500

/** The handler of `indexSpaceJob`: fails when a text cannot be folded, and its retry tries that text again. */
export function indexSpaceHandler(
  services: IndexRequest['services'],
  now: () => number,
): JobHandler<typeof indexSpaceJob> {
  return async ({ spaceId }, { signal, job }) => {
    const failed = await indexSpace({ services, spaceId, signal, now, retriesFailed: job.attempt > 1 })
    if (failed > 0) {
      const first = await findFailed(services.database, spaceId)
      const example = first === undefined ? '' : `: ${first.path}, ${first.reason}`
      throw new Error(`${failed} pages of the space ${spaceId} are found by their titles alone${example}`)
    }
  }
}

async function findFailed({ read }: Database, spaceId: SpaceId): Promise<FailedPage | undefined> {
  const row = await findSpaceAnywhere(read, spaceId)
  return row && (await listFailedPages(read, { organizationId: row.organization_id, spaceId }))[0]
}

/** The handler of `indexComputedJob`: enqueues indexing of every space whose index contains specifications. */
export function indexComputedHandler(
  { database }: IndexRequest['services'],
  now: () => number,
): JobHandler<typeof indexComputedJob> {
  return async ({ organizationId }, { signal }) => {
    let after: SpaceId | undefined
    for (;;) {
      signal.throwIfAborted()
      const spaces = await listSpacesWithComputedPages(database.read, organizationId, {
        after,
        limit: spacesPerCatchUp,
      })
      if (spaces.length === 0) return
      await database.writeWithLocks(noLocks, async (tx) => {
        for (const spaceId of spaces) await enqueueContentJobs(tx, { organizationId, spaceId, now: now() })
      })
      after = spaces.at(-1)!
    }
  }
}

/** Enqueues indexing of every space whose index is behind its head or of an older format; for server start. */
export async function catchUpIndexes(database: Database, now: number): Promise<void> {
  let after: SpaceId | undefined
  for (;;) {
    const places = await listOutdated(database.read, { after, limit: spacesPerCatchUp })
    if (places.length === 0) return
    await database.writeWithLocks(noLocks, async (tx) => {
      for (const source of places) await enqueueContentJobs(tx, { ...source, now })
    })
    after = places.at(-1)!.spaceId
  }
}

/**
 * Resolves when the index has reached the head that the space had at the call; safe to call concurrently in several
 * processes. Returns the number of texts that could not be folded.
 */
export async function indexSpace(request: IndexRequest): Promise<number> {
  const { services, spaceId, signal, retriesFailed = false } = request
  const { database } = services
  let failed = 0
  for (let attempt = 0; ; attempt += 1) {
    signal.throwIfAborted()
    if (attempt > 0) await sleep(pollInterval, undefined, { signal })
    const row = await findSpaceAnywhere(database.read, spaceId)
    // Its index was deleted with it.
    if (row === undefined) return 0
    const state = await findIndexState(database.read, { organizationId: row.organization_id, spaceId })
    const source = { db: database.read, services, organizationId: row.organization_id, spaceId }
    const head = await getContent(source, row.revision_id)
    const expandedId = await latestContentId(source, head.revision)
    const specifications = await findReferencedSpecifications(database.read, head)
    if (state?.isExact === true && state.headNumber >= row.head_number) {
      // A later head was indexed with later specifications, too.
      if (state.headNumber > row.head_number) break
      if (state.revisionId === expandedId && state.specifications === specifications.key) break
    }
    const content = await findContent(source, expandedId)
    if (content === undefined) continue
    const target = { content, specifications, headNumber: row.head_number }
    const was =
      state?.isExact === true && state.revisionId !== null
        ? await findContent(source, state.revisionId)
        : undefined
    const before = was && { content: was, specifications: state!.specifications }
    const done = before && (await indexInOneTransaction(request, target, before))
    const outcome = done === 'too much' || done === undefined ? await indexInSteps(request, target) : done
    if (outcome === 'locked') continue
    failed = outcome
    break
  }
  return retriesFailed && failed === 0 ? retryFailed(request) : failed
}

interface IndexTarget {
  readonly content: ContentContext
  readonly specifications: ReferencedSpecifications
  readonly headNumber: number
}

function headOf({ content, specifications, headNumber }: IndexTarget): NumberedHead {
  return { revisionId: content.revision.id, specifications: specifications.key, headNumber }
}

/** The state of an exact index. */
interface IndexedState {
  readonly content: ContentContext
  /** Key of the specification versions. */
  readonly specifications: string
}

/** Runs the work in a transaction that locks the space; false also when the space has left the organization. */
function writeIndex(
  database: Database,
  { organizationId, spaceId }: Pick<ContentContext, 'organizationId' | 'spaceId'>,
  work: (tx: Tx) => Promise<boolean>,
  amount: 'a few pages' | 'many pages' = 'a few pages',
): Promise<boolean> {
  const write = amount === 'many pages' ? database.writeInBulk : database.writeWithLocks
  return write({ organizations: [organizationId], space: spaceId }, async (tx) => {
    return (await findSpace(tx, organizationId, spaceId)) !== undefined && work(tx)
  })
}

/** Pages that are indexed in the thread of the caller, a millisecond each. */
const fewPages = 4

/** The number of texts that could not be folded, or that another process is changing the index. */
type IndexOutcome = number | 'locked'

/** Updates an exact index to the target in one transaction, unless the difference is too large. */
async function indexInOneTransaction(
  { services, signal, progress }: IndexRequest,
  target: IndexTarget,
  { content: before, specifications: specificationsBefore }: IndexedState,
): Promise<IndexOutcome | 'too much'> {
  const { database, objects } = services
  const { content, specifications } = target
  const { organizationId } = content
  const pending: PendingObjects = {
    findNode: (hash) => before.pending?.findNode(hash) ?? content.pending?.findNode(hash),
    findText: (hash) => before.pending?.findText(hash) ?? content.pending?.findText(hash),
  }
  const both = { db: database.read, organizationId, cache: objects, pending }
  const differing = await run(collectChanged(before.revision.snapshot, content.revision.snapshot), both)
  // Unchanged pages that reference changed specifications.
  const { snapshot } = content.writtenRevision
  const showingFiles = await run(
    findPagesLinkingChangedFiles(before.writtenRevision.snapshot, snapshot),
    both,
  )
  const isSame = specificationsBefore === specifications.key
  const showing = isSame
    ? []
    : (await content.run(findPagesReferencing(snapshot, specifications.versions))).keys()
  const changed = [...new Set([...differing, ...showing, ...showingFiles])]
  // For a removed specification it is not known which pages referenced it.
  if (changed.length > maxPagesAtOnce || (!isSame && !specifications.isComplete)) return 'too much'
  const indexable = await content.run(findIndexable(content.revision.snapshot, changed))
  const shows = await content.run(findPagesReferencing(snapshot, specifications.versions, changed))
  const found = withReferences(indexable, shows)
  const folded = await readPages(content, found, { services, specifications, signal })
  const indexed = new Set<PageId>(found.map(({ page }) => page.id))
  const gone = changed.filter((id) => !indexed.has(id))
  const replaceChanged = async (tx: Tx) => {
    if (
      !(await moveIndex(tx, content, {
        from: { revisionId: before.revision.id, specifications: specificationsBefore },
        to: headOf(target),
      }))
    )
      return false
    await deletePages(tx, content, gone)
    await replacePages(tx, content, folded)
    return true
  }
  const amount = changed.length > fewPages ? 'many pages' : 'a few pages'
  const isDone = await writeIndex(database, content, replaceChanged, amount)
  if (!isDone) return 'locked'
  progress?.(changed.length, changed.length)
  return countFailed(folded)
}

/** Updates an index in any state to the target, in many short transactions; completed steps persist. */
async function indexInSteps(request: IndexRequest, target: IndexTarget): Promise<IndexOutcome> {
  const { services, now } = request
  const { database } = services
  const { content } = target
  const builder = randomUUID()
  if (!(await writeIndex(database, content, (tx) => acquireIndexLease(tx, content, builder, now()))))
    return 'locked'
  try {
    return await runSteps(request, target, builder)
  } catch (error) {
    // If even this fails, the next process waits until the lease expires.
    await writeIndex(database, content, async (tx) => {
      await releaseIndexLease(tx, content, builder)
      return true
    }).catch(() => {})
    throw error
  }
}

async function runSteps(
  { services, signal, progress, now }: IndexRequest,
  target: IndexTarget,
  builder: string,
): Promise<IndexOutcome> {
  const { database, objects } = services
  const { content, specifications } = target
  const { organizationId, pending } = content

  /** One transaction that renews the lease; false when another process has it. */
  const step = (work: (tx: Tx) => Promise<void>): Promise<boolean> =>
    writeIndex(
      database,
      content,
      async (tx) => {
        if (!(await extendIndexLease(tx, content, builder, now()))) return false
        await work(tx)
        return true
      },
      'many pages',
    )

  const wanted = await collectIndexable(content, specifications)
  const known = await listIndexedPages(database.read, content)
  const obsolete = [...known.keys()].filter((id) => !wanted.has(id))
  const missing = [...wanted.values()].filter((one) => !isIndexed(one, known.get(one.page.id)))
  for (let at = 0; at < obsolete.length; at += idsPerDelete) {
    signal.throwIfAborted()
    if (!(await step((tx) => deletePages(tx, content, obsolete.slice(at, at + idsPerDelete)))))
      return 'locked'
  }
  // Texts that are read once would evict from the cache what users read.
  const uncachedTexts = { ...objects, texts: noObjectCache.texts }
  const reading: ContentContext = {
    ...content,
    run: (wish) =>
      run(wish, {
        db: database.read,
        organizationId,
        cache: uncachedTexts,
        ...(pending !== undefined && { pending }),
      }),
  }
  let [done, failed] = [0, 0]
  const remaining = [...batches(missing)]
  // The next batch is folded while one is written.
  let ahead = remaining[0] && readPages(reading, remaining[0], { services, specifications, signal })
  for (const [index, batch] of remaining.entries()) {
    const folded = await ahead!
    const next = remaining[index + 1]
    ahead = next && readPages(reading, next, { services, specifications, signal })
    // It is awaited only if nothing fails before.
    ahead?.catch(() => {})
    if (!(await step((tx) => replacePages(tx, content, folded)))) return 'locked'
    failed += countFailed(folded)
    progress?.((done += batch.length), missing.length)
  }
  const parts = { isMore: missing.length > maxPagesAtOnce }
  while (parts.isMore) {
    signal.throwIfAborted()
    const isOurs = await step(async (tx) => {
      parts.isMore = await mergeParts(tx)
    })
    if (!isOurs) return 'locked'
  }
  const isDone = await writeIndex(database, content, (tx) =>
    finishIndexing(tx, content, builder, headOf(target)),
  )
  return isDone ? failed : 'locked'
}

/** Retries texts whose folding failed; returns how many still fail. */
async function retryFailed({
  services,
  spaceId,
  signal,
}: Pick<IndexRequest, 'services' | 'spaceId' | 'signal'>): Promise<number> {
  const { database } = services
  const row = await findSpaceAnywhere(database.read, spaceId)
  if (row === undefined) return 0
  const source = { db: database.read, services, organizationId: row.organization_id, spaceId }
  const failed = await listFailedPages(database.read, source)
  const state = await findIndexState(database.read, source)
  if (failed.length === 0 || !state?.isExact || state.revisionId === null) return 0
  const content = await getContent(source, state.revisionId)
  const { revisionId, headNumber } = state
  const specifications = await findReferencedSpecifications(database.read, content)
  // The job of the later versions is still pending.
  if (specifications.key !== state.specifications) return failed.length
  const current = { revisionId, headNumber, specifications: specifications.key }
  const written = content.writtenRevision.snapshot
  let left = 0
  const ids = failed.map(({ pageId }) => pageId)
  for (const batch of batches(await content.run(findIndexable(content.revision.snapshot, ids)))) {
    const shows = await content.run(
      findPagesReferencing(
        written,
        specifications.versions,
        batch.map(({ page }) => page.id),
      ),
    )
    const folded = await readPages(content, withReferences(batch, shows), {
      services,
      specifications,
      signal,
    })
    left += countFailed(folded)
    const isDone = await writeIndex(database, content, async (tx) => {
      if (!(await moveIndex(tx, content, { from: current, to: current }))) return false
      await replacePages(tx, content, folded)
      return true
    })
    // The index moved meanwhile: the rest is for the next retry.
    if (!isDone) return failed.length
  }
  return left
}

function countFailed(folded: readonly { readonly failure?: string }[]): number {
  return folded.filter(({ failure }) => failure !== undefined).length
}

/**
 * Brings the search index of a space up to its head.
 *
 * A small difference is one transaction. A large one is many short ones; each page in the index says by its text's
 * hash what it was made of, so that whoever goes on after a kill does only what is left. Neither looks whether the
 * head moves meanwhile: the revision that was begun is finished, and the job that the next head brought takes the
 * difference. So an index under writers that never rest is a moment behind, and never begins again.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OrganizationId, PageId, SpaceId } from '../../core/ids.js'
import type { Services } from '../../access/route/scope.js'
import { type PendingObjects, keepNoObjects, run } from '../../store/content/objects.js'
import type { Database, Tx } from '../../store/db/database.js'
import { nothing } from '../../store/db/hold.js'
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
  abandonSteps,
  beginSteps,
  continueSteps,
  findIndexState,
  finishSteps,
  listComputed,
  listOutdated,
  moveIndex,
} from '../../store/search/state.js'
import { announceSpaceContent } from '../content/after-effects.js'
import { shownId } from '../content/computed.js'
import { type ContentHere, findContent, getContent } from '../content/content.js'
import {
  addShown,
  batches,
  collectChanged,
  collectWanted,
  findIndexable,
  isIndexed,
  readPages,
} from './index-pages.js'
import { findSpace, findSpaceAnywhere } from '../spaces/store.js'
import {
  type ShownSpecifications,
  findShowing,
  findShowingFiles,
  findShownSpecifications,
} from './shown-specifications.js'

export interface IndexRequest {
  readonly services: Pick<
    Services,
    'database' | 'objects' | 'reader' | 'files' | 'caches' | 'specifications' | 'background'
  >
  readonly spaceId: SpaceId
  readonly signal: AbortSignal
  readonly now: () => number
  /** Told after each step how many pages of how many are done. */
  readonly progress?: (done: number, total: number) => void
  /** True to try again the texts that could not be folded before. */
  readonly retriesFailed?: boolean
}

/** A difference of more pages is found faster by comparing all of them. */
const fewPages = 100
const idsPerDelete = 500
/** Milliseconds between two looks at an index that another process is changing. */
const pauseBetweenLooks = 100
const spacesPerCatchUp = 500

/** The handler of `indexSpaceJob`: a text that could not be folded makes it fail, and the next try takes it up. */
export function indexSpaceHandler(services: IndexRequest['services'], now: () => number): JobHandler {
  return async (payload, { signal, job }) => {
    const { spaceId } = payload as { spaceId: SpaceId }
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

/** The handler of `indexComputedJob`: every space whose index was made of specifications looks for later versions. */
export function indexComputedHandler({ database }: IndexRequest['services'], now: () => number): JobHandler {
  return async (payload, { signal }) => {
    const { organizationId } = payload as { organizationId: OrganizationId }
    let after: SpaceId | undefined
    for (;;) {
      signal.throwIfAborted()
      const spaces = await listComputed(database.read, organizationId, { after, limit: spacesPerCatchUp })
      if (spaces.length === 0) return
      await database.writeHolding(nothing, async (tx) => {
        for (const spaceId of spaces) await announceSpaceContent(tx, { organizationId, spaceId, now: now() })
      })
      after = spaces.at(-1)!
    }
  }
}

/** Has every index brought up that is behind its space or of an older version; for the start of a server. */
export async function catchUpIndexes(database: Database, now: number): Promise<void> {
  let after: SpaceId | undefined
  for (;;) {
    const places = await listOutdated(database.read, { after, limit: spacesPerCatchUp })
    if (places.length === 0) return
    await database.writeHolding(nothing, async (tx) => {
      for (const place of places) await announceSpaceContent(tx, { ...place, now })
    })
    after = places.at(-1)!.spaceId
  }
}

/**
 * Resolves when the index is at the head that the space had when it was asked, or past it; may be called at any time,
 * by several processes at once. Answers how many of the texts that it tried could not be folded.
 */
export async function indexSpace(request: IndexRequest): Promise<number> {
  const { services, spaceId, signal, retriesFailed = false } = request
  const { database } = services
  let failed = 0
  for (let looks = 0; ; looks += 1) {
    signal.throwIfAborted()
    if (looks > 0) await sleep(pauseBetweenLooks, undefined, { signal })
    const row = await findSpaceAnywhere(database.read, spaceId)
    // Its index went with it.
    if (row === undefined) return 0
    const state = await findIndexState(database.read, { organizationId: row.organization_id, spaceId })
    const place = { db: database.read, services, organizationId: row.organization_id, spaceId }
    const head = await getContent(place, row.revision_id)
    const shown = await shownId(place, head.revision)
    const specifications = await findShownSpecifications(database.read, head)
    if (state?.isExact === true && state.headNumber >= row.head_number) {
      // Of a later head, whoever indexed it looked at the specifications later, too.
      if (state.headNumber > row.head_number) break
      if (state.revisionId === shown && state.specifications === specifications.key) break
    }
    const content = await findContent(place, shown)
    if (content === undefined) continue
    const target = { content, specifications, headNumber: row.head_number }
    const was =
      state?.isExact === true && state.revisionId !== null
        ? await findContent(place, state.revisionId)
        : undefined
    const before = was && { content: was, specifications: state!.specifications }
    const done = before && (await indexAtOnce(request, target, before))
    const outcome = done === 'too much' || done === undefined ? await indexInSteps(request, target) : done
    if (outcome === 'held') continue
    failed = outcome
    break
  }
  return retriesFailed && failed === 0 ? retryFailed(request) : failed
}

interface Target {
  readonly content: ContentHere
  readonly specifications: ShownSpecifications
  readonly headNumber: number
}

function headOf({ content, specifications, headNumber }: Target): NumberedHead {
  return { revisionId: content.revision.id, specifications: specifications.key, headNumber }
}

/** What an exact index shows. */
interface Before {
  readonly content: ContentHere
  /** Their key. */
  readonly specifications: string
}

/** Runs the work in a transaction that holds the space; answers false, too, when it belongs to others meanwhile. */
function writeIndex(
  database: Database,
  { organizationId, spaceId }: Pick<ContentHere, 'organizationId' | 'spaceId'>,
  work: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  return database.writeHolding({ organizations: [organizationId], space: spaceId }, async (tx) => {
    return (await findSpace(tx, organizationId, spaceId)) !== undefined && work(tx)
  })
}

/** How many texts could not be folded, or that the index is not ours to change. */
type Outcome = number | 'held'

/** Moves an exact index to the target in one transaction, unless too much lies in between. */
async function indexAtOnce(
  { services, signal, progress }: IndexRequest,
  target: Target,
  { content: before, specifications: shownBefore }: Before,
): Promise<Outcome | 'too much'> {
  const { database, objects } = services
  const { content, specifications } = target
  const { organizationId } = content
  const pending: PendingObjects = {
    findNode: (hash) => before.pending?.findNode(hash) ?? content.pending?.findNode(hash),
    findText: (hash) => before.pending?.findText(hash) ?? content.pending?.findText(hash),
  }
  const both = { db: database.read, organizationId, cache: objects, pending }
  const differing = await run(collectChanged(before.revision.snapshot, content.revision.snapshot), both)
  // Pages that did not change, and show something of specifications that did.
  const { snapshot } = (content.written ?? content).revision
  const showingFiles = await run(
    findShowingFiles((before.written ?? before).revision.snapshot, snapshot),
    both,
  )
  const isSame = shownBefore === specifications.key
  const showing = isSame ? [] : (await content.run(findShowing(snapshot, specifications.versions))).keys()
  const changed = [...new Set([...differing, ...showing, ...showingFiles])]
  // Of one that is gone nothing tells here which pages showed it.
  if (changed.length > fewPages || (!isSame && !specifications.isComplete)) return 'too much'
  const indexable = await content.run(findIndexable(content.revision.snapshot, changed))
  const shows = await content.run(findShowing(snapshot, specifications.versions, changed))
  const found = addShown(indexable, shows)
  const folded = await readPages(content, found, { services, specifications, signal })
  const kept = new Set<PageId>(found.map(({ page }) => page.id))
  const gone = changed.filter((id) => !kept.has(id))
  const isDone = await writeIndex(database, content, async (tx) => {
    if (
      !(await moveIndex(tx, content, {
        from: { revisionId: before.revision.id, specifications: shownBefore },
        to: headOf(target),
      }))
    )
      return false
    await deletePages(tx, content, gone)
    await replacePages(tx, content, folded)
    return true
  })
  if (!isDone) return 'held'
  progress?.(changed.length, changed.length)
  return countFailed(folded)
}

/** Makes the index that of the target, whatever it holds, in many short transactions; what is done stays done. */
async function indexInSteps(request: IndexRequest, target: Target): Promise<Outcome> {
  const { services, now } = request
  const { database } = services
  const { content } = target
  const builder = randomUUID()
  if (!(await writeIndex(database, content, (tx) => beginSteps(tx, content, builder, now())))) return 'held'
  try {
    return await takeSteps(request, target, builder)
  } catch (error) {
    // Where even this fails, whoever comes next waits until the hold has ended by itself.
    await writeIndex(database, content, async (tx) => {
      await abandonSteps(tx, content, builder)
      return true
    }).catch(() => {})
    throw error
  }
}

async function takeSteps(
  { services, signal, progress, now }: IndexRequest,
  target: Target,
  builder: string,
): Promise<Outcome> {
  const { database, objects } = services
  const { content, specifications } = target
  const { organizationId, pending } = content

  /** One transaction, in which the index is ours; false when it no longer is. */
  const step = (work: (tx: Tx) => Promise<void>): Promise<boolean> =>
    writeIndex(database, content, async (tx) => {
      if (!(await continueSteps(tx, content, builder, now()))) return false
      await work(tx)
      return true
    })

  const wanted = await collectWanted(content, specifications)
  const known = await listIndexedPages(database.read, content)
  const obsolete = [...known.keys()].filter((id) => !wanted.has(id))
  const missing = [...wanted.values()].filter((one) => !isIndexed(one, known.get(one.page.id)))
  for (let at = 0; at < obsolete.length; at += idsPerDelete) {
    signal.throwIfAborted()
    if (!(await step((tx) => deletePages(tx, content, obsolete.slice(at, at + idsPerDelete))))) return 'held'
  }
  // Texts that are read once would push out of the cache what people read.
  const aside = { ...objects, texts: keepNoObjects.texts }
  const reading: ContentHere = {
    ...content,
    run: (wish) =>
      run(wish, {
        db: database.read,
        organizationId,
        cache: aside,
        ...(pending !== undefined && { pending }),
      }),
  }
  let [done, failed] = [0, 0]
  const waiting = [...batches(missing)]
  // The next batch is folded while one is written.
  let ahead = waiting[0] && readPages(reading, waiting[0], { services, specifications, signal })
  for (const [index, batch] of waiting.entries()) {
    const folded = await ahead!
    const next = waiting[index + 1]
    ahead = next && readPages(reading, next, { services, specifications, signal })
    // Somebody waits for it only if nothing fails before.
    ahead?.catch(() => {})
    if (!(await step((tx) => replacePages(tx, content, folded)))) return 'held'
    failed += countFailed(folded)
    progress?.((done += batch.length), missing.length)
  }
  const parts = { isMore: missing.length > fewPages }
  while (parts.isMore) {
    signal.throwIfAborted()
    const isOurs = await step(async (tx) => {
      parts.isMore = await mergeParts(tx)
    })
    if (!isOurs) return 'held'
  }
  const isDone = await writeIndex(database, content, (tx) =>
    finishSteps(tx, content, builder, headOf(target)),
  )
  return isDone ? failed : 'held'
}

/** Folds again what could not be folded; answers how many still cannot. */
async function retryFailed({
  services,
  spaceId,
  signal,
}: Pick<IndexRequest, 'services' | 'spaceId' | 'signal'>): Promise<number> {
  const { database } = services
  const row = await findSpaceAnywhere(database.read, spaceId)
  if (row === undefined) return 0
  const place = { db: database.read, services, organizationId: row.organization_id, spaceId }
  const failed = await listFailedPages(database.read, place)
  const state = await findIndexState(database.read, place)
  if (failed.length === 0 || !state?.isExact || state.revisionId === null) return 0
  const content = await getContent(place, state.revisionId)
  const { revisionId, headNumber } = state
  const specifications = await findShownSpecifications(database.read, content)
  // The job that the later versions brought is still to come.
  if (specifications.key !== state.specifications) return failed.length
  const shown = { revisionId, headNumber, specifications: specifications.key }
  const written = (content.written ?? content).revision.snapshot
  let left = 0
  const ids = failed.map(({ pageId }) => pageId)
  for (const batch of batches(await content.run(findIndexable(content.revision.snapshot, ids)))) {
    const shows = await content.run(
      findShowing(
        written,
        specifications.versions,
        batch.map(({ page }) => page.id),
      ),
    )
    const folded = await readPages(content, addShown(batch, shows), { services, specifications, signal })
    left += countFailed(folded)
    const isDone = await writeIndex(database, content, async (tx) => {
      if (!(await moveIndex(tx, content, { from: shown, to: shown }))) return false
      await replacePages(tx, content, folded)
      return true
    })
    // The index went on meanwhile: what is left is for the next try.
    if (!isDone) return failed.length
  }
  return left
}

function countFailed(folded: readonly { readonly failure?: string }[]): number {
  return folded.filter(({ failure }) => failure !== undefined).length
}

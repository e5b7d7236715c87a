/**
 * Brings the search index of a space up to its head.
 *
 * A small difference is one transaction. A large one is many short ones; while they last the index shows no
 * one revision, and each page in it says by its text's hash what it was made of, so that whoever goes on
 * after a kill or a new head does only what is left. Conditional pages are left out like conditional blocks:
 * who may see them is known only when somebody asks.
 */
import type { PageId, SpaceId } from '../../core/ids.js'
import { diff, range } from '../../core/merkle/map.js'
import { loadTexts, together } from '../../core/merkle/steps.js'
import type { Step } from '../../core/merkle/types.js'
import { ancestors, findPages, type PageNode } from '../../core/pages/read.js'
import { subtree } from '../../core/pages/subtree.js'
import type { DocumentPage, PageRecord, Snapshot } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import { createObjectCache, run } from '../../store/content/objects.js'
import type { JobHandler } from '../../store/jobs/worker.js'
import {
  clearIndexedRevision,
  deletePages,
  deleteSpace,
  findIndexedRevision,
  listIndexedPages,
  replacePages,
  setIndexedRevision,
} from '../../store/search/search.js'
import type { FoldedPage } from '../../store/search/fold.js'
import type { TextReader } from '../../store/reading/reader.js'
import { type ContentHere, findContent, getContent } from './content/content.js'
import { findSpace, lockSpace } from './store.js'

export interface IndexRequest {
  readonly services: Pick<Services, 'database' | 'objects' | 'reader'>
  readonly spaceId: SpaceId
  readonly signal: AbortSignal
  /** Told after each step how many pages of how many are done. */
  readonly progress?: (done: number, total: number) => void
}

/** Pages and bytes of text for one transaction: about a tenth of a second. */
const pagesPerStep = 100
const bytesPerStep = 1_000_000
/** A difference of more pages is found faster by comparing all of them. */
const fewPages = 100
const idsPerDelete = 500

/** The handler of `indexSpaceJob`. */
export function indexSpaceHandler(services: IndexRequest['services']): JobHandler {
  return (payload, { signal }) => {
    const { spaceId } = payload as { spaceId: SpaceId }
    return indexSpace({ services, spaceId, signal })
  }
}

/** Resolves when the index shows the head; may be called at any time, by several processes at once. */
export async function indexSpace(request: IndexRequest): Promise<void> {
  const { services, spaceId, signal } = request
  const { database } = services
  let isDone = false
  while (!isDone) {
    signal.throwIfAborted()
    const row = await findSpace(database.read, spaceId)
    if (row === undefined) return database.write((tx) => deleteSpace(tx, spaceId))
    const place = { db: database.read, services, organizationId: row.organization_id, spaceId }
    const head = await getContent(place, row.revision_id)
    const indexed = await findIndexedRevision(database.read, spaceId)
    if (indexed === head.revision.id) return
    const before = indexed === undefined ? undefined : await findContent(place, indexed)
    const changed =
      before && (await head.run(collectChanged(before.revision.snapshot, head.revision.snapshot)))
    isDone =
      before !== undefined && changed !== undefined && changed.length <= fewPages
        ? await indexAtOnce(request, head, before, changed)
        : await indexInSteps(request, head)
  }
}

/** Answers the pages whose place in the index may differ between two snapshots. */
function* collectChanged(before: Snapshot, after: Snapshot): Step<readonly PageId[]> {
  const changes = yield* diff(before.pages, after.pages)
  const changed = new Set(changes.map(({ key }) => key as PageId))
  // What hides a page hides what is below it, which itself did not change.
  const movers = changes.filter((change) => {
    const [one, other] = [change.before, change.after] as unknown as (PageRecord | undefined)[]
    return one && other && (one.parent !== other.parent || isExcluded(one) !== isExcluded(other))
  })
  const below = yield* together(...movers.map(({ key }) => subtree(after, key as PageId)))
  const add = (nodes: readonly PageNode[]): void => {
    for (const { page, children } of nodes) {
      changed.add(page.id)
      add(children)
    }
  }
  for (const nodes of below) add(nodes)
  return [...changed]
}

/** Answers false, having changed nothing, when the head or the index moved meanwhile. */
async function indexAtOnce(
  { services: { database, reader }, spaceId, signal, progress }: IndexRequest,
  head: ContentHere,
  before: ContentHere,
  changed: readonly PageId[],
): Promise<boolean> {
  const found = await head.run(findIndexable(head.revision.snapshot, changed))
  const folded = await readPages(head, found, reader, signal)
  const kept = new Set<PageId>(found.map(({ id }) => id))
  const isDone = await database.write(async (tx) => {
    if ((await lockSpace(tx, spaceId)).revision_id !== head.revision.id) return false
    if ((await findIndexedRevision(tx, spaceId)) !== before.revision.id) return false
    await deletePages(
      tx,
      spaceId,
      changed.filter((id) => !kept.has(id)),
    )
    await replacePages(tx, head.organizationId, spaceId, folded)
    await setIndexedRevision(tx, head.organizationId, spaceId, head.revision.id)
    return true
  })
  if (isDone) progress?.(changed.length, changed.length)
  return isDone
}

function* findIndexable(snapshot: Snapshot, ids: readonly PageId[]): Step<readonly DocumentPage[]> {
  const found = yield* findPages(snapshot, ids)
  const documents = found.filter((page) => page?.type === 'document')
  const above = yield* together(...documents.map((page) => ancestors(snapshot, page)))
  return documents.filter((page, index) => ![page, ...above[index]!].some(isExcluded))
}

/** Answers false when the head moved meanwhile; what was done until then stays done. */
async function indexInSteps(
  { services: { database, objects, reader }, spaceId, signal, progress }: IndexRequest,
  head: ContentHere,
): Promise<boolean> {
  const { organizationId, revision } = head
  const wanted = listIndexable(await head.run(range(revision.snapshot.pages)))
  const held = await listIndexedPages(database.read, spaceId)
  const obsolete = [...held.keys()].filter((id) => !wanted.has(id))
  const missing = [...wanted.values()].filter((page) => {
    const known = held.get(page.id)
    return (
      !known || known.title !== page.title || known.path !== page.path || known.text !== (page.text ?? '')
    )
  })

  /** One transaction, in which the head cannot move. */
  const step = (work: (tx: Parameters<typeof clearIndexedRevision>[0]) => Promise<void>): Promise<boolean> =>
    database.write(async (tx) => {
      if ((await lockSpace(tx, spaceId)).revision_id !== revision.id) return false
      await work(tx)
      return true
    })

  if (!(await step((tx) => clearIndexedRevision(tx, spaceId)))) return false
  for (let at = 0; at < obsolete.length; at += idsPerDelete) {
    signal.throwIfAborted()
    if (!(await step((tx) => deletePages(tx, spaceId, obsolete.slice(at, at + idsPerDelete))))) return false
  }
  // Texts that are read once would push out of the cache what people read.
  const aside = { nodes: objects.nodes, texts: createObjectCache({ texts: 0 }).texts }
  const reading: ContentHere = {
    ...head,
    run: (wish) => run(wish, { db: database.read, organizationId, cache: aside }),
  }
  let done = 0
  const waiting = [...batches(missing)]
  // The next batch is folded while one is written.
  let ahead = waiting[0] && readPages(reading, waiting[0], reader, signal)
  for (const [index, batch] of waiting.entries()) {
    const folded = await ahead!
    const next = waiting[index + 1]
    ahead = next && readPages(reading, next, reader, signal)
    // Somebody waits for it only if nothing fails before.
    ahead?.catch(() => {})
    if (!(await step((tx) => replacePages(tx, organizationId, spaceId, folded)))) return false
    progress?.((done += batch.length), missing.length)
  }
  return step((tx) => setIndexedRevision(tx, organizationId, spaceId, revision.id))
}

/** Answers the documents that may be found; a parent is looked at once, however many pages stand below it. */
function listIndexable(entries: readonly (readonly [string, unknown])[]): Map<PageId, DocumentPage> {
  const pages = new Map(entries as readonly (readonly [PageId, PageRecord])[])
  const hidden = new Map<PageId, boolean>()
  const isHidden = (page: PageRecord): boolean => {
    const known = hidden.get(page.id)
    if (known !== undefined) return known
    const parent = page.parent === null ? undefined : pages.get(page.parent)
    const answer = isExcluded(page) || (parent !== undefined && isHidden(parent))
    hidden.set(page.id, answer)
    return answer
  }
  const documents = [...pages.values()].filter((page) => page.type === 'document')
  return new Map(documents.filter((page) => !isHidden(page)).map((page) => [page.id, page]))
}

function isExcluded(page: PageRecord): boolean {
  return page.type === 'document' && (page.noIndex === true || page.condition !== undefined)
}

function* batches(pages: readonly DocumentPage[]): Generator<readonly DocumentPage[]> {
  let batch: DocumentPage[] = []
  let bytes = 0
  for (const page of pages) {
    if (batch.length === pagesPerStep || (batch.length > 0 && bytes + (page.size ?? 0) > bytesPerStep)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(page)
    bytes += page.size ?? 0
  }
  if (batch.length > 0) yield batch
}

/** Answers the pages cut and folded. */
async function readPages(
  content: ContentHere,
  pages: readonly DocumentPage[],
  reader: TextReader,
  signal: AbortSignal,
): Promise<readonly FoldedPage[]> {
  const hashes = [...new Set(pages.flatMap(({ text }) => (text === undefined ? [] : [text])))]
  const loaded = await content.run(loadTexts(hashes))
  const texts = new Map(hashes.map((hash, index) => [hash, loaded[index]!]))
  signal.throwIfAborted()
  const folding = pages.map(({ id: pageId, title, path, text }) =>
    reader.fold({
      pageId,
      title,
      path,
      text: text ?? '',
      markdown: text === undefined ? '' : texts.get(text)!,
    }),
  )
  return Promise.all(folding)
}

/**
 * Which pages of a snapshot belong in the index, and their texts cut and folded.
 *
 * Conditional pages are left out like conditional blocks: who may see them is known only when somebody asks.
 */
import type { PageId } from '../../core/ids.js'
import { diff } from '../../core/merkle/map.js'
import { loadTexts, together } from '../../core/merkle/steps.js'
import type { Step } from '../../core/merkle/types.js'
import { ancestors, findPages, type PageNode } from '../../core/pages/read.js'
import { subtree } from '../../core/pages/subtree.js'
import type { DocumentPage, PageRecord, Snapshot } from '../../core/pages/types.js'
import type { FoldedPage } from '../../store/search/fold.js'
import { ContentDamaged } from '../../store/content/damaged.js'
import { type PageToFold, type TextReader, unfoldable } from '../../store/reading/reader.js'
import type { ContentHere } from '../content/content.js'

/** Pages and bytes of text for one transaction: about a tenth of a second. */
const pagesPerStep = 100
const bytesPerStep = 1_000_000

/** Answers the pages whose place in the index may differ between two snapshots. */
export function* collectChanged(before: Snapshot, after: Snapshot): Step<readonly PageId[]> {
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

/** Answers those of the pages that may be found. */
export function* findIndexable(snapshot: Snapshot, ids: readonly PageId[]): Step<readonly DocumentPage[]> {
  const found = yield* findPages(snapshot, ids)
  const documents = found.filter((page) => page?.type === 'document')
  const above = yield* together(...documents.map((page) => ancestors(snapshot, page)))
  return documents.filter((page, index) => ![page, ...above[index]!].some(isExcluded))
}

/** Answers the documents that may be found; a parent is looked at once, however many pages stand below it. */
export function listIndexable(entries: readonly (readonly [string, unknown])[]): Map<PageId, DocumentPage> {
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

/** Answers the pages in parts that are written in one transaction each. */
export function* batches(pages: readonly DocumentPage[]): Generator<readonly DocumentPage[]> {
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

/** Answers the pages cut and folded; one whose text is damaged says so, and keeps no other out of the index. */
export async function readPages(
  content: ContentHere,
  pages: readonly DocumentPage[],
  reader: TextReader,
  signal: AbortSignal,
): Promise<readonly FoldedPage[]> {
  let texts: readonly string[]
  try {
    texts = await content.run(loadTexts(pages.flatMap(({ text }) => (text === undefined ? [] : [text]))))
  } catch (error) {
    if (!(error instanceof ContentDamaged)) throw error
    const [first] = pages
    if (pages.length === 1) return [unfoldable(toFold(first!, ''), error.message)]
    const apart = await Promise.all(pages.map((page) => readPages(content, [page], reader, signal)))
    return apart.flat()
  }
  signal.throwIfAborted()
  const loaded = texts.values()
  return Promise.all(
    pages.map((page) => reader.fold(toFold(page, page.text === undefined ? '' : loaded.next().value!))),
  )
}

function toFold({ id: pageId, title, path, text }: DocumentPage, markdown: string): PageToFold {
  return { pageId, title, path, text: text ?? '', markdown }
}

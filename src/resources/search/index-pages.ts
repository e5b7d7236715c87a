/**
 * Which pages of a snapshot belong in the index, and their texts cut and folded.
 *
 * What stands under conditions goes along with them: who may see it is known only when somebody asks.
 */
import { type Guard, guardOfPage } from '../../core/conditions/guard.js'
import type { Hash, PageId } from '../../core/ids.js'
import { diff, range } from '../../core/merkle/map.js'
import { loadTexts, together } from '../../core/merkle/steps.js'
import type { Step } from '../../core/merkle/types.js'
import { ancestors, findPages, type PageNode } from '../../core/pages/read.js'
import { subtree } from '../../core/pages/subtree.js'
import type { DocumentPage, PageRecord, Snapshot } from '../../core/pages/types.js'
import type { FoldedPage } from '../../store/search/fold.js'
import { hashOf } from '../../store/content/encoding.js'
import { type IndexedPage, guardText } from '../../store/search/pages.js'
import { ContentDamaged } from '../../store/content/damaged.js'
import { type PageToFold, type TextReader, unfoldable } from '../../store/reading/reader.js'
import type { ContentHere } from '../content/content.js'
import {
  type ShownSource,
  type ShownSpecifications,
  type WordsReading,
  findLinkingToSpecifications,
  findShowing,
} from './shown-specifications.js'

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
    return one && other && (one.parent !== other.parent || closingOf(one) !== closingOf(other))
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

/** A page that may be found, and the conditions under which it stands, of the pages above it and its own. */
export interface IndexablePage {
  readonly page: DocumentPage
  readonly guard: Guard
  /** The versions of specifications of which it shows something. */
  readonly shows?: readonly ShownSource[]
  /** The files of which its blocks show something. */
  readonly files?: readonly ShownSource[]
}

/** Answers those of the pages that may be found. */
export function* findIndexable(snapshot: Snapshot, ids: readonly PageId[]): Step<readonly IndexablePage[]> {
  const found = yield* findPages(snapshot, ids)
  const documents = found.filter((page) => page?.type === 'document')
  const above = yield* together(...documents.map((page) => ancestors(snapshot, page)))
  return documents.flatMap((page, index) => {
    const all = [...above[index]!, page]
    const guard = all.reduce<Guard | undefined>(joinGuard, [])
    return guard === undefined || all.some(isExcluded) ? [] : [{ page, guard }]
  })
}

/** Adds the condition of a page to those above it; undefined where nobody may ever read it. */
function joinGuard(around: Guard | undefined, page: PageRecord): Guard | undefined {
  const own = guardOfPage(page)
  return around && own && [...around, ...own]
}

/** Answers the documents that may be found; a parent is looked at once, however many pages stand below it. */
export function listIndexable(entries: readonly (readonly [string, unknown])[]): Map<PageId, IndexablePage> {
  const pages = new Map(entries as readonly (readonly [PageId, PageRecord])[])
  const guards = new Map<PageId, Guard | null>()
  /** Null for what nobody finds. */
  const guardAround = (page: PageRecord): Guard | null => {
    const known = guards.get(page.id)
    if (known !== undefined) return known
    const parent = page.parent === null ? undefined : pages.get(page.parent)
    const around = parent === undefined ? [] : guardAround(parent)
    const answer = isExcluded(page) || around === null ? null : (joinGuard(around, page) ?? null)
    guards.set(page.id, answer)
    return answer
  }
  const found = new Map<PageId, IndexablePage>()
  for (const page of pages.values()) {
    if (page.type !== 'document') continue
    const guard = guardAround(page)
    if (guard !== null) found.set(page.id, { page, guard })
  }
  return found
}

/** Answers all that belongs in the index, by the ids of the pages, with what they show. */
export async function collectWanted(
  content: ContentHere,
  specifications: ShownSpecifications,
): Promise<ReadonlyMap<PageId, IndexablePage>> {
  const pages = listIndexable(await content.run(range(content.revision.snapshot.pages)))
  const { snapshot } = (content.written ?? content).revision
  const showing = await content.run(findShowing(snapshot, specifications.versions))
  const linking = await content.run(findLinkingToSpecifications(snapshot))
  const wanted = new Map<PageId, IndexablePage>()
  for (const one of addShown([...pages.values()], showing)) {
    const { page } = one
    const { id, text, file } = page
    if (text === undefined || page.generated !== undefined || !linking.has(id)) {
      wanted.set(id, one)
      continue
    }
    const markdown = await readText(content, text)
    wanted.set(id, { ...one, files: await specifications.files({ markdown, file }) })
  }
  return wanted
}

/** Answers a text, an empty one where it is damaged: that is told of where it is folded. */
async function readText(content: ContentHere, hash: Hash): Promise<string> {
  try {
    const [text] = await content.run(loadTexts([hash]))
    return text!
  } catch (error) {
    if (error instanceof ContentDamaged) return ''
    throw error
  }
}

/** Answers whether the index holds a page as it is. */
export function isIndexed(one: IndexablePage, known: IndexedPage | undefined): boolean {
  const { page, guard } = one
  return (
    known?.title === page.title &&
    known.path === page.path &&
    known.text === nameText(one) &&
    known.guard === guardText(guard)
  )
}

/** Names what of a page is in the index: its text, and the specifications that it is made of or shows. */
function nameText({ page: { text, generated }, shows = [], files = [] }: IndexablePage): Hash | '' {
  const sources = generated === undefined ? [...shows, ...files].map(({ id }) => id) : [generated.version]
  if (sources.length === 0) return text ?? ''
  return hashOf(Buffer.from(`${text ?? ''} ${sources.toSorted().join(' ')}`))
}

/** Answers the pages with the versions of which they show something as they were written. */
export function addShown(
  pages: readonly IndexablePage[],
  showing: ReadonlyMap<PageId, readonly ShownSource[]>,
): readonly IndexablePage[] {
  return pages.map((one) => {
    const shows = one.page.generated === undefined ? showing.get(one.page.id) : undefined
    return shows === undefined ? one : { ...one, shows }
  })
}

function isExcluded(page: PageRecord): boolean {
  return page.type === 'document' && page.noIndex === true
}

/** What of a page says who finds those below it. */
function closingOf(page: PageRecord): string {
  return JSON.stringify([isExcluded(page), guardOfPage(page) ?? null])
}

/** Answers the pages in parts that are written in one transaction each. */
export function* batches(pages: readonly IndexablePage[]): Generator<readonly IndexablePage[]> {
  let batch: IndexablePage[] = []
  let bytes = 0
  for (const one of pages) {
    const { page } = one
    if (batch.length === pagesPerStep || (batch.length > 0 && bytes + (page.size ?? 0) > bytesPerStep)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(one)
    bytes += page.size ?? 0
  }
  if (batch.length > 0) yield batch
}

export interface PageReading {
  readonly services: WordsReading['services'] & { readonly reader: TextReader }
  readonly specifications: Pick<ShownSpecifications, 'files' | 'words'>
  readonly signal: AbortSignal
}

/** Answers the pages cut and folded; one whose text is damaged says so, and keeps no other out of the index. */
export async function readPages(
  content: ContentHere,
  pages: readonly IndexablePage[],
  reading: PageReading,
): Promise<readonly FoldedPage[]> {
  const { services, specifications, signal } = reading
  let texts: readonly string[]
  try {
    texts = await content.run(
      loadTexts(pages.flatMap(({ page: { text } }) => (text === undefined ? [] : [text]))),
    )
  } catch (error) {
    if (!(error instanceof ContentDamaged)) throw error
    const [first] = pages
    if (pages.length === 1) return [unfoldable(toFold(first!, ''), error.message)]
    const apart = await Promise.all(pages.map((page) => readPages(content, [page], reading)))
    return apart.flat()
  }
  signal.throwIfAborted()
  const loaded = texts.values()
  const folding: Promise<FoldedPage>[] = []
  for (const one of pages) {
    const text = one.page.text === undefined ? '' : loaded.next().value!
    const markdown = content.searched?.get(one.page.id) ?? text
    const about = { markdown, file: one.page.file }
    const files = one.page.generated === undefined ? await specifications.files(about) : []
    const isShowing = one.shows !== undefined || files.length > 0
    const shown = isShowing ? await specifications.words(about, { services, signal }) : undefined
    folding.push(
      services.reader.fold({ ...toFold({ ...one, files }, markdown), ...(shown !== undefined && { shown }) }),
    )
  }
  return Promise.all(folding)
}

function toFold(one: IndexablePage, markdown: string): PageToFold {
  const { page, guard } = one
  const { id: pageId, title, path, variables } = page
  const text = nameText(one)
  return { pageId, title, path, text, guard, markdown, ...(variables !== undefined && { variables }) }
}

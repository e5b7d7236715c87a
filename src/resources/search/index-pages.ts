/**
 * Selects the pages of a snapshot for the search index, and splits and folds their texts.
 *
 * Conditional parts are indexed with their conditions, which are evaluated per search.
 */
import { type Guard, guardOfPage } from '../../core/conditions/guard.js'
import type { Hash, PageId } from '../../core/ids.js'
import { diff, range } from '../../core/merkle/map.js'
import { loadTexts, runTogether } from '../../core/merkle/steps.js'
import type { Step } from '../../core/merkle/types.js'
import { ancestors, findPages, type PageNode } from '../../core/pages/read.js'
import { subtree } from '../../core/pages/subtree.js'
import type { DocumentPage, PageRecord, Snapshot } from '../../core/pages/types.js'
import type { FoldedPage } from '../../store/search/fold.js'
import { hashOf } from '../../store/content/encoding.js'
import { type IndexedPage, guardText } from '../../store/search/pages.js'
import { ContentDamaged } from '../../store/content/content-damaged.js'
import { type PageToFold, type TextReader, failedFolding } from '../../store/reading/reader.js'
import type { ContentContext } from '../content/content.js'
import {
  type SpecificationSource,
  type ReferencedSpecifications,
  type SpecificationTextContext,
  findPagesLinkingSpecificationFiles,
  findPagesReferencing,
} from './referenced-specifications.js'

/** Pages and bytes of text for one transaction: about a tenth of a second. */
const pagesPerStep = 100
const bytesPerStep = 1_000_000

/** Returns the pages whose index entries may differ between two snapshots. */
export function* collectChanged(before: Snapshot, after: Snapshot): Step<readonly PageId[]> {
  const changes = yield* diff(before.pages, after.pages)
  const changed = new Set(changes.map(({ key }) => key as PageId))
  // Hiding a page hides its descendants, which did not change themselves.
  const visibilityChanges = changes.filter((change) => {
    const [one, other] = [change.before, change.after]
    return one && other && (one.parent !== other.parent || visibilityKey(one) !== visibilityKey(other))
  })
  const below = yield* runTogether(...visibilityChanges.map(({ key }) => subtree(after, key as PageId)))
  const add = (nodes: readonly PageNode[]): void => {
    for (const { page, children } of nodes) {
      changed.add(page.id)
      add(children)
    }
  }
  for (const nodes of below) add(nodes)
  return [...changed]
}

/** A searchable page, and the conditions of its ancestors and its own. */
export interface IndexablePage {
  readonly page: DocumentPage
  readonly guard: Guard
  /** The versions of specifications that it references. */
  readonly shows?: readonly SpecificationSource[]
  /** The specification files that its blocks reference. */
  readonly files?: readonly SpecificationSource[]
}

/** Returns the searchable ones of these pages. */
export function* findIndexable(snapshot: Snapshot, ids: readonly PageId[]): Step<readonly IndexablePage[]> {
  const found = yield* findPages(snapshot, ids)
  const documents = found.filter((page) => page?.type === 'document')
  const above = yield* runTogether(...documents.map((page) => ancestors(snapshot, page)))
  return documents.flatMap((page, index) => {
    const all = [...above[index]!, page]
    const guard = all.reduce<Guard | undefined>(joinGuard, [])
    return guard === undefined || all.some(isExcluded) ? [] : [{ page, guard }]
  })
}

/** Adds the condition of a page to those of its ancestors; undefined when it can never be true. */
function joinGuard(inherited: Guard | undefined, page: PageRecord): Guard | undefined {
  const own = guardOfPage(page)
  return inherited && own && [...inherited, ...own]
}

/** Returns all searchable documents; each parent is evaluated once. */
export function listIndexable(entries: readonly (readonly [string, unknown])[]): Map<PageId, IndexablePage> {
  const pages = new Map(entries as readonly (readonly [PageId, PageRecord])[])
  const guards = new Map<PageId, Guard | null>()
  /** Null for pages that are not searchable. */
  const guardAround = (page: PageRecord): Guard | null => {
    const known = guards.get(page.id)
    if (known !== undefined) return known
    const parent = page.parent === null ? undefined : pages.get(page.parent)
    const inherited = parent === undefined ? [] : guardAround(parent)
    const answer = isExcluded(page) || inherited === null ? null : (joinGuard(inherited, page) ?? null)
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

/** Returns all pages that belong in the index by id, with the specifications they reference. */
export async function collectIndexable(
  content: ContentContext,
  specifications: ReferencedSpecifications,
): Promise<ReadonlyMap<PageId, IndexablePage>> {
  const pages = listIndexable(await content.run(range(content.revision.snapshot.pages)))
  const { snapshot } = content.writtenRevision
  const showing = await content.run(findPagesReferencing(snapshot, specifications.versions))
  const linkingPages = await content.run(findPagesLinkingSpecificationFiles(snapshot))
  const wanted = new Map<PageId, IndexablePage>()
  for (const one of withReferences([...pages.values()], showing)) {
    const { page } = one
    const { id, text, file } = page
    if (text === undefined || page.generated !== undefined || !linkingPages.has(id)) {
      wanted.set(id, one)
      continue
    }
    const markdown = await readText(content, text)
    wanted.set(id, { ...one, files: await specifications.files({ markdown, file }) })
  }
  return wanted
}

/** Returns a text, empty when it is damaged: folding it reports the damage. */
async function readText(content: ContentContext, hash: Hash): Promise<string> {
  try {
    const [text] = await content.run(loadTexts([hash]))
    return text!
  } catch (error) {
    if (error instanceof ContentDamaged) return ''
    throw error
  }
}

/** Returns whether the index entry of a page is current. */
export function isIndexed(one: IndexablePage, known: IndexedPage | undefined): boolean {
  const { page, guard } = one
  return (
    known?.title === page.title &&
    known.path === page.path &&
    known.text === contentKey(one) &&
    known.guard === guardText(guard)
  )
}

/**
 * Returns the key of a page's indexed content: its text, its title in the menu, and the specifications that it is
 * computed from or references.
 */
function contentKey({ page, shows = [], files = [] }: IndexablePage): Hash | '' {
  const { text, generated, linkTitle } = page
  const versions = generated === undefined ? [...shows, ...files].map(({ id }) => id) : [generated.version]
  const sources = [...(linkTitle === undefined ? [] : [JSON.stringify(linkTitle)]), ...versions]
  if (sources.length === 0) return text ?? ''
  return hashOf(Buffer.from(`${text ?? ''} ${sources.toSorted().join(' ')}`))
}

/** Adds to the pages, as written, the versions that they reference. */
export function withReferences(
  pages: readonly IndexablePage[],
  showing: ReadonlyMap<PageId, readonly SpecificationSource[]>,
): readonly IndexablePage[] {
  return pages.map((one) => {
    const shows = one.page.generated === undefined ? showing.get(one.page.id) : undefined
    return shows === undefined ? one : { ...one, shows }
  })
}

function isExcluded(page: PageRecord): boolean {
  return page.type === 'document' && page.noIndex === true
}

/** Returns the key of a page's effect on the visibility of its descendants. */
function visibilityKey(page: PageRecord): string {
  return JSON.stringify([isExcluded(page), guardOfPage(page) ?? null])
}

/** Splits the pages into batches of one transaction each. */
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

export interface PageReadContext {
  readonly services: SpecificationTextContext['services'] & { readonly reader: TextReader }
  readonly specifications: Pick<ReferencedSpecifications, 'files' | 'words'>
  readonly signal: AbortSignal
}

/** Returns the pages split and folded; a damaged text yields a failed entry and does not affect other pages. */
export async function readPages(
  content: ContentContext,
  pages: readonly IndexablePage[],
  reading: PageReadContext,
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
    if (pages.length === 1) return [failedFolding(toFold(first!, ''), error.message)]
    const apart = await Promise.all(pages.map((page) => readPages(content, [page], reading)))
    return apart.flat()
  }
  signal.throwIfAborted()
  const loaded = texts.values()
  const folding: Promise<FoldedPage>[] = []
  for (const one of pages) {
    const text = one.page.text === undefined ? '' : loaded.next().value!
    const markdown = content.searchTexts?.get(one.page.id) ?? text
    const about = { markdown, file: one.page.file }
    const files = one.page.generated === undefined ? await specifications.files(about) : []
    const hasReferences = one.shows !== undefined || files.length > 0
    const searchTexts = hasReferences ? await specifications.words(about, { services, signal }) : undefined
    folding.push(
      services.reader.fold({
        ...toFold({ ...one, files }, markdown),
        ...(searchTexts !== undefined && { searchTexts }),
      }),
    )
  }
  return Promise.all(folding)
}

function toFold(one: IndexablePage, markdown: string): PageToFold {
  const { page, guard } = one
  const { id: pageId, title, linkTitle, path, variables } = page
  const text = contentKey(one)
  return {
    pageId,
    title,
    ...(linkTitle !== undefined && { otherTitles: [linkTitle] }),
    path,
    text,
    guard,
    markdown,
    ...(variables !== undefined && { variables }),
  }
}

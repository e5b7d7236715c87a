/**
 * The content of a variant at hand for rendering. What follows from the revision alone (its first page,
 * its variables, the tree of a small space) is worked out once and kept until room is needed.
 */
import type { Hash, PageId } from '../../core/ids.js'
import { surroundingsOf } from '../../core/conditions/asker.js'
import type { Variables } from '../../core/markdown/variables.js'
import { count } from '../../core/merkle/map.js'
import { loadTexts, together } from '../../core/merkle/steps.js'
import type { NamedBlock } from '../../core/openapi/shown-words.js'
import { type PageNode, ancestors, firstPage, pageTree } from '../../core/pages/read.js'
import type { DocumentPage, PageRecord } from '../../core/pages/types.js'
import type { Addresses } from '../../contract/addresses.js'
import type { Services } from '../../access/route/scope.js'
import { type ContentHere, getContent } from '../../resources/content/content.js'
import { type Opening, createOpening } from '../../resources/content/visibility.js'
import { readVariables } from '../../resources/content/settings.js'
import { type Place, kindOf } from '../../store/cache/kinds.js'
import type { EntryNode } from '../layout/view.js'
import { type Linker, createLinker } from '../routing/linker.js'
import type { ShownSite, Variant } from '../routing/site.js'
import { offeredSpecification } from './offered-specification.js'
import { type Shelf, readAsked } from './specifications.js'

export interface ShownContent {
  readonly site: ShownSite
  readonly variant: Variant
  readonly content: ContentHere
  readonly linker: Linker
  readonly addresses: Addresses
  readonly variables: Variables
  /** Does aside what takes a library too long. */
  readonly pieces: Services['pieces']
  readonly pages: Services['pages']
  /** What blocks of a page show of specifications, by the names of the blocks; `file` knows what the page names. */
  readonly readAsked: (
    asked: readonly NamedBlock[],
    page: DocumentPage,
    file: Shelf['file'],
  ) => ReturnType<typeof readAsked>
  /** The tree, when it is small enough to be kept at hand. */
  readonly tree: readonly PageNode[] | undefined
  /** Rows of a larger one as they are shown, and the parts of which they are made. */
  readonly rows: Place<Row>
  readonly parts: Place<readonly Sibling[]>
}

/** A page in its row, as its revision has it; who may see it is asked by whoever shows it. */
export interface Sibling {
  readonly key: string
  readonly page: PageRecord | undefined
  /** How it is shown beside the way to another page. */
  readonly closed: EntryNode | undefined
  /** True when pages are inside it. */
  readonly hasMore: boolean
  /** True for a group that holds links and nothing else. */
  readonly holdsLinks: boolean
}

/** As much of a row of siblings as is shown, and what is left out at either end. */
export interface Row {
  /** How many stand before the row among all siblings of the space, and in all of it. */
  readonly first: number
  readonly count: number
  readonly siblings: readonly Sibling[]
  readonly before: LeftOut
  readonly after: LeftOut
}

/** Pages that are left out: how many, the nearest of them, and what the very nearest is. */
export interface LeftOut {
  readonly count: number
  readonly nearest: readonly PageId[]
  readonly page: PageRecord | undefined
}

/** How many pages a tree may have to be kept at hand, and to have all of its headings open on every page. */
export const wholeTreeLimit = 400

interface Kept {
  readonly first: DocumentPage | undefined
  readonly variables: Variables
  readonly tree: readonly PageNode[] | undefined
}

/** Bytes: what a revision costs beside its pages, and what a page of its tree costs. */
const keptWeight = 4_000
const nodeWeight = 200
const keptKind = kindOf<Kept>('shown revision', ({ tree = [] }) => keptWeight + countNodes(tree) * nodeWeight)

const rowsKind = kindOf<Row>('rows of pages')
const partsKind = kindOf<readonly Sibling[]>('parts of rows')

/** Returns the current content of a variant. */
export async function openContent(
  services: Services,
  site: ShownSite,
  variant: Variant,
): Promise<ShownContent> {
  const look = site.looks.get(variant.id)
  const place = {
    db: services.database.read,
    services,
    organizationId: site.organizationId,
    spaceId: variant.spaceId,
  }
  const content = await getContent(place, variant.revisionId)
  const { first, variables, tree } = await recall(services, content)
  const linker = createLinker(services.addresses, site, variant, first?.id)
  return {
    site: look === undefined ? site : { ...site, customization: look },
    variant,
    content,
    addresses: services.addresses,
    pieces: services.pieces,
    pages: services.pages,
    readAsked: (asked, page, file) =>
      readAsked(
        services,
        {
          versions: site.specifications,
          file,
          whole: (version) => offeredSpecification(services, { site, linker, page }, version),
        },
        asked,
      ),
    linker,
    variables,
    tree,
    rows: services.caches.place(rowsKind),
    parts: services.caches.place(partsKind),
  }
}

/** Returns the number of pages in a tree. */
export function countNodes(nodes: readonly PageNode[]): number {
  return nodes.reduce((sum, { children }) => sum + 1 + countNodes(children), 0)
}

async function recall({ caches }: Services, content: ContentHere): Promise<Kept> {
  const { id, snapshot } = content.revision
  const known = caches.find(keptKind, id)
  if (known !== undefined) return known
  const [first, pages] = await content.run(together(firstPage(snapshot), count(snapshot.pages)))
  const tree = pages <= wholeTreeLimit ? await content.run(pageTree(snapshot)) : undefined
  const kept = { first, variables: await readVariables(content), tree }
  caches.keep(keptKind, id, kept)
  return kept
}

/** What expressions on a page can name. */
export function inputsOf(shown: Pick<ShownContent, 'site' | 'variables'>, page: PageRecord | null) {
  return { ...surroundingsOf(shown.variables, page), visitor: { claims: shown.site.asker.claims } }
}

/**
 * Returns texts of a page, or of none, as its reader may have them: what stands under a condition that does not hold is not in
 * them. The site reads texts in no other way, so whatever is made of them shows nothing else.
 */
export async function readOpenTexts(
  shown: ShownContent,
  page: PageRecord | null,
  hashes: readonly Hash[],
): Promise<string[]> {
  const texts = await shown.content.run(loadTexts(hashes))
  const opening = openingFor(shown)
  return texts.map((text) => opening?.text(text, page) ?? text)
}

/** Returns what is shown to the reader; undefined where that is all of it. */
function openingFor({ site, variables }: Pick<ShownContent, 'site' | 'variables'>): Opening | undefined {
  return site.isAdaptive ? createOpening(site.asker, variables) : undefined
}

/** Notes what was printed for the reader of a page. */
export function notePrinted(shown: ShownContent, page: PageRecord, expressions: readonly string[]): void {
  if (!shown.site.isAdaptive) return
  const surroundings = surroundingsOf(shown.variables, page)
  for (const expression of expressions) shown.site.asker.notePrinted(expression, surroundings)
}

/** True when a reader may have the page; without adaptive content conditions are not worked out. */
export function isOpen(shown: Pick<ShownContent, 'site' | 'variables'>, page: PageRecord): boolean {
  return openingFor(shown)?.isOpen(page) ?? true
}

/** True when a reader may have the page and all that stands above it: what is below a closed page is closed with it. */
export async function isReachable(shown: ShownContent, page: PageRecord): Promise<boolean> {
  return (await openingFor(shown)?.isReachable(shown.content, page)) ?? true
}

/** True when a condition holds for the reader, of a page or of none. */
export function holdsHere(
  shown: Pick<ShownContent, 'site' | 'variables'>,
  condition: string | undefined,
  page: PageRecord | null,
): boolean {
  return openingFor(shown)?.holds(condition, page) ?? true
}

/** True when the page is in lists: neither hidden nor closed. What is below it is another question. */
export function isListed(shown: Pick<ShownContent, 'site' | 'variables'>, page: PageRecord): boolean {
  return page.hidden !== true && isOpen(shown, page)
}

/** Returns the pages above a page, the topmost first. */
export function readAncestors({ content }: ShownContent, page: PageRecord): Promise<PageRecord[]> {
  return content.run(ancestors(content.revision.snapshot, page))
}

/** Returns the language of what is shown, as a BCP 47 tag: that of the space, else that of its site. */
export function contentLanguage({ site, variant }: ShownContent): string {
  return variant.language ?? site.customization.internationalization.locale
}

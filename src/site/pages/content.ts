/**
 * Content of a variant as one reader sees it, opened for rendering. What depends on the revision alone (first page,
 * variables, the tree of a small space) is cached per revision in an LRU cache.
 */
import type { Hash, PageId } from '../../core/ids.js'
import { expressionScopeOf } from '../../core/conditions/claim-reader.js'
import type { Variables } from '../../core/markdown/variables.js'
import { count } from '../../core/merkle/map.js'
import { loadTexts, runTogether } from '../../core/merkle/steps.js'
import type { NamedBlock } from '../../core/document/openapi.js'
import { type PageNode, ancestors, firstPage, pageTree } from '../../core/pages/read.js'
import type { DocumentPage, PageRecord } from '../../core/pages/types.js'
import type { Addresses } from '../../contract/addresses.js'
import type { Services } from '../../access/route/scope.js'
import { type ContentContext, getContent } from '../../resources/content/content.js'
import { type VisibilityFilter, createVisibilityFilter } from '../../resources/content/visibility.js'
import { readVariables } from '../../resources/content/settings.js'
import { type CacheNamespace, cacheKind } from '../../store/cache/kinds.js'
import type { EntryNode } from '../layout/view.js'
import { type Destination, findDestination } from '../routing/destination.js'
import { type Linker, createLinker } from '../routing/linker.js'
import type { VariantChoice } from '../routing/match-path.js'
import { type LinkDestinations, readLinkDestinations } from './link-pages.js'
import type { PublishedSite, Variant } from '../routing/site.js'
import { specificationDownload } from './specification-download.js'
import { type SpecificationSources, readSpecificationViews } from './specifications.js'

export interface VisibleContent {
  readonly site: PublishedSite
  readonly variant: Variant
  readonly content: ContentContext
  readonly linker: Linker
  readonly addresses: Addresses
  readonly variables: Variables
  /** Renders heavy fragments in worker threads. */
  readonly fragments: Services['fragments']
  readonly pages: Services['pages']
  /** Returns the specification views of a page's API blocks, by block key; `file` resolves the page's destinations. */
  readonly readSpecificationViews: (
    blocks: readonly NamedBlock[],
    page: Pick<DocumentPage, 'generated'>,
    file: SpecificationSources['file'],
  ) => ReturnType<typeof readSpecificationViews>
  /** The page tree of a space of at most `maxWholeTree` pages. */
  readonly tree: readonly PageNode[] | undefined
  /** Of the link pages of that tree. */
  readonly linkDestinations: LinkDestinations
  /** Caches for larger trees: sibling rows, and the chunks of which they are made. */
  readonly rows: CacheNamespace<SiblingRow>
  readonly parts: CacheNamespace<readonly Sibling[]>
}

/** A page in its row, as in the revision: the caller checks whether the reader may see it. */
export interface Sibling {
  readonly key: string
  readonly page: PageRecord | undefined
  /** The pages with which a link page is closed. */
  readonly linkedPages: readonly PageRecord[]
  /** Its node with a collapsed branch. */
  readonly closed: EntryNode | undefined
  /** True when it has subpages. */
  readonly hasMore: boolean
  /** True for a group that contains only links. */
  readonly hasOnlyLinks: boolean
}

/** A window of a row of siblings, and what is omitted at either end. */
export interface SiblingRow {
  /** Rank of the row's first page in the order of the space, and the number of pages in the whole row. */
  readonly first: number
  readonly count: number
  readonly siblings: readonly Sibling[]
  readonly before: OmittedSiblings
  readonly after: OmittedSiblings
}

/** Omitted pages: their number, the nearest ones, and the record of the nearest. */
export interface OmittedSiblings {
  readonly count: number
  readonly nearest: readonly PageId[]
  readonly page: PageRecord | undefined
}

/** Pages of a tree that is cached whole, and has all of its groups expanded on every page. */
export const maxWholeTree = 400

interface RevisionSummary {
  readonly first: DocumentPage | undefined
  readonly variables: Variables
  readonly tree: readonly PageNode[] | undefined
  readonly linkDestinations: LinkDestinations
}

/** Estimated bytes of a cached revision without its tree, and per page of the tree. */
const summaryWeight = 4_000
const nodeWeight = 200
const summaryKind = cacheKind<RevisionSummary>(
  'shown revision',
  ({ tree = [] }) => summaryWeight + countNodes(tree) * nodeWeight,
)

const rowsKind = cacheKind<SiblingRow>('rows of pages')
const partsKind = cacheKind<readonly Sibling[]>('parts of rows')

/** Returns the current content of a variant for the site's reader. */
export async function openContent(
  services: Services,
  site: PublishedSite,
  variant: Variant,
): Promise<VisibleContent> {
  const overrides = site.variantCustomizations.get(variant.id)
  const location = {
    db: services.database.read,
    services,
    organizationId: site.organizationId,
    spaceId: variant.spaceId,
  }
  const content = await getContent(location, variant.revisionId)
  const { first, variables, tree, linkDestinations } = await readSummary(services, content)
  const linker = createLinker(services.addresses, site, variant, first?.id)
  return {
    site: overrides === undefined ? site : { ...site, customization: overrides },
    variant,
    content,
    addresses: services.addresses,
    fragments: services.fragments,
    pages: services.pages,
    readSpecificationViews: (blocks, page, file) =>
      readSpecificationViews(
        services,
        {
          versions: site.specifications,
          file,
          download: (version) => specificationDownload(services, { site, linker, page }, version),
        },
        blocks,
      ),
    linker,
    variables,
    tree,
    linkDestinations,
    rows: services.caches.namespace(rowsKind),
    parts: services.caches.namespace(partsKind),
  }
}

/** Returns the number of pages in a tree. */
export function countNodes(nodes: readonly PageNode[]): number {
  return nodes.reduce((sum, { children }) => sum + 1 + countNodes(children), 0)
}

async function readSummary({ caches }: Services, content: ContentContext): Promise<RevisionSummary> {
  const { id, snapshot } = content.revision
  const known = caches.find(summaryKind, id)
  if (known !== undefined) return known
  const [first, pages] = await content.run(runTogether(firstPage(snapshot), count(snapshot.pages)))
  const tree = pages <= maxWholeTree ? await content.run(pageTree(snapshot)) : undefined
  const linkDestinations = await content.run(readLinkDestinations(snapshot, pagesOf(tree ?? [])))
  const summary = { first, variables: await readVariables(content), tree, linkDestinations }
  caches.put(summaryKind, id, summary)
  return summary
}

function* pagesOf(nodes: readonly PageNode[]): Iterable<PageRecord> {
  for (const { page, children } of nodes) {
    yield page
    yield* pagesOf(children)
  }
}

/** Returns the variables that expressions on a page can use. */
export function expressionInputs(
  visible: Pick<VisibleContent, 'site' | 'variables'>,
  page: PageRecord | null,
) {
  return {
    ...expressionScopeOf(visible.variables, page),
    visitor: { claims: visible.site.claimReader.claims },
  }
}

/**
 * Returns texts of a page, or of none, with the parts removed whose conditions fail for the reader. The only way in
 * which the site reads texts, so no output contains more.
 */
export async function readVisibleTexts(
  visible: VisibleContent,
  page: PageRecord | null,
  hashes: readonly Hash[],
): Promise<string[]> {
  const texts = await visible.content.run(loadTexts(hashes))
  return texts.map((text) => visibleText(visible, page, text))
}

/** Returns a text of a page, or of none, with the parts removed whose conditions fail for the reader. */
export function visibleText(
  visible: Pick<VisibleContent, 'site' | 'variables'>,
  page: PageRecord | null,
  text: string,
): string {
  return filterFor(visible)?.text(text, page) ?? text
}

/** Returns the reader's filter by conditions; undefined where all content is visible. */
function filterFor({
  site,
  variables,
}: Pick<VisibleContent, 'site' | 'variables'>): VisibilityFilter | undefined {
  return site.isAdaptive ? createVisibilityFilter(site.claimReader, variables) : undefined
}

/** Records the expressions printed for the reader of a page. */
export function notePrinted(visible: VisibleContent, page: PageRecord, expressions: readonly string[]): void {
  if (!visible.site.isAdaptive) return
  const scope = expressionScopeOf(visible.variables, page)
  for (const expression of expressions) visible.site.claimReader.recordPrinted(expression, scope)
}

/** True when the page's condition holds for the reader; without adaptive content conditions are not evaluated. */
export function isVisible(visible: Pick<VisibleContent, 'site' | 'variables'>, page: PageRecord): boolean {
  return filterFor(visible)?.isVisible(page) ?? true
}

/** True when the page and all pages above it are open to the reader: subpages of a closed page are closed. */
export async function isReachable(visible: VisibleContent, page: PageRecord): Promise<boolean> {
  return (await filterFor(visible)?.isVisibleInTree(visible.content, page)) ?? true
}

/** Returns what a path in the content of a variant leads this reader to, in {@link findDestination}'s terms. */
export function destinationFor(visible: VisibleContent, choice: VariantChoice): Promise<Destination> {
  const { content, linker } = visible
  const filter = filterFor(visible)
  return content.run(findDestination(content.revision.snapshot, linker, choice, filter?.isVisible))
}

/** True when a condition holds for the reader, on a page or on none. */
export function conditionHolds(
  visible: Pick<VisibleContent, 'site' | 'variables'>,
  condition: string | undefined,
  page: PageRecord | null,
): boolean {
  return filterFor(visible)?.isTrue(condition, page) ?? true
}

/**
 * True when the page appears in lists: neither hidden nor closed, nor a link to a closed page. Does not check the pages
 * above.
 */
export function isListed(
  visible: Pick<VisibleContent, 'site' | 'variables'>,
  page: PageRecord,
  linkedPages: readonly PageRecord[] = [],
): boolean {
  return page.hidden !== true && [page, ...linkedPages].every((one) => isVisible(visible, one))
}

/** Returns the pages above a page, the topmost first. */
export function readAncestors({ content }: VisibleContent, page: PageRecord): Promise<PageRecord[]> {
  return content.run(ancestors(content.revision.snapshot, page))
}

/** Returns the language of the content as a BCP 47 tag: that of the space, else of its site. */
export function contentLanguage({ site, variant }: VisibleContent): string {
  return variant.language ?? site.customization.internationalization.locale
}

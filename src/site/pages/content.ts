/**
 * The content of a variant at hand for rendering. What follows from the revision alone (its first page,
 * its variables, the tree of a small space) is worked out once and kept until room is needed.
 */
import type { Hash } from '../../core/ids.js'
import { createBudget } from '../../core/budget.js'
import { conditionLimits, holds } from '../../core/conditions/evaluate.js'
import { openText } from '../../core/markdown/open-text.js'
import type { Variables } from '../../core/markdown/variables.js'
import { count } from '../../core/merkle/map.js'
import { loadTexts, together } from '../../core/merkle/steps.js'
import { type PageNode, ancestors, firstPage, pageTree } from '../../core/pages/read.js'
import type { DocumentPage, PageRecord } from '../../core/pages/types.js'
import type { Addresses } from '../../contract/addresses.js'
import type { Services } from '../../access/route/scope.js'
import { type ContentHere, getContent } from '../../resources/content/content.js'
import { readVariables } from '../../resources/content/settings.js'
import { kindOf } from '../../store/cache/kinds.js'
import { type Linker, createLinker } from '../routing/linker.js'
import type { ShownSite, Variant } from '../routing/site.js'

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
  /** The tree, when it is small enough to be kept at hand. */
  readonly tree: readonly PageNode[] | undefined
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
  return {
    site: look === undefined ? site : { ...site, customization: look },
    variant,
    content,
    addresses: services.addresses,
    pieces: services.pieces,
    pages: services.pages,
    linker: createLinker(services.addresses, site, variant, first?.id),
    variables,
    tree,
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
export function inputsOf({ variables }: Pick<ShownContent, 'variables'>, page: PageRecord | null) {
  return {
    space: { vars: variables },
    page: { vars: page?.type === 'document' ? (page.variables ?? {}) : {} },
    // Nobody has said anything about themselves: what asks for a claim finds none.
    visitor: { claims: { unsigned: {} } },
  }
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
  if (!shown.site.isAdaptive) return [...texts]
  const inputs = inputsOf(shown, page)
  const budget = createBudget(conditionLimits)
  return texts.map((text) => openText(text, (expression) => holds(expression, inputs, budget)))
}

/** True when a condition holds for the reader on every page; without adaptive content conditions are not worked out. */
export function isHeld(shown: Pick<ShownContent, 'site' | 'variables'>, condition: string): boolean {
  return !shown.site.isAdaptive || holds(condition, inputsOf(shown, null), createBudget(conditionLimits))
}

/** True when a reader may have the page; without adaptive content conditions are not worked out. */
export function isOpen(shown: Pick<ShownContent, 'site' | 'variables'>, page: PageRecord): boolean {
  if (!shown.site.isAdaptive || page.type !== 'document' || page.condition === undefined) return true
  return holds(page.condition, inputsOf(shown, page), createBudget(conditionLimits))
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

/**
 * Conditional visibility on adaptive sites: the only code that evaluates conditions of pages and texts, for published
 * sites with all their responses, for the API as readers use it, for search, and for files.
 *
 * Content under a condition that is false for the visitor is in no response, however it is addressed. For everyone
 * else conditions do not apply: there is no filter.
 */
import { type Budget, createBudget } from '../../core/budget.js'
import { type ClaimReader, createClaimReader, expressionScopeOf } from '../../core/conditions/claim-reader.js'
import { conditionLimits } from '../../core/conditions/evaluate.js'
import { guardHolds } from '../../core/conditions/guard.js'
import type { Claims } from '../../core/conditions/visitor-schema.js'
import type { SpaceId } from '../../core/ids.js'
import { visibleText } from '../../core/markdown/visible-text.js'
import type { Variables } from '../../core/markdown/variables.js'
import { type PageNode, ancestors } from '../../core/pages/read.js'
import type { PageRecord } from '../../core/pages/types.js'
import { type Visitor, claimsKey } from '../../core/visitor/visitor.js'
import type { Services } from '../../access/route/scope.js'
import type { GuardRef } from '../../store/search/engine.js'
import { listGuards } from '../../store/search/guards.js'
import type { ContentContext } from './content.js'
import { readVariables } from './settings.js'

export interface VisibilityFilter {
  /** True when a condition is true for the visitor, on a page or on none. */
  isTrue(condition: string | undefined, page: PageRecord | null): boolean
  /** True when the page's own condition is true; pages below a hidden one are hidden with it. */
  isVisible(page: PageRecord): boolean
  /** True when the page and all its ancestors are visible. */
  isVisibleInTree(content: Pick<ContentContext, 'revision' | 'run'>, page: PageRecord): Promise<boolean>
  /** The tree without hidden pages and their descendants. */
  nodes(nodes: readonly PageNode[]): readonly PageNode[]
  /** The text of a page, or of none, without its hidden parts. */
  text(text: string, page: PageRecord | null): string
}

/** Returns the filter of content with these variables for a visitor's claims. */
export function createVisibilityFilter(claimReader: ClaimReader, variables: Variables): VisibilityFilter {
  const conditionEvaluator = (page: PageRecord | null, budget: Budget) => {
    const scope = expressionScopeOf(variables, page)
    return (expression: string) => claimReader.holds(expression, scope, budget)
  }
  const isTrue: VisibilityFilter['isTrue'] = (condition, page) =>
    condition === undefined || conditionEvaluator(page, createBudget(conditionLimits))(condition)
  const isVisible: VisibilityFilter['isVisible'] = (page) =>
    page.type !== 'document' || isTrue(page.condition, page)
  const nodes: VisibilityFilter['nodes'] = (all) =>
    all
      .filter(({ page }) => isVisible(page))
      .map(({ page, children }) => ({ page, children: nodes(children) }))
  return {
    isTrue,
    isVisible,
    async isVisibleInTree({ revision, run }, page) {
      return isVisible(page) && (await run(ancestors(revision.snapshot, page))).every(isVisible)
    },
    nodes,
    text: (text, page) => visibleText(text, conditionEvaluator(page, createBudget(conditionLimits))),
  }
}

/** Returns the filter of the content for its visitor; undefined when all of it is visible. */
export async function visibilityFilterOf(content: ContentContext): Promise<VisibilityFilter | undefined> {
  const { visitor } = content
  return visitor && createVisibilityFilter(claimReaderFor(visitor), await readVariables(content))
}

/** Returns the reader of a visitor's claims. */
export function claimReaderFor({ claims, unsigned }: Visitor): ClaimReader {
  return createClaimReader({ ...claims, unsigned } as Claims)
}

/** A searched space and the variables of its content. */
interface SearchedContent {
  readonly spaceId: SpaceId
  readonly variables: Variables
}

/** Conditions of one site that a search evaluates at most. */
const maxGuards = 2_000

/**
 * Returns the guarded parts of the index whose conditions are true for the claims; `open` is called for the content of
 * spaces that have such parts.
 */
export async function findMatchingGuards(
  { database }: Pick<Services, 'database'>,
  {
    asker: claimReader,
    organizationId,
    spaceIds,
  }: Pick<ContentContext, 'organizationId'> & {
    readonly asker: ClaimReader
    readonly spaceIds: readonly SpaceId[]
  },
  findContent: (spaceId: SpaceId) => Promise<SearchedContent>,
): Promise<GuardRef[]> {
  const guards = await listGuards(database.read, organizationId, spaceIds, maxGuards)
  const guarded = [...new Set(guards.map(({ spaceId }) => spaceId))]
  const contents = await Promise.all(guarded.map(findContent))
  const variables = new Map(contents.map((content) => [content.spaceId, content.variables]))
  return guards
    .filter(({ spaceId, conditions }) =>
      guardHolds(conditions, claimReader, variables.get(spaceId) ?? {}, createBudget(conditionLimits)),
    )
    .map(({ spaceId, guard }) => ({ spaceId, guard }))
}

/** Returns the names that expressions can use. */
export function expressionInputs(
  { claims, unsigned }: Visitor,
  variables: Readonly<Record<string, unknown>>,
  page: PageRecord | null,
) {
  return { ...expressionScopeOf(variables, page), visitor: { claims: { ...claims, unsigned } } }
}

/** Returns the cache key of what a response depends on besides the revision; empty for most. */
export function viewerCacheKey({ isForReaders, visitor }: ContentContext): string {
  if (isForReaders !== true) return ''
  return visitor === undefined ? ' for all readers' : ` for ${claimsKey(visitor)}`
}

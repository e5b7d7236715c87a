/**
 * What a reader of an adaptive site is shown of its content: the one place that judges conditions of pages and texts,
 * for published sites with all that they answer, for the API as readers use it, for what is searched, and for files.
 *
 * What stands under a condition that does not hold for them is in nothing that is answered, whatever it is asked for
 * by. Nobody else's answers depend on conditions: there no opening is made.
 */
import { type Budget, createBudget } from '../../core/budget.js'
import { type Asker, createAsker, surroundingsOf } from '../../core/conditions/asker.js'
import { conditionLimits } from '../../core/conditions/evaluate.js'
import { guardHolds } from '../../core/conditions/guard.js'
import type { Claims } from '../../core/conditions/visitor-schema.js'
import type { SpaceId } from '../../core/ids.js'
import { openText } from '../../core/markdown/open-text.js'
import type { Variables } from '../../core/markdown/variables.js'
import { type PageNode, ancestors } from '../../core/pages/read.js'
import type { PageRecord } from '../../core/pages/types.js'
import { type Visitor, nameClaims } from '../../core/visitor/visitor.js'
import type { Services } from '../../access/route/scope.js'
import type { GuardPlace } from '../../store/search/engine.js'
import { listGuards } from '../../store/search/guards.js'
import type { ContentHere } from './content.js'
import { readVariables } from './settings.js'

export interface Opening {
  /** True when a condition holds for the reader, on a page or on none. */
  holds(condition: string | undefined, page: PageRecord | null): boolean
  /** True when the page itself is open; what stands below a closed one is closed with it. */
  isOpen(page: PageRecord): boolean
  /** True when the page is open, and all that it stands below. */
  isReachable(content: Pick<ContentHere, 'revision' | 'run'>, page: PageRecord): Promise<boolean>
  /** The tree without what is closed, and without what is below that. */
  nodes(nodes: readonly PageNode[]): readonly PageNode[]
  /** The text of a page, or of what belongs to none, as the reader may have it. */
  text(text: string, page: PageRecord | null): string
}

/** Returns what is shown to whom is asked, of content with these variables. */
export function createOpening(asker: Asker, variables: Variables): Opening {
  const judge = (page: PageRecord | null, budget: Budget) => {
    const surroundings = surroundingsOf(variables, page)
    return (expression: string) => asker.holds(expression, surroundings, budget)
  }
  const holds: Opening['holds'] = (condition, page) =>
    condition === undefined || judge(page, createBudget(conditionLimits))(condition)
  const isOpen: Opening['isOpen'] = (page) => page.type !== 'document' || holds(page.condition, page)
  const nodes: Opening['nodes'] = (all) =>
    all.filter(({ page }) => isOpen(page)).map(({ page, children }) => ({ page, children: nodes(children) }))
  return {
    holds,
    isOpen,
    async isReachable({ revision, run }, page) {
      return isOpen(page) && (await run(ancestors(revision.snapshot, page))).every(isOpen)
    },
    nodes,
    text: (text, page) => openText(text, judge(page, createBudget(conditionLimits))),
  }
}

/** Returns what is shown of the content; undefined where that is all of it. */
export async function openingOf(content: ContentHere): Promise<Opening | undefined> {
  const { visitor } = content
  return visitor && createOpening(askerFor(visitor), await readVariables(content))
}

/** Returns what asks a visitor of whom it is known what the site may know. */
export function askerFor({ claims, unsigned }: Visitor): Asker {
  return createAsker({ ...claims, unsigned } as Claims)
}

/** Content that is searched: of which space, and with which variables. */
interface SearchedContent {
  readonly spaceId: SpaceId
  readonly variables: Variables
}

/** More conditions of one site are not asked for one search. */
const mostGuards = 2_000

/**
 * Returns which parts of the index that stand under conditions are searched for whoever is asked; `open` is asked
 * for the content of spaces that have such parts.
 */
export async function findHeldGuards(
  { database }: Pick<Services, 'database'>,
  {
    asker,
    organizationId,
    spaceIds,
  }: Pick<ContentHere, 'organizationId'> & {
    readonly asker: Asker
    readonly spaceIds: readonly SpaceId[]
  },
  open: (spaceId: SpaceId) => Promise<SearchedContent>,
): Promise<GuardPlace[]> {
  const guards = await listGuards(database.read, organizationId, spaceIds, mostGuards)
  const guarded = [...new Set(guards.map(({ spaceId }) => spaceId))]
  const contents = await Promise.all(guarded.map(open))
  const variables = new Map(contents.map((content) => [content.spaceId, content.variables]))
  return guards
    .filter(({ spaceId, conditions }) =>
      guardHolds(conditions, asker, variables.get(spaceId) ?? {}, createBudget(conditionLimits)),
    )
    .map(({ spaceId, guard }) => ({ spaceId, guard }))
}

/** What expressions can name. */
export function inputsOf(
  { claims, unsigned }: Visitor,
  variables: Readonly<Record<string, unknown>>,
  page: PageRecord | null,
) {
  return { ...surroundingsOf(variables, page), visitor: { claims: { ...claims, unsigned } } }
}

/** Names what an answer about the content follows from besides its revision; empty for most. */
export function readerKey({ isForReaders, visitor }: ContentHere): string {
  if (isForReaders !== true) return ''
  return visitor === undefined ? ' for all readers' : ` for ${nameClaims(visitor)}`
}

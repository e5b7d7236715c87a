/**
 * What the reader of an adaptive site is shown of its content: what stands under a condition that does not hold for
 * them is in nothing that is answered, whatever it is asked for by. Nobody else's answers depend on conditions.
 */
import { createBudget } from '../../core/budget.js'
import { surroundingsOf } from '../../core/conditions/asker.js'
import { conditionLimits, holds } from '../../core/conditions/evaluate.js'
import { openText } from '../../core/markdown/open-text.js'
import { type PageNode, ancestors } from '../../core/pages/read.js'
import type { PageRecord } from '../../core/pages/types.js'
import { type Visitor, nameClaims } from '../../core/visitor/visitor.js'
import type { ContentHere } from './content.js'
import { readVariables } from './settings.js'

export interface Opening {
  /** True when the page itself is open; what stands below a closed one is closed with it. */
  isOpen(page: PageRecord): boolean
  /** True when the page is open, and all that it stands below. */
  isReachable(page: PageRecord): Promise<boolean>
  /** The tree without what is closed, and without what is below that. */
  nodes(nodes: readonly PageNode[]): readonly PageNode[]
  /** The text of a page, or of what belongs to none, as the reader may have it. */
  text(text: string, page: PageRecord | null): string
}

/** Returns what is shown of the content; undefined where that is all of it. */
export async function openingOf(content: ContentHere): Promise<Opening | undefined> {
  const { visitor } = content
  if (visitor === undefined) return undefined
  const variables = await readVariables(content)
  // One for all that is answered: a page of many conditions is not paid for by the reader of another.
  const budget = createBudget(conditionLimits)
  const holdsOn = (page: PageRecord | null) => {
    const inputs = inputsOf(visitor, variables, page)
    return (expression: string) => holds(expression, inputs, budget)
  }
  const isOpen: Opening['isOpen'] = (page) =>
    page.type !== 'document' || page.condition === undefined || holdsOn(page)(page.condition)
  const open: Opening['nodes'] = (all) =>
    all.filter(({ page }) => isOpen(page)).map(({ page, children }) => ({ page, children: open(children) }))
  const isReachable: Opening['isReachable'] = async (page) =>
    isOpen(page) && (await content.run(ancestors(content.revision.snapshot, page))).every(isOpen)
  return { isOpen, isReachable, nodes: open, text: (text, page) => openText(text, holdsOn(page)) }
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

/**
 * Guards: all conditions that must hold for a visitor to see a piece of content (of its ancestor pages, its page and
 * its text), as a value that can be stored and evaluated without the content.
 */
import type { Budget } from '../budget.js'
import type { PageRecord } from '../pages/types.js'
import type { ClaimReader } from './claim-reader.js'
import type { Inputs } from './evaluate.js'
import { namesIn } from './names.js'
import { parseExpression } from './parse.js'

interface GuardCondition {
  readonly if: string
  /** Variables of the page it is on; present only when the condition names them. */
  readonly page?: Inputs
}

/** Outermost condition first. */
export type Guard = readonly GuardCondition[]

/** Returns the condition of a page as a guard, empty for an unconditional page; undefined when it can never hold. */
export function guardOfPage(page: PageRecord): Guard | undefined {
  return page.type === 'document' && page.condition !== undefined
    ? guardOf([page.condition], page.variables)
    : []
}

/** Returns the conditions on a page with these variables as a guard; undefined when one of them can never hold. */
export function guardOf(conditions: readonly string[], variables: Inputs = {}): Guard | undefined {
  const guard: GuardCondition[] = []
  for (const condition of conditions) {
    if (condition.trim() === '') continue
    const parsed = parseExpression(condition)
    if (!parsed.ok) return undefined
    guard.push(
      namesIn(parsed.expression).has('page') ? { if: condition, page: variables } : { if: condition },
    )
  }
  return guard
}

/** Returns whether all conditions hold for the visitor, in a space with these variables. */
export function guardHolds(
  guard: Guard,
  claims: Pick<ClaimReader, 'holds'>,
  variables: Inputs,
  budget: Budget,
): boolean {
  return guard.every(({ if: condition, page = {} }) =>
    claims.holds(condition, { space: { vars: variables }, page: { vars: page } }, budget),
  )
}

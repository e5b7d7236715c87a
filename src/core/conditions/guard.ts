/**
 * What stands before something that is not for everybody: all conditions that must hold, of the pages above it, of its
 * page and of its text, as a value that can be kept and judged without any of them.
 */
import type { Budget } from '../budget.js'
import type { PageRecord } from '../pages/types.js'
import type { Asker } from './asker.js'
import type { Inputs } from './evaluate.js'
import { namesIn } from './names.js'
import { parseExpression } from './parse.js'

interface Guarding {
  readonly if: string
  /** Variables of the page on which it stands; only where it speaks of them. */
  readonly page?: Inputs
}

/** The outermost first. */
export type Guard = readonly Guarding[]

/** Returns the condition of a page as a guard, none for a page that is open; undefined where it never holds. */
export function guardOfPage(page: PageRecord): Guard | undefined {
  return page.type === 'document' && page.condition !== undefined
    ? guardOf([page.condition], page.variables)
    : []
}

/** Returns the conditions on a page with these variables as a guard; undefined where one of them never holds. */
export function guardOf(conditions: readonly string[], variables: Inputs = {}): Guard | undefined {
  const guard: Guarding[] = []
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

/** True when all of it holds for whoever is asked about, in a space with these variables. */
export function guardHolds(
  guard: Guard,
  asker: Pick<Asker, 'holds'>,
  variables: Inputs,
  budget: Budget,
): boolean {
  return guard.every(({ if: condition, page = {} }) =>
    asker.holds(condition, { space: { vars: variables }, page: { vars: page } }, budget),
  )
}

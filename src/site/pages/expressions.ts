/** Expressions in the text of a page: `space.vars.version`. */
import type { Budget } from '../../core/budget.js'
import { evaluate } from '../../core/conditions/evaluate.js'
import { parseExpression } from '../../core/conditions/parse.js'
import type { inputsOf } from './content.js'

/** Returns what works out expressions, over one budget: undefined for what is wrong, or names what is not there. */
export function createEvaluator(
  inputs: ReturnType<typeof inputsOf>,
  budget: Budget,
): (expression: string) => unknown {
  return (expression) => {
    const parsed = parseExpression(expression)
    if (!parsed.ok) return undefined
    try {
      return evaluate(parsed.expression, inputs, budget)
    } catch {
      return undefined
    }
  }
}

/** Returns a value as it is printed: nothing for what is no word or number. */
export function printed(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
    ? String(value)
    : ''
}

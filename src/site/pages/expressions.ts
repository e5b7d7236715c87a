/** Expressions in the text of a page: `space.vars.version`. */
import type { Budget } from '../../core/budget.js'
import { evaluate } from '../../core/conditions/evaluate.js'
import { parseExpression } from '../../core/conditions/parse.js'
import type { inputsOf } from './content.js'

/**
 * Returns what works out expressions, over one budget: undefined for what is wrong, or names what is not there. Notes
 * which ones it was asked.
 */
export function createEvaluator(
  inputs: ReturnType<typeof inputsOf>,
  budget: Budget,
  asked: Set<string>,
): (expression: string) => unknown {
  return (expression) => {
    asked.add(expression)
    const parsed = parseExpression(expression)
    if (!parsed.ok) return undefined
    try {
      return evaluate(parsed.expression, inputs, budget)
    } catch {
      return undefined
    }
  }
}

/** Expressions in the text of a page: `space.vars.version`. */
import type { Budget } from '../../core/budget.js'
import { evaluate } from '../../core/conditions/evaluate.js'
import { parseExpression } from '../../core/conditions/parse.js'
import type { expressionInputs } from './content.js'

/**
 * Returns an evaluator with a shared budget: undefined for expressions that are invalid or use unknown names. Adds each
 * expression to `evaluated`.
 */
export function createEvaluator(
  inputs: ReturnType<typeof expressionInputs>,
  budget: Budget,
  evaluated: Set<string>,
): (expression: string) => unknown {
  return (expression) => {
    evaluated.add(expression)
    const parsed = parseExpression(expression)
    if (!parsed.ok) return undefined
    try {
      return evaluate(parsed.expression, inputs, budget)
    } catch {
      return undefined
    }
  }
}

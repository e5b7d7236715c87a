/** Texts with expressions in them: `Hello {{ visitor.claims.name }}`. */
import { createBudget, type Budget } from '../budget.js'
import { conditionLimits, evaluate, type Inputs } from './evaluate.js'
import { parseExpression } from './parse.js'

/** Returns the text with each `{{ expression }}` replaced by its value; one that has none leaves nothing. */
export function renderTemplate(text: string, inputs: Inputs): string {
  const budget = createBudget(conditionLimits)
  let result = ''
  let done = 0
  for (;;) {
    const start = text.indexOf('{{', done)
    const end = start < 0 ? -1 : text.indexOf('}}', start + 2)
    if (end < 0) return result + text.slice(done)
    result += text.slice(done, start) + valueOf(text.slice(start + 2, end), inputs, budget)
    done = end + 2
  }
}

/** Returns what a value looks like to a reader: lists joined by commas, nothing for nothing and for objects. */
export function printValue(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return Array.isArray(value)
    ? value.map((item) => (Array.isArray(item) ? '' : printValue(item))).join(', ')
    : ''
}

function valueOf(source: string, inputs: Inputs, budget: Budget): string {
  const parsed = parseExpression(source)
  if (!parsed.ok) return ''
  try {
    return printValue(evaluate(parsed.expression, inputs, budget))
  } catch {
    return ''
  }
}

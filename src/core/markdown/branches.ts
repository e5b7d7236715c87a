/**
 * Branches of conditional content: `{% else %}`, `{% elif … %}` and its other spellings, inside `{% if … %}`. Each branch
 * is a condition of its own, so that everything else knows conditions only: that of the branch, and the negations of those
 * before it.
 */
import type { Tag } from './tags.js'

/** Names of the tags that begin another branch. */
export const branchNames = ['else', 'elif', 'elseif', 'elsif'] as const
const names = new Set<string>(branchNames)

/** Returns whether a tag begins another branch. */
export function isBranch({ name, closes }: Pick<Tag, 'name' | 'closes'>): boolean {
  return names.has(name) && !closes
}

/** Further branches never hold: each has the negations of all before it. */
export const maxBranches = 50

/** Returns the condition of a branch, after branches with these expressions. */
export function branchCondition(
  { name, rest }: Pick<Tag, 'name' | 'rest'>,
  earlier: readonly string[],
): string {
  if (earlier.length >= maxBranches) return never
  const own = ownExpression({ name, rest })
  const conditions = earlier.map((one) => (isSelfContained(one) ? `!(${one})` : never))
  if (own !== undefined) conditions.push(isSelfContained(own) ? `(${own})` : never)
  return conditions.includes(never) ? never : conditions.join(' && ')
}

/** Returns the expression written in a branch tag; undefined for a plain `{% else %}`. */
export function ownExpression({ name, rest }: Pick<Tag, 'name' | 'rest'>): string | undefined {
  if (name !== 'else') return rest
  return rest === '' ? undefined : rest.replace(/^if\b/, '').trim()
}

const never = 'false'

/**
 * Returns whether an expression can be put in brackets without changing what it means. An invalid one never holds, and
 * its negation must not hold either.
 */
function isSelfContained(expression: string): boolean {
  let depth = 0
  let quote = ''
  for (let index = 0; index < expression.length; index++) {
    const character = expression[index]!
    if (quote !== '') {
      if (character === '\\') index++
      else if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (character === '(') depth++
    else if (character === ')' && --depth < 0) return false
    else if (character === '`' || (character === '/' && /[/*]/.test(expression[index + 1] ?? '')))
      return false
  }
  return depth === 0 && quote === '' && expression.trim() !== ''
}

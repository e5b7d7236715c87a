/**
 * Claim reader: evaluates conditions against a visitor's claims and records each expression that names the visitor,
 * with its result. Rendered output is the same for all visitors with the same results, so caches are keyed by these
 * results and not by the claims: one page for everyone over eighteen, not one for each age.
 *
 * Expressions that do not name the visitor depend on the content alone and are not recorded.
 */
import { type Budget, createBudget } from '../budget.js'
import { type Inputs, conditionLimits, evaluate } from './evaluate.js'
import { namesIn } from './names.js'
import { type Expression, parseExpression } from './parse.js'
import type { PageRecord } from '../pages/types.js'
import type { Claims } from './visitor-schema.js'

/** The variables an expression may name besides the visitor. */
export interface ExpressionScope {
  readonly space: { readonly vars: Inputs }
  readonly page: { readonly vars: Inputs }
}

const noVariables: Inputs = {}

/** Returns the variables in scope for expressions on a page, or outside any page. */
export function expressionScopeOf(variables: Inputs, page: PageRecord | null): ExpressionScope {
  return {
    space: { vars: variables },
    page: { vars: (page?.type === 'document' && page.variables) || noVariables },
  }
}

/** A recorded result: whether a condition holds for the visitor, or how an expression is printed for them. */
export interface ClaimAnswer {
  readonly expression: Expression
  readonly scope: ExpressionScope
  readonly answer: boolean | string
}

export interface ClaimReader {
  readonly claims: Claims
  /** True when the visitor has no claims, signed or unsigned. */
  readonly isAnonymous: boolean
  /** In the order of evaluation, without duplicates. */
  readonly answers: readonly ClaimAnswer[]
  /** Returns whether a condition holds for the visitor: an empty one always does, one with an error never does. */
  holds(condition: string, scope: ExpressionScope, budget: Budget): boolean
  /** Records that an expression was printed for the visitor. */
  recordPrinted(expression: string, scope: ExpressionScope): void
}

const noClaims: Claims = { unsigned: {} }

/** Returns a reader of these claims; results are recorded only with `isRecording`. */
function readerOf(claims: Claims, isRecording: boolean): ClaimReader {
  const answers: ClaimAnswer[] = []
  const compiled = new Map<string, CompiledExpression>()

  /** Parses an expression once; undefined when it is invalid. */
  function compile(source: string): CompiledExpression | undefined {
    let entry = compiled.get(source)
    if (entry === undefined) {
      const parsed = parseExpression(source)
      if (!parsed.ok) return undefined
      const { expression } = parsed
      entry = {
        expression,
        names: namesIn(expression),
        conditionResults: new Map(),
        printedResults: new Map(),
      }
      compiled.set(source, entry)
    }
    return entry
  }

  return {
    claims,
    isAnonymous: isEmpty(claims),
    answers,
    holds(condition, scope, budget) {
      if (condition.trim() === '') return true
      const entry = compile(condition)
      if (entry === undefined) return false
      const { expression, names, conditionResults } = entry
      return memoizedAt(conditionResults, entry, scope, () => {
        const answer = doesHold(expression, { ...scope, visitor: { claims } }, budget)
        if (isRecording && names.has('visitor')) answers.push({ expression, scope, answer })
        return answer
      })
    },
    recordPrinted(source, scope) {
      const entry = isRecording ? compile(source) : undefined
      if (entry === undefined || !entry.names.has('visitor')) return
      const { expression, printedResults } = entry
      memoizedAt(printedResults, entry, scope, () => {
        const answer = printOf(expression, scope, claims)
        answers.push({ expression, scope, answer })
        return answer
      })
    },
  }
}

/** Treats every condition as true: for resolving an address regardless of who may read it. */
export const unrestrictedReader: ClaimReader = {
  claims: noClaims,
  isAnonymous: false,
  answers: [],
  holds: () => true,
  recordPrinted() {},
}

interface CompiledExpression {
  readonly expression: Expression
  readonly names: ReadonlySet<string>
  readonly conditionResults: ResultsByVariables<boolean>
  readonly printedResults: ResultsByVariables<string>
}

/** Keyed by the variables of the space, then of the page. */
type ResultsByVariables<Value> = Map<Inputs, Map<Inputs, Value>>

const variablesNotNamed: Inputs = {}

/** Returns the memoized result of an expression, keyed only by the variables it names. */
function memoizedAt<Value>(
  results: ResultsByVariables<Value>,
  { names }: CompiledExpression,
  { space, page }: ExpressionScope,
  compute: () => Value,
): Value {
  const spaceVariables = names.has('space') ? space.vars : variablesNotNamed
  const pageVariables = names.has('page') ? page.vars : variablesNotNamed
  const resultsByPage = results.get(spaceVariables) ?? new Map<Inputs, Value>()
  results.set(spaceVariables, resultsByPage)
  const cached = resultsByPage.get(pageVariables)
  if (cached !== undefined) return cached
  const answer = compute()
  resultsByPage.set(pageVariables, answer)
  return answer
}

/** Returns a recording reader of a visitor's claims. */
export function createClaimReader(claims: Claims): ClaimReader {
  return readerOf(claims, true)
}

/** Returns a reader for a visitor without claims; it records nothing. */
export function createAnonymousReader(): ClaimReader {
  return readerOf(noClaims, false)
}

function isEmpty({ unsigned, ...signed }: Claims): boolean {
  return Object.keys(signed).length === 0 && Object.keys(unsigned as object).length === 0
}

/** Returns whether every recorded expression has the same result for these claims. */
export function haveSameAnswers(answers: readonly ClaimAnswer[], claims: Claims): boolean {
  const budget = createBudget(conditionLimits)
  return answers.every(({ expression, scope, answer }) =>
    typeof answer === 'string'
      ? printOf(expression, scope, claims) === answer
      : doesHold(expression, { ...scope, visitor: { claims } }, budget) === answer,
  )
}

function doesHold(expression: Expression, inputs: Inputs, budget: Budget): boolean {
  try {
    return Boolean(evaluate(expression, inputs, budget))
  } catch {
    return false
  }
}

function printOf(expression: Expression, scope: ExpressionScope, claims: Claims): string {
  try {
    const inputs = { ...scope, visitor: { claims } }
    return printed(evaluate(expression, inputs, createBudget(conditionLimits)))
  } catch {
    return ''
  }
}

/** Returns a value as printed text; empty for anything but strings, finite numbers and booleans. */
export function printed(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'boolean' || Number.isFinite(value) ? String(value) : ''
}

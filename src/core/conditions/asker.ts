/**
 * What is asked of a visitor while something is made for them: each expression that names the visitor, and what came
 * of it. Whatever was made is the same for everybody of whom the same things come, so it is known by these answers,
 * and not by the claims themselves: one page for all who are older than eighteen, not one for each age.
 *
 * What an expression without the visitor comes to follows from the content alone, and is not written down.
 */
import { type Budget, createBudget } from '../budget.js'
import { type Inputs, conditionLimits, evaluate } from './evaluate.js'
import { namesIn } from './names.js'
import { type Expression, parseExpression } from './parse.js'
import type { PageRecord } from '../pages/types.js'
import type { Claims } from './visitor-schema.js'

/** What an expression may name beside the visitor. */
export interface Surroundings {
  readonly space: { readonly vars: Inputs }
  readonly page: { readonly vars: Inputs }
}

const nothingSet: Inputs = {}

/** Returns what expressions on a page, or on none, may name beside the visitor. */
export function surroundingsOf(variables: Inputs, page: PageRecord | null): Surroundings {
  return {
    space: { vars: variables },
    page: { vars: (page?.type === 'document' && page.variables) || nothingSet },
  }
}

/** Something that was asked of a visitor: whether it holds of them, or how it is printed for them. */
export interface Asked {
  readonly expression: Expression
  readonly surroundings: Surroundings
  readonly answer: boolean | string
}

export interface Asker {
  /** What is known of the visitor. */
  readonly claims: Claims
  /** True when somebody knows of nothing said by the visitor. */
  readonly isNobody: boolean
  /** In their order, each once. */
  readonly asked: readonly Asked[]
  /** Returns whether a condition holds of the visitor: the empty one always does, one with an error never does. */
  holds(condition: string, surroundings: Surroundings, budget: Budget): boolean
  /** Notes that an expression was printed for the visitor. */
  notePrinted(expression: string, surroundings: Surroundings): void
}

const nothingSaid: Claims = { unsigned: {} }

/** Returns what asks a visitor; without `isNoted` nothing is written down. */
function askerOf(claims: Claims, isNoted: boolean): Asker {
  const asked: Asked[] = []
  const known = new Map<string, Known>()

  /** Reads an expression once; undefined for what is none. */
  function read(source: string): Known | undefined {
    let found = known.get(source)
    if (found === undefined) {
      const parsed = parseExpression(source)
      if (!parsed.ok) return undefined
      const { expression } = parsed
      found = { expression, names: namesIn(expression), holding: new Map(), printing: new Map() }
      known.set(source, found)
    }
    return found
  }

  return {
    claims,
    isNobody: isEmpty(claims),
    asked,
    holds(condition, surroundings, budget) {
      if (condition.trim() === '') return true
      const found = read(condition)
      if (found === undefined) return false
      const { expression, names, holding } = found
      return recallAt(holding, found, surroundings, () => {
        const answer = doesHold(expression, { ...surroundings, visitor: { claims } }, budget)
        if (isNoted && names.has('visitor')) asked.push({ expression, surroundings, answer })
        return answer
      })
    },
    notePrinted(source, surroundings) {
      const found = isNoted ? read(source) : undefined
      if (found === undefined || !found.names.has('visitor')) return
      const { expression, printing } = found
      recallAt(printing, found, surroundings, () => {
        const answer = printOf(expression, surroundings, claims)
        asked.push({ expression, surroundings, answer })
        return answer
      })
    },
  }
}

/** Lets everything be seen: what stands at an address, whomever it is meant for. */
export const everything: Asker = {
  claims: nothingSaid,
  isNobody: false,
  asked: [],
  holds: () => true,
  notePrinted() {},
}

interface Known {
  readonly expression: Expression
  readonly names: ReadonlySet<string>
  readonly holding: Answers<boolean>
  readonly printing: Answers<string>
}

/** By the variables of the space, then of the page. */
type Answers<Value> = Map<Inputs, Map<Inputs, Value>>

const nothingNamed: Inputs = {}

/** Returns what an expression came to in its surroundings, as far as it names them. */
function recallAt<Value>(
  answers: Answers<Value>,
  { names }: Known,
  { space, page }: Surroundings,
  work: () => Value,
): Value {
  const ofSpace = names.has('space') ? space.vars : nothingNamed
  const ofPage = names.has('page') ? page.vars : nothingNamed
  const here = answers.get(ofSpace) ?? new Map<Inputs, Value>()
  answers.set(ofSpace, here)
  const known = here.get(ofPage)
  if (known !== undefined) return known
  const answer = work()
  here.set(ofPage, answer)
  return answer
}

/** Returns what asks a visitor of whom these claims are known. */
export function createAsker(claims: Claims): Asker {
  return askerOf(claims, true)
}

/** Returns what asks somebody of whom nothing is known, where nobody wants to know what was asked. */
export function askNobody(): Asker {
  return askerOf(nothingSaid, false)
}

function isEmpty({ unsigned, ...signed }: Claims): boolean {
  return Object.keys(signed).length === 0 && Object.keys(unsigned as object).length === 0
}

/** True when everything that was asked comes to the same of somebody with these claims. */
export function comesToSame(asked: readonly Asked[], claims: Claims): boolean {
  const budget = createBudget(conditionLimits)
  return asked.every(({ expression, surroundings, answer }) =>
    typeof answer === 'string'
      ? printOf(expression, surroundings, claims) === answer
      : doesHold(expression, { ...surroundings, visitor: { claims } }, budget) === answer,
  )
}

function doesHold(expression: Expression, inputs: Inputs, budget: Budget): boolean {
  try {
    return Boolean(evaluate(expression, inputs, budget))
  } catch {
    return false
  }
}

function printOf(expression: Expression, surroundings: Surroundings, claims: Claims): string {
  try {
    const inputs = { ...surroundings, visitor: { claims } }
    return printed(evaluate(expression, inputs, createBudget(conditionLimits)))
  } catch {
    return ''
  }
}

/** Returns a value as it is printed: nothing for what is no word or number. */
export function printed(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
    ? String(value)
    : ''
}

/**
 * Expression evaluator over plain JSON inputs: visitor claims, variables of space and page.
 *
 * Only own properties are visible, only the listed methods are callable, and every step is counted: one expression
 * gets 10,000 steps of the budget that all expressions of a page share. Whatever cannot be evaluated is an error,
 * and a condition with an error does not hold, so content is never revealed by mistake.
 */
import { type Budget, type Limits, pageLimits } from '../budget.js'
import { type Callback, type Expression, parseExpression } from './parse.js'

export type Inputs = Readonly<Record<string, unknown>>

/** Limits of one expression. */
const expressionLimits = { steps: 10_000 }

/** Limits of all expressions of one page. */
export const conditionLimits: Limits = { ...pageLimits, steps: 500_000 }

/** Never readable as members, whatever a visitor's claims contain. */
export const hiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])
/** Ends an optional chain at `?.` on null or undefined. */
const chainEnd = Symbol('nothing')

interface Evaluation {
  readonly inputs: Inputs
  readonly parameters: readonly (readonly [name: string, value: unknown])[]
  readonly budget: Budget
}

/** Returns the value of an expression. Throws an Error in plain English when it has none or exceeds its limits. */
export function evaluate(expression: Expression, inputs: Inputs, budget: Budget): unknown {
  const value = evaluateNode(expression, { inputs, parameters: [], budget: budget.share(expressionLimits) })
  return value === chainEnd ? undefined : value
}

/** Returns whether a condition holds: an empty one always does, one with an error never does. */
export function holds(source: string, inputs: Inputs, budget: Budget): boolean {
  if (source.trim() === '') return true
  const parsed = parseExpression(source)
  if (!parsed.ok) return false
  try {
    return Boolean(evaluate(parsed.expression, inputs, budget))
  } catch {
    return false
  }
}

function evaluateNode(expression: Expression, run: Evaluation): unknown {
  spend(run, 1)
  switch (expression.type) {
    case 'value':
      return expression.value
    case 'name':
      return nameOf(expression.name, run)
    case 'member': {
      const object = evaluateNode(expression.object, run)
      if (object === chainEnd || (expression.optional && (object === undefined || object === null)))
        return chainEnd
      return member(object, evaluateNode(expression.key, run), run)
    }
    case 'call': {
      const object = evaluateNode(expression.object, run)
      if (object === chainEnd || (expression.optional && (object === undefined || object === null)))
        return chainEnd
      return call(object, expression.method, expression.values, run)
    }
    case 'chain': {
      const value = evaluateNode(expression.value, run)
      return value === chainEnd ? undefined : value
    }
    case 'unary':
      return unary(expression.operator, evaluateNode(expression.value, run), run)
    case 'binary':
      return binary(
        expression.operator,
        evaluateNode(expression.left, run),
        () => evaluateNode(expression.right, run),
        run,
      )
    case 'choice':
      return evaluateNode(evaluateNode(expression.test, run) ? expression.met : expression.otherwise, run)
    case 'list':
      return expression.items.map((item) => evaluateNode(item, run))
  }
}

function spend(run: Evaluation, steps: number): void {
  run.budget.spend('steps', steps)
}

function nameOf(name: string, run: Evaluation): unknown {
  const parameter = run.parameters.findLast(([parameterName]) => parameterName === name)
  if (parameter) return parameter[1]
  if (!Object.hasOwn(run.inputs, name) || hiddenKeys.has(name))
    throw new Error(`The name ${name} is not known.`)
  return run.inputs[name]
}

function member(object: unknown, key: unknown, run: Evaluation): unknown {
  if (object === undefined || object === null)
    throw new Error(`Nothing has no member ${String(primitive(key, run))}.`)
  const name = String(primitive(key, run))
  if (hiddenKeys.has(name)) return undefined
  if (typeof object !== 'string' && typeof object !== 'object') return undefined
  const value: unknown = Object.hasOwn(Object(object) as object, name) ? (object as Inputs)[name] : undefined
  return typeof value === 'function' ? undefined : value
}

function call(
  object: unknown,
  method: string,
  callArguments: readonly (Expression | Callback)[],
  run: Evaluation,
): unknown {
  const [first] = callArguments
  if (Array.isArray(object)) {
    spend(run, object.length)
    const test = (...values: unknown[]): unknown => {
      if (first?.type !== 'callback') throw new Error(`The method ${method} needs a function.`)
      const parameters = first.parameters.map((name, index) => [name, values[index]] as const)
      return evaluateNode(first.body, { ...run, parameters: [...run.parameters, ...parameters] })
    }
    switch (method) {
      case 'at':
        return object.at(Number(primitive(valueOf(first, run), run)))
      case 'includes':
        return object.includes(valueOf(first, run))
      case 'some':
        return object.some((item, index) => test(item, index))
      case 'every':
        return object.every((item, index) => test(item, index))
      case 'map':
        return object.map((item: unknown, index) => test(item, index))
      case 'filter':
        return object.filter((item, index) => test(item, index))
      case 'find':
        return object.find((item, index) => test(item, index)) as unknown
    }
  }
  if (typeof object === 'string') {
    spend(run, Math.ceil(object.length / 100))
    switch (method) {
      case 'at':
        return object.at(Number(primitive(valueOf(first, run), run)))
      case 'includes':
        return object.includes(String(primitive(valueOf(first, run), run)))
      case 'startsWith':
        return object.startsWith(String(primitive(valueOf(first, run), run)))
      case 'endsWith':
        return object.endsWith(String(primitive(valueOf(first, run), run)))
      case 'toLowerCase':
        return object.toLowerCase()
      case 'toUpperCase':
        return object.toUpperCase()
      case 'trim':
        return object.trim()
    }
  }
  throw new Error(`There is no method ${method} here.`)
}

function valueOf(argument: Expression | Callback | undefined, run: Evaluation): unknown {
  if (argument?.type === 'callback') throw new Error('A value is needed where a function stands.')
  return argument && evaluateNode(argument, run)
}

function unary(operator: string, value: unknown, run: Evaluation): unknown {
  switch (operator) {
    case '!':
      return !value
    case 'typeof':
      return typeof value
    case '-':
      return -Number(primitive(value, run))
    default:
      return Number(primitive(value, run))
  }
}

function binary(operator: string, left: unknown, right: () => unknown, run: Evaluation): unknown {
  switch (operator) {
    case '&&':
      return left && right()
    case '||':
      return left || right()
    case '??':
      return left ?? right()
  }
  const other = right()
  switch (operator) {
    case '===':
      return isSame(left, other, run)
    case '!==':
      return !isSame(left, other, run)
    case '==':
      return looselyEqual(left, other, run)
    case '!=':
      return !looselyEqual(left, other, run)
    case 'in':
      if (typeof other !== 'object' || other === null)
        throw new Error('Only lists and objects can be searched with in.')
      return Object.hasOwn(other, String(primitive(left, run))) && !hiddenKeys.has(String(left))
  }
  const a = primitive(left, run)
  const b = primitive(other, run)
  switch (operator) {
    case '<':
      return a! < b!
    case '<=':
      return a! <= b!
    case '>':
      return a! > b!
    case '>=':
      return a! >= b!
    case '+': {
      if (typeof a !== 'string' && typeof b !== 'string') return Number(a) + Number(b)
      // Unlike JavaScript, which writes "undefined" or "NaN" into the text.
      if (isMissing(a) || isMissing(b)) return undefined
      const text = `${a}${b}`
      spend(run, Math.ceil(text.length / 100))
      return text
    }
    case '-':
      return Number(a) - Number(b)
    case '*':
      return Number(a) * Number(b)
    case '/':
      return Number(a) / Number(b)
    default:
      return Number(a) % Number(b)
  }
}

function isSame(left: unknown, right: unknown, run: Evaluation): boolean {
  readText(left, run)
  return left === right
}

/** JavaScript's `==` between primitives; an object equals only itself, since converting it would run its code. */
function looselyEqual(left: unknown, right: unknown, run: Evaluation): boolean {
  if (isObject(left) || isObject(right)) return left === right
  readText(left, run)
  readText(right, run)
  // eslint-disable-next-line eqeqeq
  return left == right
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

type Primitive = string | number | boolean | null | undefined

/** Returns a value that may be compared, counted or joined; costs steps by the length of a text. */
function primitive(value: unknown, run: Evaluation): Primitive {
  if (isObject(value)) throw new Error('A list or an object stands where a text or number is needed.')
  readText(value, run)
  return value as Primitive
}

/** Returns whether a value has no text: a claim that is absent, or a number computed from one. */
function isMissing(value: Primitive): boolean {
  return value === undefined || value === null || (typeof value === 'number' && !Number.isFinite(value))
}

function readText(value: unknown, run: Evaluation): void {
  if (typeof value === 'string') spend(run, Math.floor(value.length / 100))
}

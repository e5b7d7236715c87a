/**
 * Expression parser: one JavaScript expression over named inputs, parsed into our own syntax tree.
 *
 * acorn parses the syntax; this file accepts only the forms of the language, so the evaluator meets no unknown
 * node. Nothing is ever compiled or run as JavaScript.
 */
import { type AnyNode, parse, type Expression as Syntax } from 'acorn'
import type { Problem } from '../document/types.js'
import { maxExpressionLength } from './limits.js'

/** Each bracket costs the parser a dozen stack frames; no hand-written condition comes near this. */
const maxBrackets = 200

export type Expression =
  | { readonly type: 'value'; readonly value: string | number | boolean | null | undefined }
  | { readonly type: 'name'; readonly name: string }
  | {
      readonly type: 'member'
      readonly object: Expression
      readonly key: Expression
      readonly optional: boolean
    }
  | {
      readonly type: 'call'
      readonly object: Expression
      readonly method: string
      readonly values: readonly (Expression | Callback)[]
      readonly optional: boolean
    }
  | { readonly type: 'unary'; readonly operator: string; readonly value: Expression }
  | {
      readonly type: 'binary'
      readonly operator: string
      readonly left: Expression
      readonly right: Expression
    }
  | {
      readonly type: 'choice'
      readonly test: Expression
      readonly met: Expression
      readonly otherwise: Expression
    }
  | { readonly type: 'list'; readonly items: readonly Expression[] }
  /** Where a `?.` inside short-circuits, the whole chain is undefined. */
  | { readonly type: 'chain'; readonly value: Expression }

/** A function passed to a method: its parameters and the expression it returns. */
export interface Callback {
  readonly type: 'callback'
  readonly parameters: readonly string[]
  readonly body: Expression
}

export type ParsedExpression =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly problem: Problem }

const unaryOperators = new Set(['!', '-', '+', 'typeof'])
const binaryOperators = new Set([
  '==',
  '!=',
  '===',
  '!==',
  '<',
  '<=',
  '>',
  '>=',
  '+',
  '-',
  '*',
  '/',
  '%',
  'in',
  '&&',
  '||',
  '??',
])
export const methods = new Set([
  'at',
  'startsWith',
  'endsWith',
  'includes',
  'toLowerCase',
  'toUpperCase',
  'trim',
  'some',
  'every',
  'map',
  'filter',
  'find',
])

/** Returns the parsed expression, or the syntax error with its position. Never throws. */
export function parseExpression(source: string): ParsedExpression {
  const whole = { start: 0, end: source.length }
  if (source.trim() === '')
    return { ok: false, problem: { message: 'The expression is empty.', span: whole } }
  if (source.length > maxExpressionLength) {
    return {
      ok: false,
      problem: { message: `The expression is longer than ${maxExpressionLength} characters.`, span: whole },
    }
  }
  if ((source.match(/[([{]/g)?.length ?? 0) > maxBrackets) {
    return { ok: false, problem: { message: 'The expression has too many brackets.', span: whole } }
  }
  try {
    const [statement, ...more] = parse(source, { ecmaVersion: 2022 }).body
    if (more[0]) refuse(more[0], 'Only one expression is allowed')
    if (statement?.type !== 'ExpressionStatement') refuse(whole, 'An expression is needed')
    return { ok: true, expression: read(statement.expression) }
  } catch (error) {
    const { message, span, pos } = error as { message: string; span?: Problem['span']; pos?: number }
    const at =
      span ?? (pos === undefined ? whole : { start: Math.min(pos, source.length), end: source.length })
    return { ok: false, problem: { message: `${message.replace(/ \(\d+:\d+\)$/, '')}.`, span: at } }
  }
}

function refuse(span: Problem['span'], message: string): never {
  throw Object.assign(new SyntaxError(message), { span: { start: span.start, end: span.end } })
}

function read(node: AnyNode): Expression {
  switch (node.type) {
    case 'Literal':
      if (node.regex || node.bigint || typeof node.value === 'bigint') break
      return { type: 'value', value: node.value as string | number | boolean | null }
    case 'Identifier':
      return node.name === 'undefined'
        ? { type: 'value', value: undefined }
        : { type: 'name', name: node.name }
    case 'MemberExpression':
      if (node.object.type === 'Super' || node.property.type === 'PrivateIdentifier') break
      return {
        type: 'member',
        object: read(node.object),
        key: node.computed
          ? read(node.property)
          : { type: 'value', value: (node.property as { name: string }).name },
        optional: node.optional,
      }
    case 'CallExpression':
      return readCall(node)
    case 'ChainExpression':
      return { type: 'chain', value: read(node.expression) }
    case 'UnaryExpression':
      if (!unaryOperators.has(node.operator))
        refuse(node, `The operator ${node.operator} is not part of the language`)
      return { type: 'unary', operator: node.operator, value: read(node.argument) }
    case 'BinaryExpression':
    case 'LogicalExpression':
      if (!binaryOperators.has(node.operator))
        refuse(node, `The operator ${node.operator} is not part of the language`)
      return { type: 'binary', operator: node.operator, left: read(node.left), right: read(node.right) }
    case 'ConditionalExpression':
      return {
        type: 'choice',
        test: read(node.test),
        met: read(node.consequent),
        otherwise: read(node.alternate),
      }
    case 'ArrayExpression':
      return {
        type: 'list',
        items: node.elements.map((item) => (item ? read(item) : refuse(node, 'A list has an empty place'))),
      }
  }
  return refuse(node, `${node.type} is not part of the language`)
}

function readCall(node: Extract<Syntax, { type: 'CallExpression' }>): Expression {
  const { callee } = node
  if (callee.type !== 'MemberExpression' || callee.computed || callee.object.type === 'Super') {
    return refuse(node, 'Only methods of texts and lists can be called')
  }
  const method = (callee.property as { name: string }).name
  if (!methods.has(method)) refuse(callee.property, `The method ${method} is not part of the language`)
  return {
    type: 'call',
    object: read(callee.object),
    method,
    values: node.arguments.map((value) =>
      value.type === 'ArrowFunctionExpression' ? readCallback(value) : read(value),
    ),
    optional: callee.optional || node.optional,
  }
}

function readCallback(node: Extract<Syntax, { type: 'ArrowFunctionExpression' }>): Callback {
  if (node.async || !node.expression) refuse(node, 'A function must answer one expression')
  const parameters = node.params.map((parameter) =>
    parameter.type === 'Identifier' ? parameter.name : refuse(parameter, 'A parameter must be a plain name'),
  )
  return { type: 'callback', parameters, body: read(node.body) }
}

/**
 * Mutations of a source file: conditions negated, bounds moved, operators and returned values replaced, statements and
 * calls removed, enumeration values misspelt. One change at a time, located by its offset.
 */
import { type Node, children, parseFile } from './syntax.js'

export interface Mutation {
  readonly line: number
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** Number of the statement that must run for the change to be noticed; 0 is the file itself. */
  readonly spot: number
}

/** A statement inside of a function, or the expression that an arrow function is. */
export interface Spot {
  readonly start: number
  readonly end: number
  readonly isExpression: boolean
}

const operators = new Map([
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['===', '!=='],
  ['!==', '==='],
  ['&&', '||'],
  ['||', '&&'],
  ['??', '&&'],
  ['+', '-'],
  ['-', '+'],
  ['*', '/'],
  ['/', '*'],
  ['%', '*'],
  ['+=', '-='],
  ['-=', '+='],
])
const methods = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['min', 'max'],
  ['max', 'min'],
])
const removableCalls = new Set([
  'filter',
  'slice',
  'sort',
  'toSorted',
  'reverse',
  'toReversed',
  'trim',
  'where',
])

/** All mutations of a file, and their spots; spot n of a mutation is `spots[n - 1]`. */
export function mutationsOf(text: string): { mutations: Mutation[]; spots: Spot[] } {
  const mutations: Mutation[] = []
  const spots: Spot[] = []
  walk(parseFile(text), 0, 0)
  return { mutations, spots }

  function walk(node: Node, spot: number, functions: number): void {
    for (const change of changesOf(node, text))
      mutations.push({ ...change, spot, line: text.slice(0, change.start).split('\n').length })
    const isFunction = /Function/.test(node.type)
    for (const { node: below, member } of children(node)) {
      const depth = functions + (isFunction && member === 'body' ? 1 : 0)
      const isExpression = isFunction && member === 'body' && below.type !== 'BlockStatement'
      const isStatement =
        depth > 0 &&
        /Statement$|VariableDeclaration$/.test(below.type) &&
        ((node.type === 'BlockStatement' && member === 'body') ||
          (node.type === 'SwitchCase' && member === 'consequent'))
      if (isExpression || isStatement) spots.push({ start: below.start, end: below.end, isExpression })
      walk(below, isExpression || isStatement ? spots.length : spot, depth)
    }
  }
}

type SourceChange = Omit<Mutation, 'spot' | 'line'>

function changesOf(node: Node, text: string): SourceChange[] {
  const source = (one: Node): string => text.slice(one.start, one.end)
  const replace = (one: Node, replacement: string): SourceChange => ({
    start: one.start,
    end: one.end,
    replacement,
  })
  const [test, left, right, argument] = ['test', 'left', 'right', 'argument'].map(
    (name) => node[name] as Node,
  )
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
    case 'WhileStatement':
      return [replace(test!, `!(${source(test!)})`)]
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression': {
      const other = operators.get(String(node.operator))
      if (!other || (node.operator === '+' && [left!, right!].some(isText))) return []
      const at = text.indexOf(String(node.operator), left!.end)
      const change = { start: at, end: at + String(node.operator).length, replacement: other }
      return [change, ...(other.endsWith('==') ? [left!, right!].flatMap(misspell) : [])]
    }
    case 'UnaryExpression':
      return node.operator === '!' ? [replace(node, source(argument!))] : []
    case 'ExpressionStatement':
      return node.directive ? [] : [replace(node, ';')]
    case 'ThrowStatement':
      return [replace(node, ';')]
    case 'ReturnStatement':
      return argument && !isBoolean(argument) && source(argument) !== 'undefined'
        ? [replace(node, 'return undefined as never')]
        : []
    case 'SwitchCase':
      return test ? misspell(test) : []
    case 'CallExpression':
      return callChanges(node, source, replace)
    case 'Literal':
      return isBoolean(node) ? [replace(node, String(!node.value))] : []
    case 'Property':
      return misspell(node.value as Node)
    default:
      return []
  }

  function misspell(one: Node): SourceChange[] {
    return typeof one.value === 'string' && /^[a-z][\w-]*$/i.test(one.value)
      ? [replace(one, "'misspelt'")]
      : []
  }
}

function callChanges(
  call: Node,
  source: (one: Node) => string,
  replace: (one: Node, replacement: string) => SourceChange,
): SourceChange[] {
  const callee = call.callee as Node
  if (callee.type !== 'MemberExpression' || callee.computed) return []
  const [object, property] = [callee.object as Node, callee.property as Node]
  const other = methods.get(source(property))
  if (other) return [replace(property, other)]
  return removableCalls.has(source(property)) ? [replace(call, source(object))] : []
}

const isBoolean = (node: Node): boolean => typeof node.value === 'boolean'

const isText = (node: Node): boolean => typeof node.value === 'string' || node.type === 'TemplateLiteral'

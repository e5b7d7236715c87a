/**
 * Variables of a space: `.gitbook/vars.yaml`, a flat mapping of names to strings, numbers and booleans.
 *
 * Editing rewrites only the lines of changed variables; comments and all other lines stay as written.
 */
import { isMap, isNode, isScalar, stringify, type Pair } from 'yaml'
import type { Problem } from '../document/types.js'
import { isBoundedYaml, parseYaml, readMapping } from './yaml-text.js'

export type VariableValue = string | number | boolean
export type Variables = Readonly<Record<string, VariableValue>>

export const variableName = /^[A-Za-z][A-Za-z0-9_]*$/
export const maxVariableLength = 256

/** Returns the variables that the file declares; invalid entries are skipped with a problem. Never throws. */
export function parseVariables(text: string): { variables: Variables; problems: readonly Problem[] } {
  const { value, problems } = readMapping(text)
  const variables: [string, VariableValue][] = []
  for (const [name, candidate] of Object.entries(value)) {
    const reason = reasonAgainst(name, candidate)
    if (reason === undefined) variables.push([name, candidate as VariableValue])
    else problems.push({ message: reason, span: { start: 0, end: text.length } })
  }
  return { variables: Object.fromEntries(variables), problems }
}

/** Returns why `value` cannot be the variable `name`, in plain English; undefined when it can. */
export function reasonAgainst(name: string, value: unknown): string | undefined {
  if (!variableName.test(name)) {
    return `${name} is no name of a variable: a letter, then letters, digits and underscores.`
  }
  if (typeof value === 'string') {
    return value.length <= maxVariableLength
      ? undefined
      : `${name} is longer than ${maxVariableLength} characters.`
  }
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return undefined
  return `${name} must be a text, a number or a boolean.`
}

/**
 * Returns `original` edited to declare exactly `variables`: new ones are appended, the lines of missing ones are
 * removed; invalid entries stay. An original that is not a plain block mapping is rewritten. Throws a RangeError for
 * an invalid value.
 */
export function formatVariables(variables: Variables, original = ''): string {
  for (const [name, value] of Object.entries(variables)) {
    const reason = reasonAgainst(name, value)
    if (reason !== undefined) throw new RangeError(reason)
  }
  const newline = original.includes('\r\n') ? '\r\n' : '\n'
  const before = parseVariables(original).variables
  if (!isBoundedYaml(original)) return lines(Object.entries(variables), newline)
  const document = parseYaml(original)
  const editable =
    document.errors.length === 0 &&
    !/^(---|\.\.\.)/m.test(original) &&
    (document.contents === null || (isMap(document.contents) && !document.contents.flow))
  if (!editable) return lines(Object.entries(variables), newline)

  const pairs = isMap(document.contents) ? document.contents.items : []
  let text = original
  for (const pair of pairs.toReversed()) {
    const name = isScalar(pair.key) ? String(pair.key.value) : ''
    const { lineStart, start, end, next } = rangeOf(pair, text)
    if (Object.hasOwn(variables, name)) {
      if (variables[name] === before[name]) continue
      const space = text[start - 1] === ':' ? ' ' : ''
      text = text.slice(0, start) + space + scalar(variables[name]!) + text.slice(end)
    } else if (Object.hasOwn(before, name)) {
      text = text.slice(0, lineStart) + text.slice(next)
    }
  }
  const names = new Set(pairs.map((pair) => (isScalar(pair.key) ? String(pair.key.value) : '')))
  const added = Object.entries(variables).filter(([name]) => !names.has(name))
  if (added.length > 0 && text !== '' && !text.endsWith('\n')) text += newline
  return text + lines(added, newline)
}

/** The span of a pair's value, the start of its first line, and of the line after it. */
function rangeOf(pair: Pair, text: string): { lineStart: number; start: number; end: number; next: number } {
  const keyStart = (isNode(pair.key) && pair.key.range?.[0]) || 0
  const [valueStart, after] = (isNode(pair.value) && pair.value.range) || [keyStart, keyStart]
  // The new value also replaces one that began on a later line.
  const beforeValue = text.slice(keyStart, valueStart)
  const contentEnd = beforeValue.trimEnd().length
  const start = keyStart + (beforeValue.includes('\n', contentEnd) ? contentEnd : beforeValue.length)
  // The range of a block scalar includes its last line end, which is not part of the value here.
  const end = Math.max(start, valueStart + text.slice(valueStart, after).trimEnd().length)
  const lineEnd = text.indexOf('\n', end)
  return {
    lineStart: text.lastIndexOf('\n', keyStart - 1) + 1,
    start,
    end,
    next: lineEnd < 0 ? text.length : lineEnd + 1,
  }
}

function lines(variables: readonly [string, VariableValue][], newline: string): string {
  return variables.map(([name, value]) => `${name}: ${scalar(value)}${newline}`).join('')
}

/** Formats any value on one line. */
function scalar(value: VariableValue): string {
  const plain = stringify(value, { lineWidth: 0 }).trimEnd()
  return typeof value === 'string' && /[\r\n]|^[|>]|^\s|\s$|^$/.test(plain) ? JSON.stringify(value) : plain
}

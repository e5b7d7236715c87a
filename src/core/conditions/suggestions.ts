/** Suggested conditions: one for each value that a claim of the visitor schema may have. */
import { type Json, isObject } from '../json-schema/json.js'
import { maxExpressionLength } from './limits.js'
import type { VisitorSchema } from './visitor-schema.js'

export interface Suggestion {
  readonly description: string
  readonly condition: string
}

/** Most suggestions returned, and deepest nesting of claims that is searched. */
const [maxSuggestions, maxDepth] = [500, 16]

/** Returns the suggestions in the order of the schema: one for each value of booleans and enumerated claims. */
export function suggestConditions({ claims }: VisitorSchema): Suggestion[] {
  const suggestions: Suggestion[] = []
  collect(claims, 'visitor.claims', [], suggestions)
  return suggestions.filter(({ condition }) => condition.length <= maxExpressionLength)
}

function collect(
  properties: Json | undefined,
  object: string,
  names: readonly string[],
  suggestions: Suggestion[],
): void {
  if (!isObject(properties) || names.length > maxDepth) return
  for (const [name, schema] of Object.entries(properties)) {
    if (!isObject(schema)) continue
    const claim = object + memberOf(name)
    const path = [...names, name]
    const label = schema['description'] ?? path.join('.')
    const add = (value: string, condition: string) => {
      if (suggestions.length < maxSuggestions)
        suggestions.push({ description: `${String(label)}: ${value}`, condition })
    }
    const { type, enum: values, items } = schema
    if (type === 'boolean') add('true', `${claim} === true`)
    else if (type === 'object') collect(schema['properties'], claim, path, suggestions)
    else if (type === 'array' && isObject(items)) {
      for (const value of wordsOf(items['enum'])) add(`has ${value}`, `${claim}.includes(${quoted(value)})`)
    } else for (const value of wordsOf(values)) add(value, `${claim} === ${quoted(value)}`)
  }
}

function wordsOf(values: Json | undefined): string[] {
  return Array.isArray(values) ? values.filter((value): value is string => typeof value === 'string') : []
}

/** As a string literal of the expression language. */
function quoted(value: string): string {
  return JSON.stringify(value)
}

function memberOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${quoted(name)}]`
}

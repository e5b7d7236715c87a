/** Conditions that the claims of a visitor schema suggest: one for each thing that may be said of a visitor. */
import { type Json, isObject } from '../json-schema/json.js'
import { maxExpressionLength } from './parse.js'
import type { VisitorSchema } from './visitor-schema.js'

export interface Suggestion {
  readonly description: string
  readonly condition: string
}

/** Suggestions that are made, and claims in one another that are looked into. */
const [mostSuggestions, deepest] = [500, 16]

/** Returns the suggestions in the order of the schema: of claims with a value of a few, of their values. */
export function suggestConditions({ claims }: VisitorSchema): Suggestion[] {
  const found: Suggestion[] = []
  collect(claims, 'visitor.claims', [], found)
  return found.filter(({ condition }) => condition.length <= maxExpressionLength)
}

function collect(
  properties: Json | undefined,
  object: string,
  names: readonly string[],
  found: Suggestion[],
): void {
  if (!isObject(properties) || names.length > deepest) return
  for (const [name, schema] of Object.entries(properties)) {
    if (!isObject(schema)) continue
    const claim = object + memberOf(name)
    const path = [...names, name]
    const called = schema['description'] ?? path.join('.')
    const add = (said: string, condition: string) => {
      if (found.length < mostSuggestions) found.push({ description: `${String(called)}: ${said}`, condition })
    }
    const { type, enum: values, items } = schema
    if (type === 'boolean') add('true', `${claim} === true`)
    else if (type === 'object') collect(schema['properties'], claim, path, found)
    else if (type === 'array' && isObject(items)) {
      for (const value of wordsOf(items['enum'])) add(`has ${value}`, `${claim}.includes(${written(value)})`)
    } else for (const value of wordsOf(values)) add(value, `${claim} === ${written(value)}`)
  }
}

function wordsOf(values: Json | undefined): string[] {
  return Array.isArray(values) ? values.filter((value): value is string => typeof value === 'string') : []
}

/** As an expression reads it. */
function written(value: string): string {
  return JSON.stringify(value)
}

function memberOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${written(name)}]`
}

/** JSON values and their canonical text, for equality. */
import type { Budget } from '../budget.js'

export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a text that is the same for two values exactly when they are equal, whatever the order of their members. */
export function canonicalText(value: Json, budget: Budget): string {
  budget.spend('steps', typeof value === 'string' ? 1 + Math.ceil(value.length / 100) : 1)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonicalText(item, budget)).join()}]`
  const members = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)}:${canonicalText(item, budget)}`,
  )
  return `{${members.toSorted().join()}}`
}

/**
 * Kinds of what is kept: each has a name, and says what a value weighs and what it follows from. A kind is declared
 * once, beside what makes its values, and the compiler knows by it what is found under it.
 */
import type { Concern } from '../db/affected-tables.js'

/** Named by a hash or a revision: what its name means never changes. */
export interface Kind<in out Value> {
  /** What its keys begin with. */
  readonly prefix: string
  /** Bytes of memory, about. */
  weigh(value: Value): number
}

/** Rows that can change; a value follows from what is committed of these. */
export interface RowKind<in out Value> extends Kind<Value> {
  concerns(value: Value): readonly Concern[]
}

export interface AnyKind {
  readonly prefix: string
}

/** Values under names of one kind. */
export interface Place<Value> {
  get(key: string): Value | undefined
  /** `weight` in bytes. What is there already stays: a name means one value. */
  set(key: string, value: Value, weight: number): void
}

/** Bytes that an entry costs beside its value and its key. */
export const entryWeight = 300

/** A row with its columns, decoded. */
const rowWeight = 1_500

const names = new Set<string>()

/** `weigh` may be left out where whoever keeps a value says its weight. */
export function kindOf<Value>(name: string, weigh: (value: Value) => number = () => 0): Kind<Value> {
  return { prefix: prefixOf(name), weigh }
}

export function rowKind<Value>(
  name: string,
  concerns: (value: Value) => readonly Concern[],
  weigh: (value: Value) => number = () => rowWeight,
): RowKind<Value> {
  return { prefix: prefixOf(name), concerns, weigh }
}

/** Two kinds of one name would take each other's values for their own. */
function prefixOf(name: string): string {
  if (names.has(name)) throw new Error(`There are two kinds of kept values named "${name}"`)
  names.add(name)
  return `${name} `
}

/** Keeps nothing: for work that reads everything once. */
export function keepNothing<Value>(): Place<Value> {
  return { get: () => undefined, set: () => {} }
}

/** Serialization of database errors between threads, where they would lose their class. */
import { DatabaseDamaged, DatabaseUnavailable, StorageFull } from './unavailable.js'

const kinds = { DatabaseDamaged, DatabaseUnavailable, StorageFull }

export interface SerializedError {
  /** Absent for bugs. */
  readonly kind?: keyof typeof kinds
  readonly message: string
  readonly stack?: string | undefined
}

export function serializeError(error: unknown): SerializedError {
  const { message, stack, cause } = error instanceof Error ? error : new Error(String(error))
  const kind = (Object.keys(kinds) as (keyof typeof kinds)[]).find((name) => error instanceof kinds[name])
  return kind === undefined ? { message, stack } : { kind, message: String((cause as Error).message) }
}

export function deserializeError({ kind, message, stack }: SerializedError): Error {
  if (kind !== undefined) return new kinds[kind](new Error(message))
  return Object.assign(new Error(message), { stack })
}

/** Errors of the database on their way out of a thread, which would lose what they are. */
import { DatabaseDamaged, DatabaseUnavailable, StorageFull } from './unavailable.js'

const kinds = { DatabaseDamaged, DatabaseUnavailable, StorageFull }

export interface PackedError {
  /** Absent for mistakes of the program. */
  readonly kind?: keyof typeof kinds
  readonly message: string
  readonly stack?: string | undefined
}

export function packError(error: unknown): PackedError {
  const { message, stack, cause } = error instanceof Error ? error : new Error(String(error))
  const kind = (Object.keys(kinds) as (keyof typeof kinds)[]).find((name) => error instanceof kinds[name])
  return kind === undefined ? { message, stack } : { kind, message: String((cause as Error).message) }
}

export function unpackError({ kind, message, stack }: PackedError): Error {
  if (kind !== undefined) return new kinds[kind](new Error(message))
  return Object.assign(new Error(message), { stack })
}

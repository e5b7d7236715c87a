/** Messages of errors that are no bugs, and that whoever runs the server can do something about: they need no stack. */
import {
  DatabaseDamaged,
  DatabaseUnavailable,
  IncompatibleSchema,
  OutcomeUnknown,
  StorageFull,
} from '../store/db/unavailable.js'

const kinds = [DatabaseDamaged, DatabaseUnavailable, IncompatibleSchema, OutcomeUnknown, StorageFull]

/** Returns a sentence, or undefined for any other error. */
export function operatorMessage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { message } = error
  if (kinds.some((kind) => error instanceof kind)) return message
  return isDiskFull(error) ? `There is no room left on the disk: ${message}` : undefined
}

/** Whether the file system, or the database before it was opened, had no space left. */
export function isDiskFull(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT' || /database or disk is full/.test(message ?? '')
}

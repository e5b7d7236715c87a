/**
 * Errors of a database that is unavailable, full, damaged, or of another version.
 *
 * Both engines throw these, so that callers can tell a lost connection from a bug. None has a `code`: they are not
 * retried automatically.
 */

/** The database is not reachable. Nothing was changed. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The database cannot be asked: ${messageOf(cause)}`, { cause })
  }
}

/** The connection was lost between a commit and its confirmation: whether it happened is known only by reading again. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super(`The database was lost while it committed: ${messageOf(cause)}`, { cause })
  }
}

/** The disk of the database is full. Nothing was changed. */
export class StorageFull extends Error {
  constructor(cause: unknown) {
    super(`There is no room left for the database: ${messageOf(cause)}`, { cause })
  }
}

/** The engine's files are corrupt. */
export class DatabaseDamaged extends Error {
  constructor(cause: unknown) {
    super(`The database is damaged: ${messageOf(cause)}`, { cause })
  }
}

/** The schema is not one that this program can use; the message says what to do. */
export class IncompatibleSchema extends Error {}

function messageOf(cause: unknown): string {
  // Several addresses that refuse a connection come as one error without a message.
  const first = cause instanceof AggregateError ? (cause.errors[0] as unknown) : cause
  return first instanceof Error ? first.message : String(first)
}

/**
 * What a database says when it cannot do its work for reasons that lie outside of what was asked.
 *
 * Both engines answer with these, so that everybody above tells a lost connection from a mistake of the program.
 * None of them has a `code`: nothing here is tried again by itself.
 */

/** The database cannot be asked at the moment. Nothing was changed. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The database cannot be asked: ${messageOf(cause)}`, { cause })
  }
}

/** The connection was lost between a commit and its answer: only who reads again knows whether it happened. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super(`The database was lost while it committed: ${messageOf(cause)}`, { cause })
  }
}

/** There is no room left where the database is kept. Nothing was changed. */
export class StorageFull extends Error {
  constructor(cause: unknown) {
    super(`There is no room left for the database: ${messageOf(cause)}`, { cause })
  }
}

/** The engine's own files are not what it wrote. */
export class DatabaseDamaged extends Error {
  constructor(cause: unknown) {
    super(`The database is damaged: ${messageOf(cause)}`, { cause })
  }
}

function messageOf(cause: unknown): string {
  // Several addresses that refuse one connection come as one error without words of its own.
  const first = cause instanceof AggregateError ? (cause.errors[0] as unknown) : cause
  return first instanceof Error ? first.message : String(first)
}

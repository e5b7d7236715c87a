/**
 * Removes rows whose time is over, a few hundred in a transaction, so that nobody waits for it.
 *
 * Each kind says when its rows are over; the index on that column finds them. Two processes may do it at once.
 */
import { sql } from 'kysely'
import { acrossOrganizations } from '../db/cross-tenant.js'
import type { Database, Tx } from '../db/database.js'
import { nothing } from '../db/hold.js'
import type { Milliseconds } from '../db/columns.js'
import type { Tables } from '../db/tables.js'

const day = 24 * 60 * 60 * 1000
const rowsPerStep = 500

/** How long is kept what nobody needs any more, in milliseconds. */
export const kept = {
  /** After they expire or are used up: long enough to see in the data why one did not open. */
  signInLinks: day,
  sessions: 0,
  /** After they expire or are revoked: their owner sees the expired ones in the list. */
  tokens: 90 * day,
  knownDevices: 0,
  samlRequests: 0,
  jobsGivenUp: 90 * day,
  importRuns: 30 * day,
  /** An import that broke off goes on with them; objects that nothing names are kept for a week. */
  importFetches: day,
  /** For who comes back to what they had open; the last of each stream is kept, which counts on. */
  events: 7 * day,
  webhookDeliveries: 30 * day,
} as const

interface Kind {
  /** For people and figures. */
  readonly name: string
  /** Deletes at most `limit` rows and answers how many. */
  remove(tx: Tx, now: Milliseconds, limit: number): Promise<number>
}

/** A column of a table, with the time after which a row is over; times and names are of this file alone. */
function kind(
  name: string,
  table: keyof Tables,
  keys: readonly string[],
  column: string,
  keptFor: Milliseconds,
  only = 'true',
): Kind {
  return {
    name,
    async remove(tx, now, limit) {
      const [rows, at] = [sql.table(table), sql.ref(column)]
      const id = sql.join(keys.map((key) => sql.ref(key)))
      const over = sql<boolean>`(${id}) in (
        select ${id} from ${rows} where ${at} < ${now - keptFor} and ${sql.raw(only)} order by ${at} limit ${limit}
      )`
      const all = acrossOrganizations(tx, 'time ends for all alike')
      const { numDeletedRows } = await all.deleteFrom(table).where(over).executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

const isNotLast = `exists (
  select 1 from events as later
  where later.organization_id = events.organization_id and later.stream = events.stream and later.number > events.number
)`

/** Answers every kind of row that grows old; `auditLife` is a setting. */
function kindsOf(auditLife: Milliseconds): readonly Kind[] {
  return [
    kind('sign-in links', 'sign_in_links', ['token_hash'], 'expires_at', kept.signInLinks),
    kind('sessions', 'sessions', ['id'], 'expires_at', kept.sessions),
    kind('tokens', 'api_tokens', ['id'], 'expires_at', kept.tokens, 'expires_at is not null'),
    kind('tokens', 'api_tokens', ['id'], 'revoked_at', kept.tokens, 'revoked_at is not null'),
    kind('attempts', 'attempts', ['key'], 'expire', 0),
    kind('known devices', 'known_devices', ['token_hash'], 'expires_at', kept.knownDevices),
    kind('SAML requests', 'saml_requests', ['organization_id', 'id'], 'expires_at', kept.samlRequests),
    kind(
      'SAML assertions',
      'saml_assertions',
      ['organization_id', 'provider_id', 'assertion_id'],
      'expires_at',
      kept.samlRequests,
    ),
    kind('audit entries', 'audit_events', ['organization_id', 'id'], 'at', auditLife),
    kind('imports', 'import_runs', ['organization_id', 'id'], 'began_at', kept.importRuns),
    kind(
      'fetched pages of imports',
      'import_fetches',
      ['organization_id', 'run_id', 'name'],
      'fetched_at',
      kept.importFetches,
    ),
    kind('events', 'events', ['organization_id', 'stream', 'number'], 'at', kept.events, isNotLast),
    kind(
      'deliveries to webhooks',
      'webhook_deliveries',
      ['organization_id', 'id'],
      'done_at',
      kept.webhookDeliveries,
      'done_at is not null',
    ),
    kind('PDFs', 'pdfs', ['organization_id', 'space_id', 'key'], 'expires_at', 0),
    kind('jobs given up', 'jobs', ['id'], 'created_at', kept.jobsGivenUp, 'due_at is null'),
  ]
}

/** Removes all rows whose time is over and answers how many of each kind, in short transactions. */
export async function removeExpired(
  database: Database,
  { now, auditLife, signal }: { now: Milliseconds; auditLife: Milliseconds; signal: AbortSignal },
): Promise<ReadonlyMap<string, number>> {
  const removed = new Map<string, number>()
  for (const { name, remove } of kindsOf(auditLife)) {
    for (let count = rowsPerStep; count === rowsPerStep;) {
      signal.throwIfAborted()
      count = await database.writeHolding(nothing, (tx) => remove(tx, now, rowsPerStep))
      if (count > 0) removed.set(name, (removed.get(name) ?? 0) + count)
    }
  }
  return removed
}

/**
 * Retention: deletes expired rows, a few hundred per transaction, so that it does not delay other writers.
 *
 * Each kind has a column by which its rows expire, with an index. Two processes may run it concurrently.
 */
import { sql } from 'kysely'
import { acrossOrganizations } from '../db/cross-tenant.js'
import type { Database, Tx } from '../db/database.js'
import { noLocks } from '../db/lock-scope.js'
import type { Milliseconds } from '../db/columns.js'
import type { Tables } from '../db/tables.js'

const day = 24 * 60 * 60 * 1000
const rowsPerStep = 500

/** Retention of rows that are not needed any more, in milliseconds. */
export const retention = {
  /** After they expire or are used: long enough to see in the data why one did not work. */
  signInLinks: day,
  sessions: 0,
  /** After they expire or are revoked: expired ones are in the list of their owner. */
  tokens: 90 * day,
  knownDevices: 0,
  samlRequests: 0,
  jobsGivenUp: 90 * day,
  importRuns: 30 * day,
  /** An interrupted import resumes with them; unreferenced objects are retained for a week. */
  importFetches: day,
  inboxEntries: 180 * day,
  /** For clients that reconnect; the last one of each stream stays, because numbering continues from it. */
  events: 7 * day,
  webhookDeliveries: 30 * day,
  /** How long an editor may be away and come back with what it had, or ask again what was answered. */
  textEdits: day,
} as const

interface ExpiringRows {
  /** For logs and metrics. */
  readonly name: string
  /** Deletes at most `limit` rows and returns their number. */
  remove(tx: Tx, now: Milliseconds, limit: number): Promise<number>
}

/** A column of a table, with the time after which a row expires; all arguments are constants of this file. */
function expiringRows(
  name: string,
  table: keyof Tables,
  keys: readonly string[],
  column: string,
  retainedFor: Milliseconds,
  only = 'true',
): ExpiringRows {
  return {
    name,
    async remove(tx, now, limit) {
      const [rows, at] = [sql.table(table), sql.ref(column)]
      const id = sql.join(keys.map((key) => sql.ref(key)))
      const isExpired = sql<boolean>`(${id}) in (
        select ${id} from ${rows} where ${at} < ${now - retainedFor} and ${sql.raw(only)} order by ${at} limit ${limit}
      )`
      const all = acrossOrganizations(tx, 'retention of all organizations')
      const { numDeletedRows } = await all.deleteFrom(table).where(isExpired).executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

const isNotLast = `exists (
  select 1 from events as later
  where later.organization_id = events.organization_id and later.stream = events.stream and later.number > events.number
)`

/** Returns every kind of row that expires; `auditLife` is a setting. */
function listExpiringRows(auditLife: Milliseconds): readonly ExpiringRows[] {
  return [
    expiringRows('sign-in links', 'sign_in_links', ['token_hash'], 'expires_at', retention.signInLinks),
    expiringRows('sessions', 'sessions', ['id'], 'expires_at', retention.sessions),
    expiringRows('tokens', 'api_tokens', ['id'], 'expires_at', retention.tokens, 'expires_at is not null'),
    expiringRows('tokens', 'api_tokens', ['id'], 'revoked_at', retention.tokens, 'revoked_at is not null'),
    expiringRows('attempts', 'attempts', ['key'], 'expire', 0),
    expiringRows('known devices', 'known_devices', ['token_hash'], 'expires_at', retention.knownDevices),
    expiringRows(
      'SAML requests',
      'saml_requests',
      ['organization_id', 'id'],
      'expires_at',
      retention.samlRequests,
    ),
    expiringRows(
      'SAML assertions',
      'saml_assertions',
      ['organization_id', 'provider_id', 'assertion_id'],
      'expires_at',
      retention.samlRequests,
    ),
    expiringRows('audit entries', 'audit_events', ['organization_id', 'id'], 'at', auditLife),
    expiringRows('imports', 'import_runs', ['organization_id', 'id'], 'began_at', retention.importRuns),
    expiringRows(
      'fetched pages of imports',
      'import_fetches',
      ['organization_id', 'run_id', 'name'],
      'fetched_at',
      retention.importFetches,
    ),
    expiringRows(
      'inbox entries',
      'inbox_entries',
      ['organization_id', 'user_id', 'id'],
      'at',
      retention.inboxEntries,
    ),
    expiringRows(
      'events',
      'events',
      ['organization_id', 'stream', 'number'],
      'at',
      retention.events,
      isNotLast,
    ),
    expiringRows(
      'deliveries to webhooks',
      'webhook_deliveries',
      ['organization_id', 'id'],
      'done_at',
      retention.webhookDeliveries,
      'done_at is not null',
    ),
    expiringRows(
      'edits of texts',
      'text_edits',
      ['organization_id', 'space_id', 'line', 'number'],
      'created_at',
      retention.textEdits,
    ),
    expiringRows('PDFs', 'pdfs', ['organization_id', 'space_id', 'key'], 'expires_at', 0),
    expiringRows('jobs given up', 'jobs', ['id'], 'created_at', retention.jobsGivenUp, 'due_at is null'),
  ]
}

/** Deletes all expired rows in short transactions, and returns the number of each kind. */
export async function removeExpired(
  database: Database,
  { now, auditLife, signal }: { now: Milliseconds; auditLife: Milliseconds; signal: AbortSignal },
): Promise<ReadonlyMap<string, number>> {
  const removed = new Map<string, number>()
  for (const { name, remove } of listExpiringRows(auditLife)) {
    for (let count = rowsPerStep; count === rowsPerStep;) {
      signal.throwIfAborted()
      count = await database.writeInBulk(noLocks, (tx) => remove(tx, now, rowsPerStep))
      if (count > 0) removed.set(name, (removed.get(name) ?? 0) + count)
    }
  }
  return removed
}

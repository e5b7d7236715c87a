/**
 * The audit log: who did what to which resource, when, and from where; written in the transaction of the change.
 *
 * An entry names resources by id and holds nothing of a request body, which may be secret. Entries of API operations
 * are written by `route/audit-operation.ts`, entries about a user's own account by `signin/personal-audit.ts`. Reading
 * the log is a resource.
 */
import type { OrganizationId, UserId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import { prepared } from '../../store/db/prepared.js'
import type { NewRow } from '../../store/db/tables.js'
import { newId } from '../ids.js'

/** Where a request comes from, for the audit log and the lists of sessions. */
export interface Origin {
  readonly ip: string | null
  readonly userAgent: string | null
}

export interface AuditEntry {
  readonly action: string
  readonly resourceId: string | null
  readonly origin: Origin
  readonly now: number
  readonly actorId?: UserId | null
  /** Path parameters by name. */
  readonly params?: Readonly<Record<string, string>>
  /** One plain sentence or word, never a secret. */
  readonly detail?: string
  readonly credential?: { readonly type: 'token' | 'session'; readonly id: string }
}

const longestDetail = 500

/** Writes an entry into the log of each of the organizations. */
export async function recordAudit(
  tx: Tx,
  organizationIds: readonly OrganizationId[],
  entry: AuditEntry,
): Promise<void> {
  const { params = {}, credential, origin } = entry
  const row = {
    at: entry.now,
    actor_id: entry.actorId ?? null,
    action: entry.action,
    thing: entry.resourceId,
    place: JSON.stringify(params),
    detail: entry.detail?.slice(0, longestDetail) ?? null,
    credential_type: credential?.type ?? null,
    credential_id: credential?.id ?? null,
    ip: origin.ip,
    user_agent: origin.userAgent?.slice(0, longestDetail) ?? null,
  }
  for (const organizationId of organizationIds)
    await insertEntry(tx, { ...row, id: newId(), organization_id: organizationId })
}

const insertEntry = prepared<NewRow<'audit_events'>>()((db, row) =>
  db.insertInto('audit_events').values({
    id: row.id,
    organization_id: row.organization_id,
    at: row.at,
    actor_id: row.actor_id,
    action: row.action,
    thing: row.thing,
    place: row.place,
    detail: row.detail,
    credential_type: row.credential_type,
    credential_id: row.credential_id,
    ip: row.ip,
    user_agent: row.user_agent,
  }),
)

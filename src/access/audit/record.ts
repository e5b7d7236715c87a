/**
 * The audit log: who did what to which thing, when, and from where; written in the transaction of the act.
 *
 * An entry names things by id and holds nothing of a body: what was written there may be secret. What an operation
 * of the API did is put into words by `route/act.ts`, what somebody did as a person by `signin/act.ts`. Reading the
 * log is a resource.
 */
import type { OrganizationId, UserId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import { newId } from '../ids.js'

/** Where a request comes from, for the audit log and the lists of sessions. */
export interface Origin {
  readonly ip: string | null
  readonly userAgent: string | null
}

export interface AuditEntry {
  readonly action: string
  readonly thing: string | null
  readonly origin: Origin
  readonly now: number
  readonly actorId?: UserId | null
  /** Path parameters by name. */
  readonly place?: Readonly<Record<string, string>>
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
  if (organizationIds.length === 0) return
  await tx
    .insertInto('audit_events')
    .values(
      organizationIds.map((organizationId) => ({
        id: newId(),
        organization_id: organizationId,
        at: entry.now,
        actor_id: entry.actorId ?? null,
        action: entry.action,
        thing: entry.thing,
        place: JSON.stringify(entry.place ?? {}),
        detail: entry.detail?.slice(0, longestDetail) ?? null,
        credential_type: entry.credential?.type ?? null,
        credential_id: entry.credential?.id ?? null,
        ip: entry.origin.ip,
        user_agent: entry.origin.userAgent?.slice(0, longestDetail) ?? null,
      })),
    )
    .execute()
}

/**
 * The audit log: who did what to which resource, when, and from where; written in the transaction of the change.
 *
 * An entry names resources by id and holds nothing of a request body, which may be secret. Entries of API operations
 * are written by `route/audit-operation.ts`, entries about a user's own account by `signin/personal-audit.ts`. Reading
 * the log is a resource.
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
        thing: entry.resourceId,
        place: JSON.stringify(entry.params ?? {}),
        detail: entry.detail?.slice(0, longestDetail) ?? null,
        credential_type: entry.credential?.type ?? null,
        credential_id: entry.credential?.id ?? null,
        ip: entry.origin.ip,
        user_agent: entry.origin.userAgent?.slice(0, longestDetail) ?? null,
      })),
    )
    .execute()
}

/** Wire format of an audit log entry. */
import type { AuditEvent } from '../../contract/audit.js'
import type { AuditRow } from './store.js'

export function presentAuditEvent(row: AuditRow): AuditEvent {
  return {
    object: 'audit-event',
    id: row.id,
    at: new Date(row.at).toISOString(),
    action: row.action,
    ...(row.actor_id !== null && {
      actor: { id: row.actor_id, ...(row.actor_name !== null && { displayName: row.actor_name }) },
    }),
    ...(row.thing !== null && { thing: row.thing }),
    place: JSON.parse(row.place) as Record<string, string>,
    ...(row.detail !== null && { detail: row.detail }),
    ...(row.credential_type !== null &&
      row.credential_id !== null && {
        credential: { type: row.credential_type as 'token' | 'session', id: row.credential_id },
      }),
    ...(row.ip !== null && { ip: row.ip }),
    ...(row.user_agent !== null && { userAgent: row.user_agent }),
  }
}

/** Wire format of a session, for its owner. */
import type { Session } from '../../contract/sessions.js'
import type { SessionRow } from './store.js'

export function presentSession(row: SessionRow, currentId: string): Session {
  return {
    object: 'session',
    id: row.id,
    createdAt: new Date(row.created_at).toISOString(),
    expiresAt: new Date(row.expires_at).toISOString(),
    lastSeenAt: new Date(row.last_seen_at).toISOString(),
    openedBy: row.opened_by as Session['openedBy'],
    current: row.id === currentId,
    ...(row.ip !== null && { ip: row.ip }),
    ...(row.user_agent !== null && { userAgent: row.user_agent }),
    ...(row.organization_id !== null && { organization: row.organization_id }),
  }
}

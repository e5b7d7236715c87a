/** The audit log of an organization, for its admins. */
import { type Route, route } from '../../access/route/route.js'
import { type AuditEvent, listAuditEvents } from '../../contract/audit.js'
import { inOrganization } from '../organizations/scope.js'
import { type AuditRow, listAudit } from './store.js'

export const auditRoutes: readonly Route[] = [
  route(listAuditEvents, {
    at: inOrganization,
    allow: 'administer',
    handle: async ({ db, organization, query }) => {
      const { actor, action, thing, from, to } = query
      const filter = { actor, action, thing, from: toMilliseconds(from), to: toMilliseconds(to) }
      const list = await listAudit(db, organization.row.id, filter, query)
      return { ...list, items: list.items.map(present) }
    },
  }),
]

const toMilliseconds = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time))

function present(row: AuditRow): AuditEvent {
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

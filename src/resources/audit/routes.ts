/** Route of the audit log of an organization, for its admins. */
import { type Route, route } from '../../access/route/route.js'
import { listAuditEvents } from '../../contract/audit.js'
import { inOrganization } from '../organizations/scope.js'
import { presentAuditEvent } from './present.js'
import { listAudit } from './store.js'

export const auditRoutes: readonly Route[] = [
  route(listAuditEvents, {
    at: inOrganization,
    allow: 'administer',
    handle: async ({ db, organization, query }) => {
      const { actor, action, thing, from, to } = query
      const filter = { actor, action, thing, from: toMilliseconds(from), to: toMilliseconds(to) }
      const list = await listAudit(db, organization.row.id, filter, query)
      return { ...list, items: list.items.map(presentAuditEvent) }
    },
  }),
]

const toMilliseconds = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time))

/** Reading the audit log; it is written in access/audit. */
import type { OrganizationId, UserId } from '../../core/ids.js'
import type { Db } from '../../store/db/database.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { Row } from '../../store/db/tables.js'

export type AuditRow = Row<'audit_events'> & { readonly actor_name: string | null }

export interface AuditFilter {
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly thing?: string | undefined
  /** Milliseconds since 1970; `from` is included, `to` is not. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** Lists the entries of an organization that match all filters, newest first. */
export function listAudit(
  db: Db,
  organizationId: OrganizationId,
  filter: AuditFilter,
  list: PageRequest,
): Promise<ListPage<AuditRow>> {
  const { actor, action, thing, from, to } = filter
  let query = db
    .selectFrom('audit_events')
    .leftJoin('users', 'users.id', 'audit_events.actor_id')
    .leftJoin('members', (join) =>
      join
        .onRef('members.user_id', '=', 'audit_events.actor_id')
        .on('members.organization_id', '=', organizationId),
    )
    .leftJoin('former_names', (join) =>
      join
        .onRef('former_names.user_id', '=', 'audit_events.actor_id')
        .on('former_names.organization_id', '=', organizationId),
    )
    .selectAll('audit_events')
    .select(({ fn }) =>
      fn.coalesce('members.known_as', 'former_names.known_as', 'users.display_name').as('actor_name'),
    )
    .where('audit_events.organization_id', '=', organizationId)
  if (actor !== undefined) query = query.where('audit_events.actor_id', '=', actor as UserId)
  if (action !== undefined) query = query.where('audit_events.action', '=', action)
  if (thing !== undefined) query = query.where('audit_events.thing', '=', thing)
  if (from !== undefined) query = query.where('audit_events.at', '>=', from)
  if (to !== undefined) query = query.where('audit_events.at', '<', to)
  return listPage(db, query, {
    ...list,
    order: [{ column: 'audit_events.at', type: 'integer', direction: 'desc' }],
    id: 'audit_events.id',
  })
}

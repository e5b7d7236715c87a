/** The step `/orgs/:organizationId`. */
import type { OrganizationId } from '../../core/ids.js'
import { type OrganizationAction, type Reader, judgeInOrganization } from '../../access/rules/levels.js'
import { place, recall, signedIn } from '../../access/route/scope.js'
import type { Actor } from '../../access/signin/actor.js'
import type { Role } from '../../contract/shapes.js'
import { memoryPerDatabase } from '../../store/db/memory.js'
import { type OrganizationOf, findOrganizationOf } from './store.js'

const known = memoryPerDatabase<OrganizationOf>(10_000)

export const inOrganization = place(signedIn, 'organizationId', {
  key: 'organization',
  thing: 'organization',
  find: (request, id) =>
    recall(request, known, `${request.actor.userId} ${id}`, (db) =>
      findOrganizationOf(db, request.actor.userId, id as OrganizationId),
    ),
  judge: (action: OrganizationAction, { organization }) => judgeInOrganization(organization.role, action),
  seen: 'visit',
})

/** Returns the one who asks, as the list filters want to know them. */
export function readerOf(
  actor: Pick<Actor, 'userId'>,
  { row, role }: OrganizationOf,
): Reader & { role: Role | null } {
  return { userId: actor.userId, organizationId: row.id, role }
}

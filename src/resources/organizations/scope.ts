/** The step `/orgs/:organizationId`. */
import type { OrganizationId } from '../../core/ids.js'
import { type OrganizationAction, judgeInOrganization } from '../../access/rules/levels.js'
import { place, recall, signedIn } from '../../access/route/scope.js'
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

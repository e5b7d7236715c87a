/** Organizations. */
import { createOrganization, getOrganization, listOrganizations } from '../../contract/organizations.js'
import { type Route, route } from '../../access/route/route.js'
import { signedIn } from '../../access/route/scope.js'
import { createOrganization as create } from './create.js'
import { presentOrganization } from './present.js'
import { inOrganization } from './scope.js'
import { listOrganizationsOf } from './store.js'

export const organizationRoutes: readonly Route[] = [
  route(listOrganizations, {
    at: signedIn,
    allow: 'ask',
    handle: async ({ db, actor, query, services }) => {
      const list = await listOrganizationsOf(db, actor, query)
      return { ...list, items: list.items.map((item) => presentOrganization(services.addresses, item)) }
    },
  }),

  route(createOrganization, {
    at: signedIn,
    allow: 'ask',
    handle: async ({ tx, actor, body, now, services }) =>
      presentOrganization(services.addresses, await create(tx, actor.userId, body, now)),
  }),

  route(getOrganization, {
    at: inOrganization,
    allow: 'visit',
    handle: async ({ organization, services }) => presentOrganization(services.addresses, organization),
  }),
]

/** Routes of organizations. */
import { isEmailVerified } from '../../access/signin/verified-email.js'
import * as operations from '../../contract/organizations.js'
import { type Route, route } from '../../access/route/route.js'
import { signedIn } from '../../access/route/scope.js'
import { isInReach, isInvited } from '../../access/signin/credential-scope.js'
import { domainOfEmail } from '../../core/email.js'
import { createOrganization } from './create.js'
import { presentOrganization, presentToOutsider } from './present.js'
import { atEmailDomain, atSubdomain, inOrganization } from './scope.js'
import { listOrganizationsOf, listOrganizationsOfDomain } from './store.js'
import { changeOrganization } from './update.js'

export const organizationRoutes: readonly Route[] = [
  route(operations.listOrganizations, {
    at: signedIn,
    allow: 'ask',
    handle: async ({ db, actor, query, services }) => {
      const list = await listOrganizationsOf(db, actor, query)
      return { ...list, items: list.items.map((item) => presentOrganization(services.addresses, item)) }
    },
  }),

  route(operations.createOrganization, {
    at: signedIn,
    allow: 'ask',
    handle: async ({ tx, actor, body, now, services }) =>
      presentOrganization(services.addresses, await createOrganization(tx, actor.userId, body, now)),
  }),

  route(operations.getOrganization, {
    at: inOrganization,
    allow: 'visit',
    handle: async ({ organization, services }) => presentOrganization(services.addresses, organization),
  }),

  route(operations.updateOrganization, {
    at: inOrganization,
    allow: 'administer',
    handle: async ({ tx, organization, body, now, services }) => {
      const row = await changeOrganization(tx, organization.row, body, now)
      return presentOrganization(services.addresses, { ...organization, row })
    },
  }),

  route(operations.getOrganizationsForEmailDomain, {
    at: atEmailDomain,
    allow: 'ask',
    handle: async ({ db, actor, emailDomain, services }) => {
      const found = await listOrganizationsOfDomain(db, actor.userId, emailDomain)
      const isOwnDomain =
        domainOfEmail(actor.user.email ?? '') === emailDomain && (await isEmailVerified(db, actor.userId))
      const organizations = found
        .filter(({ row, role }) => isInReach(actor, row.id) && (isOwnDomain || role !== undefined))
        .map(({ row, role }) =>
          role === undefined || isInvited(actor, row.id)
            ? presentToOutsider(services.addresses, row, emailDomain)
            : presentOrganization(services.addresses, { row, role, ownsTeam: false }),
        )
      return { organizations }
    },
  }),

  route(operations.getSubdomain, {
    at: atSubdomain,
    allow: 'ask',
    handle: async ({ organization: { row } }) => ({
      object: 'subdomain' as const,
      subdomain: row.hostname,
      target: { type: 'organization' as const, organization: row.id },
      isActive: true,
    }),
  }),
]

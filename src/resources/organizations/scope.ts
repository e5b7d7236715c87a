/** The step `/orgs/:organizationId`. */
import { foldLatin } from '../../core/email.js'
import type { OrganizationId } from '../../core/ids.js'
import { type OrganizationAction, type Reader, judgeInOrganization } from '../../access/rules/levels.js'
import { place, recall, signedIn, within } from '../../access/route/scope.js'
import type { Actor } from '../../access/signin/actor.js'
import type { Role } from '../../contract/shapes.js'
import { rowKind } from '../../store/cache/kinds.js'
import { type OrganizationOf, findOrganizationByHostname, findOrganizationOf } from './store.js'

const organizationKind = rowKind<OrganizationOf>('organization', ({ row }) => [row.id])

export const inOrganization = place(signedIn, 'organizationId', {
  key: 'organization',
  thing: 'organization',
  find: (request, id) =>
    recall(request, organizationKind, `${request.actor.userId} ${id}`, (db) =>
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

/** The step `/subdomains/:subdomain`: the organization of a hostname, for those who belong to it. */
export const atSubdomain = within(signedIn, 'subdomain', {
  key: 'organization',
  thing: 'subdomain',
  find: ({ db, actor }, hostname) => findOrganizationByHostname(db, actor.userId, hostname),
})

export const atEmailDomain = within(signedIn, 'emailDomain', {
  key: 'emailDomain',
  thing: 'e-mail domain',
  find: async (_request, domain) => (domain.includes('.') ? foldLatin(domain) : undefined),
})

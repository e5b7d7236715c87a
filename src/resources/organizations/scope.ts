/** The step `/orgs/:organizationId`. */
import { foldLatin } from '../../core/email.js'
import type { OrganizationId } from '../../core/ids.js'
import { type OrganizationAction, type Reader, judgeInOrganization } from '../../access/rules/levels.js'
import { place, recall, signedIn, within } from '../../access/route/scope.js'
import type { Actor } from '../../access/signin/actor.js'
import type { Role } from '../../contract/shapes.js'
import { rowKind } from '../../store/cache/kinds.js'
import type { Db } from '../../store/db/database.js'
import {
  type OrganizationOf,
  findOrganization,
  findOrganizationByHostname,
  findOrganizationOf,
} from './store.js'

const organizationKind = rowKind<OrganizationOf>('organization', ({ row }) => [row.id])

export const inOrganization = place(signedIn, 'organizationId', {
  key: 'organization',
  thing: 'organization',
  find: (request, id) => {
    const { userId, reading } = request.actor
    if (reading !== undefined && reading.organizationId !== id) return Promise.resolve(undefined)
    return recall(request, organizationKind, `${userId} ${id}`, (db) =>
      reading === undefined
        ? findOrganizationOf(db, userId, id as OrganizationId)
        : findOrganizationAsGuest(db, id as OrganizationId),
    )
  },
  judge: (action: OrganizationAction, { organization }) => judgeInOrganization(organization.role, action),
  seen: 'visit',
})

/** Returns the one who asks, as the list filters want to know them. */
export function readerOf(
  { userId, reading }: Pick<Actor, 'userId' | 'reading'>,
  { row, role }: OrganizationOf,
): Reader & { role: Role | null } {
  return { userId, organizationId: row.id, role, shown: reading?.spaces }
}

/** The organization for somebody who is nobody there: what they are shown is said by what they came with. */
async function findOrganizationAsGuest(db: Db, id: OrganizationId): Promise<OrganizationOf | undefined> {
  const row = await findOrganization(db, id)
  return row && { row, role: null, ownsTeam: false }
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

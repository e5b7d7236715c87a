/** Route scope `/orgs/:organizationId`. */
import { foldLatin } from '../../core/email.js'
import type { OrganizationId } from '../../core/ids.js'
import { type OrganizationAction, type Reader, authorizeInOrganization } from '../../access/rules/levels.js'
import { resourceScope, readThrough, signedIn, subresourceScope } from '../../access/route/scope.js'
import type { Actor } from '../../access/signin/actor.js'
import type { Role } from '../../contract/shapes.js'
import { rowCacheKind } from '../../store/cache/kinds.js'
import type { Db } from '../../store/db/database.js'
import {
  type OrganizationContext,
  findOrganization,
  findOrganizationByHostname,
  findOrganizationOf,
} from './store.js'

const organizationKind = rowCacheKind<OrganizationContext>('organization', ({ row }) => [row.id])

export const inOrganization = resourceScope(signedIn, 'organizationId', {
  key: 'organization',
  noun: 'organization',
  find: (request, id) => {
    const { userId, reading } = request.actor
    if (reading !== undefined && reading.organizationId !== id) return Promise.resolve(undefined)
    return readThrough(request, organizationKind, `${userId} ${id}`, (db) =>
      reading === undefined
        ? findOrganizationOf(db, userId, id as OrganizationId)
        : findOrganizationAsGuest(db, id as OrganizationId),
    )
  },
  organizationOf: ({ row }) => row.id,
  authorize: (action: OrganizationAction, { organization }) =>
    authorizeInOrganization(organization.role, action),
  visibleIf: 'visit',
})

/** Returns the caller as a reader, for list filters. */
export function readerOf(
  { userId, reading }: Pick<Actor, 'userId' | 'reading'>,
  { row, role }: OrganizationContext,
): Reader & { role: Role | null } {
  return { userId, organizationId: row.id, role, visibleSpaces: reading?.spaces }
}

/** The organization for a site visitor without membership, whose access follows from their credential. */
async function findOrganizationAsGuest(db: Db, id: OrganizationId): Promise<OrganizationContext | undefined> {
  const row = await findOrganization(db, id)
  return row && { row, role: null, ownsTeam: false }
}

/** Route scope `/subdomains/:subdomain`: the organization of a hostname, for its members. */
export const atSubdomain = subresourceScope(signedIn, 'subdomain', {
  key: 'organization',
  noun: 'subdomain',
  find: ({ db, actor }, hostname) => findOrganizationByHostname(db, actor.userId, hostname),
  organizationOf: ({ row }) => row.id,
})

export const atEmailDomain = subresourceScope(signedIn, 'emailDomain', {
  key: 'emailDomain',
  noun: 'e-mail domain',
  find: async (_request, domain) => (domain.includes('.') ? foldLatin(domain) : undefined),
})

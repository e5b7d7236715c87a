/**
 * The steps to an invite link: for those who manage it, and for those who hold it. To hold the id of a link is the
 * right to join by it, so nobody else is told of one.
 */
import type { InviteId, OrganizationId } from '../../core/ids.js'
import { type Verdict, reaches } from '../../access/rules/levels.js'
import { type LoadRequest, type Scope, perhaps, place, signedIn, within } from '../../access/route/scope.js'
import { inOrganization } from '../organizations/scope.js'
import { type OrganizationOf, findOrganization, findOrganizationOf } from '../organizations/store.js'
import { type InviteRow, findInvitation, findInvite } from './store.js'
import { type InviteTarget, findTarget } from './target.js'

export interface InviteHere {
  readonly row: InviteRow
  readonly target: InviteTarget
}

/** Links to the organization are its admins', links to content are those' who administer it. */
export function manages({ kind, level }: InviteTarget): boolean {
  return reaches(level, kind === 'organization' ? 'admin' : 'create')
}

interface Things {
  readonly organization: OrganizationOf
  readonly invite: InviteHere | undefined
}

const step = {
  key: 'invite',
  thing: 'invite',
  async find(
    { db, actor }: LoadRequest,
    id: string,
    { organization }: Pick<Things, 'organization'>,
  ): Promise<InviteHere | undefined> {
    const row = await findInvite(db, organization.row.id, id as InviteId)
    const target = row && (await findTarget(db, actor, organization, row))
    return row && target && { row, target }
  },
  // Only admins are told that a link is gone: to others it looks like one that they may not know of.
  judge: (_action: 'manage', { organization, invite }: Things): Verdict =>
    (invite === undefined ? organization.role === 'admin' : manages(invite.target)) ? 'yes' : 'hidden',
  seen: 'manage',
} as const

export const inLinkInvite = place(inOrganization, 'inviteId', step)

/** The same for revoking a link, which may be gone already. */
export const atLinkInvite = perhaps(inOrganization, 'inviteId', step)

/** An organization as somebody comes to it who wants to join, from outside. */
export const atOrganization = within({ ...signedIn, isOutside: true }, 'organizationId', {
  key: 'organization',
  thing: 'organization',
  find: ({ db }, id) => findOrganization(db, id as OrganizationId),
})

/** An invite as whoever holds the link comes to it. */
export const atInvitation = within(atOrganization, 'inviteId', {
  key: 'invite',
  thing: 'invite',
  async find({ db, actor }, id, { organization }): Promise<InviteHere | undefined> {
    if (organization.invite_links === 0) return undefined
    const row = await findInvite(db, organization.id, id as InviteId)
    const own = await findOrganizationOf(db, actor.userId, organization.id)
    const target = row && (await findTarget(db, actor, { row: organization, role: own?.role ?? null }, row))
    return row && target && { row, target }
  },
})

/** What one was invited to: for the person, and not for what opens one organization alone. */
export const asInvited: Scope<never, object, 'ask'> = { ...signedIn, takesWholeReach: true }

/** An invitation by mail, as the person who got it answers it. */
export const atOwnInvitation = within({ ...asInvited, isOutside: true }, 'organizationId', {
  key: 'invitation',
  thing: 'invitation',
  find: ({ db, actor }, id) => findInvitation(db, actor.userId, id as OrganizationId),
})

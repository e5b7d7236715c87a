/**
 * The steps to an invite link: for those who manage it, and for those who hold it. To hold the id of a link is the
 * right to join by it, so nobody else is told of one.
 */
import type { InviteId, OrganizationId } from '../../core/ids.js'
import { reaches } from '../../access/rules/levels.js'
import { type LoadRequest, type Scope, place, signedIn } from '../../access/route/scope.js'
import { ApiError } from '../../contract/errors.js'
import { inOrganization } from '../organizations/scope.js'
import { type OrganizationRow, findOrganization, findOrganizationOf } from '../organizations/store.js'
import { type InvitationRow, type InviteRow, findInvitation, findInvite } from './store.js'
import { type InviteTarget, findTarget } from './target.js'

export interface InviteHere {
  readonly row: InviteRow
  readonly target: InviteTarget
}

/** Links to the organization are its admins', links to content are those' who administer it. */
export function manages({ kind, level }: InviteTarget): boolean {
  return reaches(level, kind === 'organization' ? 'admin' : 'create')
}

export const inLinkInvite = place(inOrganization, 'inviteId', {
  key: 'invite',
  thing: 'invite',
  find: async ({ db, actor }, id, { organization }) => {
    const row = await findInvite(db, organization.row.id, id as InviteId)
    const target = row && (await findTarget(db, actor, organization, row))
    return row && target && { row, target }
  },
  judge: (_action: 'manage', { invite }) => (manages(invite.target) ? 'yes' : 'hidden'),
  seen: 'manage',
})

/** An invite as whoever holds the link comes to it: from outside of the organization. */
export const atInvitation: Scope<
  'organizationId' | 'inviteId',
  { organization: OrganizationRow; invite: InviteHere },
  'join'
> = {
  params: ['organizationId', 'inviteId'],
  anonymous: false,
  isOutside: true,
  async load({ db, actor }: LoadRequest, params) {
    const organization = await findOrganization(db, params.organizationId as OrganizationId)
    const row = organization && (await findInvite(db, organization.id, params.inviteId as InviteId))
    const own = organization && (await findOrganizationOf(db, actor.userId, organization.id))
    const target = row && (await findTarget(db, actor, { row: organization, role: own?.role ?? null }, row))
    if (target === undefined || organization!.invite_links === 0) {
      throw new ApiError('not_found', { thing: 'invite' })
    }
    return { organization: organization!, invite: { row: row!, target } }
  },
  judge: () => ({ verdict: 'yes', thing: 'invite' }),
}

/** What one was invited to: for the person, and not for what opens one organization alone. */
export const asInvited: Scope<never, object, 'ask'> = { ...signedIn, takesWholeReach: true }

/** An invitation by mail, as the person who got it answers it. */
export const atOwnInvitation: Scope<'organizationId', { invitation: InvitationRow }, 'ask'> = {
  ...asInvited,
  params: ['organizationId'],
  isOutside: true,
  async load({ db, actor }: LoadRequest, { organizationId }) {
    const invitation = await findInvitation(db, actor.userId, organizationId as OrganizationId)
    if (invitation === undefined) throw new ApiError('not_found', { thing: 'invitation' })
    return { invitation }
  },
}

/** An organization as somebody comes to it who wants to join. */
export const atOrganization: Scope<'organizationId', { organization: OrganizationRow }, 'join'> = {
  params: ['organizationId'],
  anonymous: signedIn.anonymous,
  isOutside: true,
  async load({ db }: LoadRequest, params) {
    const organization = await findOrganization(db, params.organizationId as OrganizationId)
    if (organization === undefined) throw new ApiError('not_found', { thing: 'organization' })
    return { organization }
  },
  judge: () => ({ verdict: 'yes', thing: 'organization' }),
}

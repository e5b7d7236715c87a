/**
 * Route scopes of invite links: for those who manage them, and for those who use them. The id is a bearer capability to
 * join, so links are hidden from everyone else.
 */
import type { InviteId, OrganizationId } from '../../core/ids.js'
import { type Verdict, reaches } from '../../access/rules/levels.js'
import {
  type LoadRequest,
  type Scope,
  optionalResourceScope,
  resourceScope,
  signedIn,
  subresourceScope,
} from '../../access/route/scope.js'
import { inOrganization } from '../organizations/scope.js'
import { type OrganizationContext, findOrganization, findOrganizationOf } from '../organizations/store.js'
import { type InviteRow, findInvitation, findInvite } from './store.js'
import { type InviteTarget, findInviteTarget } from './target.js'

export interface InviteContext {
  readonly row: InviteRow
  readonly target: InviteTarget
}

/** Links to the organization are managed by its admins, links to content by those who administer it. */
export function canManageInvite({ kind, level }: InviteTarget): boolean {
  return reaches(level, kind === 'organization' ? 'admin' : 'create')
}

interface InviteResources {
  readonly organization: OrganizationContext
  readonly invite: InviteContext | undefined
}

const step = {
  key: 'invite',
  noun: 'invite',
  async find(
    { db, actor }: LoadRequest,
    id: string,
    { organization }: Pick<InviteResources, 'organization'>,
  ): Promise<InviteContext | undefined> {
    const row = await findInvite(db, organization.row.id, id as InviteId)
    const target = row && (await findInviteTarget(db, actor, organization, row))
    return row && target && { row, target }
  },
  // Only admins may learn that a link is gone: others get the same 404 as for a hidden one.
  authorize: (_action: 'manage', { organization, invite }: InviteResources): Verdict =>
    (invite === undefined ? organization.role === 'admin' : canManageInvite(invite.target))
      ? 'yes'
      : 'hidden',
  visibleIf: 'manage',
} as const

export const inLinkInvite = resourceScope(inOrganization, 'inviteId', step)

/** The same for idempotent revocation. */
export const atLinkInvite = optionalResourceScope(inOrganization, 'inviteId', step)

/** An organization for a non-member who wants to join. */
export const atOrganization = subresourceScope({ ...signedIn, allowsInvited: true }, 'organizationId', {
  key: 'organization',
  noun: 'organization',
  find: ({ db }, id) => findOrganization(db, id as OrganizationId),
  organizationOf: ({ id }) => id,
})

/** An invite for the user who opens the link. */
export const atInvitation = subresourceScope(atOrganization, 'inviteId', {
  key: 'invite',
  noun: 'invite',
  async find({ db, actor }, id, { organization }): Promise<InviteContext | undefined> {
    if (organization.invite_links === 0) return undefined
    const row = await findInvite(db, organization.id, id as InviteId)
    const own = await findOrganizationOf(db, actor.userId, organization.id)
    const target =
      row && (await findInviteTarget(db, actor, { row: organization, role: own?.role ?? null }, row))
    return row && target && { row, target }
  },
})

/** The actor's invitations; not for credentials limited to one organization. */
export const asInvited: Scope<never, object, 'ask'> = { ...signedIn, requiresAllOrganizations: true }

/** An invitation of the actor, to accept or decline. */
export const atOwnInvitation = subresourceScope({ ...asInvited, allowsInvited: true }, 'organizationId', {
  key: 'invitation',
  noun: 'invitation',
  find: ({ db, actor }, id) => findInvitation(db, actor.userId, id as OrganizationId),
  organizationOf: ({ organization_id }) => organization_id,
})

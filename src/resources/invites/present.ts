/** Wire format of invite links, for those who manage them, and of invitations, for the invited user. */
import { type Level, reaches } from '../../access/rules/levels.js'
import type { Collection } from '../../contract/collections.js'
import type { Invitation, LinkInvite, OrganizationInvite } from '../../contract/invites.js'
import type { Role } from '../../contract/shapes.js'
import type { Space } from '../../contract/spaces.js'
import type { InvitationRow, InviteRow } from './store.js'

export function presentOrganizationInvite({ id, role }: InviteRow, level: Level): OrganizationInvite {
  return { object: 'invite', id, role: role as Role | null, redundant: isRedundant(role, level) }
}

export function presentInvitation({
  organization_id: id,
  title,
  role,
  invited_at,
}: InvitationRow): Invitation {
  return {
    object: 'invitation',
    organization: { id, title },
    role: role as Role | null,
    invitedAt: new Date(invited_at).toISOString(),
  }
}

/** An invite to content, with the space or collection. */
export function presentContentInvite(
  { id, role }: InviteRow,
  level: Level,
  target: { readonly space: Space } | { readonly collection: Collection },
): LinkInvite {
  return {
    object: 'invite',
    id,
    level: role as Role | null,
    redundant: isRedundant(role, level),
    ...target,
  }
}

/** True when the link grants nothing beyond this level. */
function isRedundant(role: string | null, level: Level): boolean {
  return role === null || reaches(level, role as Role)
}

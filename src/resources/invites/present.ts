/** An invite link on the wire, as one of those who manage it sees it; and an invitation, as whoever got it sees it. */
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

/** An invite to content, with the thing that it leads to. */
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

/** True when somebody of this level gets nothing by the link. */
function isRedundant(role: string | null, level: Level): boolean {
  return role === null || reaches(level, role as Role)
}

/** Wire format of invite links, for those who manage them, and of invitations, for the invited user. */
import { type Level, reaches } from '../../access/rules/levels.js'
import type { Addresses } from '../../contract/addresses.js'
import type { Collection } from '../../contract/collections.js'
import type { Invitation, LinkInvite, OrganizationInvite } from '../../contract/invites.js'
import type { Role } from '../../contract/shapes.js'
import type { Space } from '../../contract/spaces.js'
import type { InvitationRow, InviteRow } from './store.js'

export function presentOrganizationInvite(
  addresses: Addresses,
  row: InviteRow,
  level: Level,
): OrganizationInvite {
  const { id, role } = row
  const urls = urlsOf(addresses, row)
  return { object: 'invite', id, role: role as Role | null, redundant: isRedundant(role, level), urls }
}

function urlsOf(addresses: Addresses, { organization_id: organization, id }: InviteRow) {
  return {
    app: addresses.app(`/~octavo/join/${organization}/${id}`),
    location: addresses.api(`/orgs/${organization}/link-invites/${id}`),
  }
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
  addresses: Addresses,
  row: InviteRow,
  level: Level,
  target: { readonly space: Space } | { readonly collection: Collection },
): LinkInvite {
  const { id, role } = row
  return {
    object: 'invite',
    id,
    urls: urlsOf(addresses, row),
    level: role as Role | null,
    redundant: isRedundant(role, level),
    ...target,
  }
}

/** True when the link grants nothing beyond this level. */
function isRedundant(role: string | null, level: Level): boolean {
  return role === null || reaches(level, role as Role)
}

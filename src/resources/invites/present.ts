/** An invite link on the wire, as one of those who manage it sees it; and an invitation, as whoever got it sees it. */
import { type Level, reaches } from '../../access/rules/levels.js'
import type { Addresses } from '../../contract/addresses.js'
import type { Invitation, LinkInvite, OrganizationInvite } from '../../contract/invites.js'
import type { Role } from '../../contract/shapes.js'
import type { Db } from '../../store/db/database.js'
import { presentCollection } from '../collections/present.js'
import { presentSpace } from '../spaces/present.js'
import { loadSurroundings } from '../spaces/store.js'
import type { InviteHere } from './scope.js'
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

export async function presentInvite(
  db: Db,
  addresses: Addresses,
  { row, target }: InviteHere,
): Promise<LinkInvite> {
  if (target.kind === 'organization') return presentOrganizationInvite(row, target.level)
  const common = {
    object: 'invite' as const,
    id: row.id,
    level: row.role as Role | null,
    redundant: isRedundant(row.role, target.level),
  }
  if (target.kind === 'collection') {
    return { ...common, collection: presentCollection(addresses, target.collection.row, target.level) }
  }
  const surroundings = await loadSurroundings(db, target.space.row.organization_id, [target.id])
  const space = presentSpace(addresses, target.space.row, target.level, surroundings.get(target.id)!)
  return { ...common, space }
}

/** True when somebody of this level gets nothing by the link. */
function isRedundant(role: string | null, level: Level): boolean {
  return role === null || reaches(level, role as Role)
}

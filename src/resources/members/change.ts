/** Changing roles and ending memberships. An organization always has at least one admin. */
import { removeGrantsOf, removeInvitesBy } from '../../access/rules/grants.js'
import { endCredentialsIn, endHandedOut } from '../../access/signin/credentials.js'
import { ApiError } from '../../contract/errors.js'
import type { Role } from '../../contract/shapes.js'
import type { Tx } from '../../store/db/database.js'
import { type MemberRow, deleteMember, hasOtherAdmin, updateMemberRow } from './store.js'

export async function changeRole(tx: Tx, member: MemberRow, role: Role | null): Promise<void> {
  if (role !== 'admin') {
    await requireOtherAdmin(tx, member)
    if (member.role === 'admin') await revokeIssued(tx, member)
  }
  await updateMemberRow(tx, member, { role })
}

/** Ends a membership, with the member's grants, credentials for the organization, and what was issued by them. */
export async function endMembership(tx: Tx, member: MemberRow): Promise<void> {
  await requireOtherAdmin(tx, member)
  const { organization_id: organizationId, user_id: userId } = member
  await removeGrantsOf(tx, organizationId, userId)
  await endCredentialsIn(tx, userId, organizationId)
  await revokeIssued(tx, member)
  await deleteMember(tx, member)
}

/** Revokes sign-in links that were issued to the member for others, and invite links that they created. */
async function revokeIssued(
  tx: Tx,
  { organization_id: organizationId, user_id: userId }: MemberRow,
): Promise<void> {
  await endHandedOut(tx, userId, organizationId)
  await removeInvitesBy(tx, organizationId, userId)
}

async function requireOtherAdmin(tx: Tx, member: MemberRow): Promise<void> {
  if (member.role !== 'admin' || member.accepted_at === null) return
  if (!(await hasOtherAdmin(tx, member))) throw new ApiError('last_admin')
}

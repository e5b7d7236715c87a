/** Changing the role of a member, and ending a membership. An organization keeps at least one admin. */
import { removeGrantsOf } from '../../access/rules/grants.js'
import { ApiError } from '../../contract/errors.js'
import type { Role } from '../../contract/shapes.js'
import type { Tx } from '../../store/db/database.js'
import { lockOrganization } from '../organizations/store.js'
import { type MemberRow, deleteMember, hasOtherAdmin, updateMemberRow } from './store.js'

export async function changeRole(tx: Tx, member: MemberRow, role: Role | null): Promise<void> {
  if (role !== 'admin') await requireOtherAdmin(tx, member)
  await updateMemberRow(tx, member, { role })
}

/** Ends a membership, with everything that was shared with this person by name. */
export async function endMembership(tx: Tx, member: MemberRow): Promise<void> {
  await requireOtherAdmin(tx, member)
  await removeGrantsOf(tx, member.organization_id, member.user_id)
  await deleteMember(tx, member)
}

async function requireOtherAdmin(tx: Tx, member: MemberRow): Promise<void> {
  if (member.role !== 'admin') return
  // Two admins who remove each other at the same moment wait here for one another.
  await lockOrganization(tx, member.organization_id)
  if (!(await hasOtherAdmin(tx, member))) throw new ApiError('last_admin')
}

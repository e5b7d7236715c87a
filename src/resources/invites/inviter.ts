/** Authority of an invite link: it grants only what its creator may grant at the time of joining. */
import { requireGrantableOn } from '../../access/rules/grant-limits.js'
import { ApiError } from '../../contract/errors.js'
import type { Role } from '../../contract/shapes.js'
import type { Tx } from '../../store/db/database.js'
import { readerOf } from '../organizations/scope.js'
import { findOrganizationOf } from '../organizations/store.js'
import { canManageInvite } from './scope.js'
import type { InviteRow } from './store.js'
import { findInviteTarget } from './target.js'

/** Throws 404, as for an unknown link, when the inviter could not create it any more. */
export async function requireInviterAuthority(tx: Tx, row: InviteRow): Promise<void> {
  const inviter = { userId: row.created_by }
  const organization = await findOrganizationOf(tx, inviter.userId, row.organization_id)
  const target = organization && (await findInviteTarget(tx, inviter, organization, row))
  const notFound = new ApiError('not_found', { thing: 'invite' })
  if (organization === undefined || target === undefined || !canManageInvite(target)) throw notFound
  try {
    await requireGrantableOn(tx, readerOf(inviter, organization), target, row.role as Role | null)
  } catch (error) {
    throw error instanceof ApiError ? notFound : error
  }
}

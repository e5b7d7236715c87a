/** Who stands behind a link: it gives what they may give now, and nothing once they may not. */
import { requireGivableOn } from '../../access/rules/grant-limits.js'
import { ApiError } from '../../contract/errors.js'
import type { Role } from '../../contract/shapes.js'
import type { Tx } from '../../store/db/database.js'
import { readerOf } from '../organizations/scope.js'
import { findOrganizationOf } from '../organizations/store.js'
import { manages } from './scope.js'
import type { InviteRow } from './store.js'
import { findTarget } from './target.js'

/** Throws, as for a link that is not there, when whoever stands behind it could not make it any more. */
export async function requireStillGiven(tx: Tx, row: InviteRow): Promise<void> {
  const giver = { userId: row.created_by }
  const organization = await findOrganizationOf(tx, giver.userId, row.organization_id)
  const target = organization && (await findTarget(tx, giver, organization, row))
  const gone = new ApiError('not_found', { thing: 'invite' })
  if (organization === undefined || target === undefined || !manages(target)) throw gone
  try {
    await requireGivableOn(tx, readerOf(giver, organization), target, row.role as Role | null)
  } catch (error) {
    throw error instanceof ApiError ? gone : error
  }
}

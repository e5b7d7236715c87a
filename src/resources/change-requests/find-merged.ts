/** The change request that a revision was merged from, for those who read revisions of a space. */
import type { FindMerged } from '../content/revision.js'
import { showChangeRequests } from './show.js'
import { type ChangeRequestRow, findChangeRequest } from './store.js'

export const findMerged: FindMerged = async (
  { organizationId, spaceId },
  id,
  { db, services: { addresses } },
) => {
  const row = await findChangeRequest(db, { organization_id: organizationId, id: spaceId }, id)
  if (row === undefined) return undefined
  // What is merged is outdated by nothing, whatever head it is compared with.
  const headOf = (one: ChangeRequestRow) => one.revision_id
  const [shown] = await showChangeRequests(db, [row], { addresses, headOf })
  return shown
}

/** The change requests that revisions were merged from, for those who read revisions of a space. */
import type { FindMerged } from '../content/revision-list.js'
import { showChangeRequests } from './show.js'
import { type ChangeRequestRow, findChangeRequestsById } from './store.js'

export const findMerged: FindMerged = async (
  { organizationId, spaceId },
  ids,
  { db, services: { addresses } },
) => {
  const rows = await findChangeRequestsById(db, { organization_id: organizationId, id: spaceId }, ids)
  // What is merged is outdated by nothing, whatever head it is compared with.
  const headOf = (one: ChangeRequestRow) => one.revision_id
  const shown = await showChangeRequests(db, rows, { addresses, headOf })
  return new Map(rows.map(({ id }, at) => [id, shown[at]!]))
}

/** Loads and presents the change requests that revisions of a space were merged from. */
import type { FindMergedChangeRequests } from '../content/revision-list.js'
import { showChangeRequests } from './show.js'
import { type ChangeRequestRow, findChangeRequestsById } from './store.js'

export const findMergedChangeRequests: FindMergedChangeRequests = async (
  { organizationId, spaceId },
  ids,
  { db, services: { addresses } },
) => {
  const rows = await findChangeRequestsById(db, { organization_id: organizationId, id: spaceId }, ids)
  // A merged change request is never outdated, so any head does.
  const headOf = (one: ChangeRequestRow) => one.revision_id
  const presented = await showChangeRequests(db, rows, { addresses, headOf })
  return new Map(rows.map(({ id }, at) => [id, presented[at]!]))
}

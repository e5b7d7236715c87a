/** Presents change requests with the users they name. */
import type { ChangeRequest } from '../../contract/change-requests.js'
import type { Db } from '../../store/db/database.js'
import { findPeopleOf } from '../users/store.js'
import { type ChangeRequestRelations, presentChangeRequest } from './present.js'
import type { ChangeRequestRow } from './store.js'

/** Returns change requests of one organization; users are loaded in one query. */
export async function showChangeRequests(
  db: Db,
  rows: readonly ChangeRequestRow[],
  { addresses, headOf, levelOf }: Omit<ChangeRequestRelations, 'users'>,
): Promise<ChangeRequest[]> {
  const [first] = rows
  if (first === undefined) return []
  const userIds = rows.flatMap((row) => [row.created_by, ...(row.merged_by === null ? [] : [row.merged_by])])
  const users = await findPeopleOf(db, first.organization_id, userIds)
  return rows.map((row) => presentChangeRequest(row, { addresses, headOf, users, levelOf }))
}

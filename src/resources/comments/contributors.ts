/** Contributors of a change request: users who edited it or commented on it. */
import type { Addresses } from '../../contract/addresses.js'
import type { Contributor } from '../../contract/change-requests.js'
import type { Db } from '../../store/db/database.js'
import { type ChangeRequestRow, listEditors } from '../change-requests/store.js'
import { presentUser } from '../users/present.js'
import { findPeopleOf } from '../users/store.js'
import { listCommentAuthors } from './store.js'

/** Returns the contributors with their kind of action, most recent first. */
export async function showContributors(
  db: Db,
  addresses: Addresses,
  changeRequest: ChangeRequestRow,
): Promise<Contributor[]> {
  const writers = (await listEditors(db, changeRequest)).map((row) => ({
    ...row,
    actionType: 'edit' as const,
  }))
  const authors = (await listCommentAuthors(db, changeRequest)).map((row) => ({
    ...row,
    actionType: 'comment' as const,
  }))
  const all = [...writers, ...authors].toSorted(
    (a, b) => b.updated_at - a.updated_at || (a.user_id < b.user_id ? -1 : 1),
  )
  const users = await findPeopleOf(
    db,
    changeRequest.organization_id,
    all.map((one) => one.user_id),
  )
  return all.map(({ user_id: id, actionType, count, updated_at: updatedAt }) => ({
    user: presentUser(addresses, users.get(id)!),
    actionType,
    count,
    updatedAt: new Date(updatedAt).toISOString(),
  }))
}

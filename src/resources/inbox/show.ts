/** Responses of inbox entries: loads the people who acted, by the names that each organization may see. */
import { groupBy } from '../../core/group.js'
import type { Addresses } from '../../contract/addresses.js'
import type { InboxEntry } from '../../contract/inbox.js'
import type { Db } from '../../store/db/database.js'
import { findPeopleOf } from '../users/store.js'
import { presentEntry } from './present.js'
import type { InboxEntryRow } from './store.js'

export async function showEntries(
  db: Db,
  addresses: Addresses,
  rows: readonly InboxEntryRow[],
): Promise<InboxEntry[]> {
  const byOrganization = [...groupBy(rows, (row) => row.organization_id)]
  const actors = new Map(
    await Promise.all(
      byOrganization.map(async ([id, some]) => {
        const ids = some.map((row) => row.actor_id)
        return [id, await findPeopleOf(db, id, ids)] as const
      }),
    ),
  )
  return rows.map((row) => presentEntry(addresses, row, actors.get(row.organization_id)?.get(row.actor_id)))
}

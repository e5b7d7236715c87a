/** Responses of members: loads their counts besides the rows. */
import type { Reader } from '../../access/rules/levels.js'
import type { Addresses } from '../../contract/addresses.js'
import type { Member } from '../../contract/members.js'
import type { Db } from '../../store/db/database.js'
import { presentMember } from './present.js'
import { type MemberRow, loadMemberCounts } from './store.js'

/** Returns the members of the reader's organization on the wire; their counts take two queries. */
export async function showMembers(
  db: Db,
  addresses: Addresses,
  reader: Reader,
  rows: readonly MemberRow[],
): Promise<Member[]> {
  const ids = rows.map((row) => row.user_id)
  const counts = await loadMemberCounts(db, reader, ids)
  return rows.map((row) => presentMember(addresses, row, counts.get(row.user_id)!))
}

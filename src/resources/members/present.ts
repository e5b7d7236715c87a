/** A member on the wire. */
import type { Reader } from '../../access/rules/levels.js'
import type { Addresses } from '../../contract/addresses.js'
import type { Member } from '../../contract/members.js'
import type { Db } from '../../store/db/database.js'
import { presentUser } from '../users/present.js'
import { type MemberCounts, type MemberRow, loadMemberCounts } from './store.js'

/** Presents members of the reader's organization; what is counted of them is loaded in two queries. */
export async function presentMembers(
  db: Db,
  addresses: Addresses,
  reader: Reader,
  rows: readonly MemberRow[],
): Promise<Member[]> {
  const counts = await loadMemberCounts(
    db,
    reader,
    rows.map((row) => row.user_id),
  )
  return rows.map((row) => presentMember(addresses, row, counts.get(row.user_id)!))
}

function presentMember(addresses: Addresses, row: MemberRow, { spaces, teams }: MemberCounts): Member {
  return {
    object: 'member',
    id: row.user_id,
    role: row.role as Member['role'],
    user: presentUser(addresses, { ...row, id: row.user_id }),
    disabled: row.disabled === 1,
    joinedAt: new Date(row.joined_at).toISOString(),
    ...(row.last_seen_at !== null && { lastSeenAt: new Date(row.last_seen_at).toISOString() }),
    sso: row.sso === 1,
    ...(row.accepted_at === null && { pending: true }),
    spaces,
    teams,
    sites: 0,
  }
}

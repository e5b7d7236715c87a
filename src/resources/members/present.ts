/** Wire format of a member. */
import type { Addresses } from '../../contract/addresses.js'
import type { Member } from '../../contract/members.js'
import { presentUser } from '../users/present.js'
import type { MemberCounts, MemberRow } from './store.js'

export function presentMember(addresses: Addresses, row: MemberRow, { spaces, teams }: MemberCounts): Member {
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

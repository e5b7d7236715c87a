/** A team on the wire. */
import type { Reader } from '../../access/rules/levels.js'
import type { Addresses } from '../../contract/addresses.js'
import type { Team, TeamMember } from '../../contract/teams.js'
import type { Db } from '../../store/db/database.js'
import { presentMembers } from '../members/present.js'
import type { MemberRow } from '../members/store.js'
import { type TeamRow, loadTeamCounts, loadTeamRoles } from './store.js'

/** Presents teams of the reader's organization; counts and the reader's own roles take three queries. */
export async function presentTeams(db: Db, reader: Reader, rows: readonly TeamRow[]): Promise<Team[]> {
  const ids = rows.map(({ id }) => id)
  const counts = await loadTeamCounts(db, reader, ids)
  const ownRoles = await loadTeamRoles(db, reader.organizationId, reader.userId, ids)
  return rows.map((row) => ({
    object: 'team',
    id: row.id,
    title: row.title,
    ...counts.get(row.id)!,
    createdAt: new Date(row.created_at).toISOString(),
    permissions: {
      admin: reader.role === 'admin' || ownRoles.get(row.id) === 'owner',
      view: reader.role !== null,
    },
  }))
}

export async function presentTeamMembers(
  db: Db,
  addresses: Addresses,
  reader: Reader,
  rows: readonly (MemberRow & { readonly team_role: string })[],
): Promise<TeamMember[]> {
  const members = await presentMembers(db, addresses, reader, rows)
  return rows.map((row, at) => ({
    organization: members[at]!,
    team: { role: row.team_role as 'owner' | 'member' },
    permissions: { view: true },
  }))
}

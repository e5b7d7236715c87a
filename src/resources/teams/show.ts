/** Responses of teams and team members: loads counts and roles besides the rows. */
import type { Reader } from '../../access/rules/levels.js'
import type { Addresses } from '../../contract/addresses.js'
import type { Team, TeamMember, TeamRole } from '../../contract/teams.js'
import type { Db } from '../../store/db/database.js'
import { showMembers } from '../members/show.js'
import type { MemberRow } from '../members/store.js'
import { presentTeam, presentTeamMember } from './present.js'
import { type TeamRow, loadTeamCounts, loadTeamRoles } from './store.js'

/** Returns teams of the reader's organization on the wire; counts and the reader's roles take three queries. */
export async function showTeams(db: Db, reader: Reader, rows: readonly TeamRow[]): Promise<Team[]> {
  const ids = rows.map(({ id }) => id)
  const counts = await loadTeamCounts(db, reader, ids)
  const ownRoles = await loadTeamRoles(db, reader.organizationId, reader.userId, ids)
  return rows.map((row) =>
    presentTeam(reader, row, { counts: counts.get(row.id)!, ownRole: ownRoles.get(row.id) }),
  )
}

export async function showTeamMembers(
  db: Db,
  addresses: Addresses,
  reader: Reader,
  rows: readonly (MemberRow & { readonly team_role: string })[],
): Promise<TeamMember[]> {
  const members = await showMembers(db, addresses, reader, rows)
  return rows.map((row, at) => presentTeamMember(members[at]!, row.team_role as TeamRole))
}

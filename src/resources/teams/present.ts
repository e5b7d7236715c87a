/** Wire format of teams and team members. */
import type { Reader } from '../../access/rules/levels.js'
import type { Member } from '../../contract/members.js'
import type { Team, TeamMember, TeamRole } from '../../contract/teams.js'
import type { TeamCounts, TeamRow } from './store.js'

interface TeamDetails {
  readonly counts: TeamCounts
  /** The reader's own role in the team. */
  readonly ownRole: TeamRole | undefined
}

export function presentTeam(reader: Reader, row: TeamRow, { counts, ownRole }: TeamDetails): Team {
  return {
    object: 'team',
    id: row.id,
    title: row.title,
    ...counts,
    createdAt: new Date(row.created_at).toISOString(),
    permissions: { admin: reader.role === 'admin' || ownRole === 'owner', view: reader.role !== null },
  }
}

export function presentTeamMember(organization: Member, role: TeamRole): TeamMember {
  return { organization, team: { role }, permissions: { view: true } }
}

/** The step `/teams/:teamId` of an organization: members see teams, admins and a team's owners manage them. */
import type { TeamId } from '../../core/ids.js'
import { type Verdict, reaches } from '../../access/rules/levels.js'
import { type LoadRequest, naming, perhaps, place } from '../../access/route/scope.js'
import type { TeamRole } from '../../contract/teams.js'
import { inOrganization } from '../organizations/scope.js'
import type { OrganizationOf } from '../organizations/store.js'
import { type TeamRow, findTeam, loadTeamRoles } from './store.js'

/** A team as somebody sees it. */
export interface TeamHere {
  readonly row: TeamRow
  /** Their own role in it. */
  readonly ownRole: TeamRole | undefined
}

/** `manage` is to say who is in the team, `administer` all the rest. */
type TeamAction = 'view' | 'manage' | 'administer'

interface Things {
  readonly organization: OrganizationOf
  readonly team: TeamHere | undefined
}

async function find({ db, actor }: LoadRequest, id: string, { organization }: Pick<Things, 'organization'>) {
  const row = await findTeam(db, organization.row.id, id as TeamId)
  if (row === undefined) return undefined
  const roles = await loadTeamRoles(db, row.organization_id, actor.userId, [row.id])
  return { row, ownRole: roles.get(row.id) }
}

function judge(action: TeamAction, { organization: { role }, team }: Things): Verdict {
  if (role === 'admin') return 'yes'
  if (!reaches(role, 'read')) return 'hidden'
  if (action === 'view' || (action === 'manage' && team?.ownRole === 'owner')) return 'yes'
  return { needs: 'admin' }
}

const step = { key: 'team', thing: 'team', find, judge, seen: 'view' } as const

export const inTeam = place(inOrganization, 'teamId', step)

/** The same for removing a team, which may be gone already. */
export const atTeam = perhaps(inOrganization, 'teamId', step)

/** The step `/members/:userId` of a team, for somebody who is to be added or removed. */
export const inTeamMember = naming(inTeam, 'userId')

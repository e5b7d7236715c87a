/** Route scope `/teams/:teamId` of an organization: members see teams, admins and a team's owners manage them. */
import type { TeamId } from '../../core/ids.js'
import { type Verdict, reaches } from '../../access/rules/levels.js'
import {
  type LoadRequest,
  withParam,
  optionalResourceScope,
  resourceScope,
} from '../../access/route/scope.js'
import type { TeamRole } from '../../contract/teams.js'
import { inOrganization } from '../organizations/scope.js'
import type { OrganizationContext } from '../organizations/store.js'
import { type TeamRow, findTeam, loadTeamRoles } from './store.js'

/** A team with the caller's role in it. */
export interface TeamContext {
  readonly row: TeamRow
  /** The caller's role in the team. */
  readonly ownRole: TeamRole | undefined
}

/** `manage` is to add and remove team members, `administer` everything else. */
type TeamAction = 'view' | 'manage' | 'administer'

interface TeamResources {
  readonly organization: OrganizationContext
  readonly team: TeamContext | undefined
}

async function find(
  { db, actor }: LoadRequest,
  id: string,
  { organization }: Pick<TeamResources, 'organization'>,
) {
  const row = await findTeam(db, organization.row.id, id as TeamId)
  if (row === undefined) return undefined
  const roles = await loadTeamRoles(db, row.organization_id, actor.userId, [row.id])
  return { row, ownRole: roles.get(row.id) }
}

function authorize(action: TeamAction, { organization: { role }, team }: TeamResources): Verdict {
  if (role === 'admin') return 'yes'
  if (!reaches(role, 'read')) return 'hidden'
  if (action === 'view' || (action === 'manage' && team?.ownRole === 'owner')) return 'yes'
  return { needs: 'admin' }
}

const step = { key: 'team', noun: 'team', find, authorize, visibleIf: 'view' } as const

export const inTeam = resourceScope(inOrganization, 'teamId', step)

/** The same for idempotent deletion. */
export const atTeam = optionalResourceScope(inOrganization, 'teamId', step)

/** Route scope `/members/:userId` of a team, for a user to be added or removed. */
export const inTeamMember = withParam(inTeam, 'userId')

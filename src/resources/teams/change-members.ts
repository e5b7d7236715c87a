/** Membership of teams: only members of the organization can be added. */
import type { OrganizationId, TeamId, UserId } from '../../core/ids.js'
import { ApiError } from '../../contract/errors.js'
import type { TeamRole } from '../../contract/teams.js'
import type { Tx } from '../../store/db/database.js'
import { type TeamRow, deleteTeamMembers, findMembersNamed, findTeams, putTeamMembers } from './store.js'

export interface TeamChange {
  /** Ids or e-mail addresses. */
  readonly add?: readonly string[]
  readonly memberships?: Readonly<Record<string, { readonly role: TeamRole }>>
  readonly remove?: readonly string[]
}

/** Adds members, sets roles, and removes members, in this order: removal wins. */
export async function changeTeamMembers(
  tx: Tx,
  team: TeamRow,
  change: TeamChange,
  now: number,
): Promise<void> {
  const { add = [], memberships = {}, remove = [] } = change
  const roles = Object.entries(memberships)
  const added = await getMembers(tx, team.organization_id, add, (at) => `add[${at}]`)
  const withRole = await getMembers(
    tx,
    team.organization_id,
    roles.map(([name]) => name),
    (at) => `memberships.${roles[at]![0]}`,
  )
  const people = [
    ...added.map((userId) => ({ userId })),
    ...roles.map(([, { role }], at) => ({ userId: withRole[at]!, role })),
  ]
  await putTeamMembers(tx, team, people, now)
  const removed = await findMembersNamed(tx, team.organization_id, remove)
  await deleteTeamMembers(tx, team, [...removed.values()])
}

/** Resolves ids or e-mail addresses to members, in order; throws 400 for one that is no member's. */
export async function getMembers(
  tx: Tx,
  organizationId: OrganizationId,
  names: readonly string[],
  memberAt: (at: number) => string,
): Promise<UserId[]> {
  const found = await findMembersNamed(tx, organizationId, names)
  return names.map((name, at) => {
    const id = found.get(name)
    if (id === undefined) throw new ApiError('invalid_reference', { member: memberAt(at), thing: 'a member' })
    return id
  })
}

/** Returns the ids, in order; throws 400 for an id that is no team's. */
export async function getTeams(
  tx: Tx,
  organizationId: OrganizationId,
  ids: readonly string[],
  memberAt: (at: number) => string,
): Promise<TeamId[]> {
  const found = await findTeams(tx, organizationId, ids as TeamId[])
  const existing = new Set<string>(found.map(({ id }) => id))
  const missing = ids.findIndex((id) => !existing.has(id))
  if (missing === -1) return [...ids] as TeamId[]
  throw new ApiError('invalid_reference', { member: memberAt(missing), thing: 'a team' })
}

/** Who is in a team: only members of its organization can be. */
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

/** Adds, gives roles, and removes, in this order: who is to be added and removed is not in the team afterwards. */
export async function changePeople(tx: Tx, team: TeamRow, change: TeamChange, now: number): Promise<void> {
  const { add = [], memberships = {}, remove = [] } = change
  const roles = Object.entries(memberships)
  const added = await getMembers(tx, team.organization_id, add, (at) => `add[${at}]`)
  const ranked = await getMembers(
    tx,
    team.organization_id,
    roles.map(([name]) => name),
    (at) => `memberships.${roles[at]![0]}`,
  )
  const people = [
    ...added.map((userId) => ({ userId })),
    ...roles.map(([, { role }], at) => ({ userId: ranked[at]!, role })),
  ]
  await putTeamMembers(tx, team, people, now)
  const gone = await findMembersNamed(tx, team.organization_id, remove)
  await deleteTeamMembers(tx, team, [...gone.values()])
}

/** Returns the members in the order of their names; throws 400 for a name that is no member's. */
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

/** Returns the teams with these ids, in their order; throws 400 for an id that is no team's. */
export async function getTeams(
  tx: Tx,
  organizationId: OrganizationId,
  ids: readonly string[],
  memberAt: (at: number) => string,
): Promise<TeamId[]> {
  const found = await findTeams(tx, organizationId, ids as TeamId[])
  const known = new Set<string>(found.map(({ id }) => id))
  const wrong = ids.findIndex((id) => !known.has(id))
  if (wrong === -1) return [...ids] as TeamId[]
  throw new ApiError('invalid_reference', { member: memberAt(wrong), thing: 'a team' })
}

/** Giving roles on a space or collection to its organization's people. Nobody gives more than they have. */
import { type Grantee, type Target, grant, removeGrant } from '../../access/rules/grants.js'
import { requireGivableOn } from '../../access/rules/grant-limits.js'
import type { Level, Reader } from '../../access/rules/levels.js'
import type { Role } from '../../contract/shapes.js'
import type { Tx } from '../../store/db/database.js'
import { getMembers, getTeams } from '../teams/people.js'

/** A space or collection on which somebody gives roles. */
export interface TargetHere extends Target {
  /** The giver's own. */
  readonly level: Level
}

/** Gives the role in the place of what they had; null takes that back. */
export async function give(
  tx: Tx,
  { target, reader }: { target: TargetHere; reader: Reader },
  grantees: readonly Grantee[],
  role: Role | null,
  now: number,
): Promise<void> {
  if (role === null) {
    for (const { id } of grantees) await removeGrant(tx, target, id)
    return
  }
  await requireGivableOn(tx, reader, target, role)
  await grant(tx, target, grantees, { role, now })
}

/** Returns users and teams as those to whom something is given; throws 400 for what is not of the organization. */
export async function getGrantees(
  tx: Tx,
  { organizationId }: Target,
  { users = [], teams = [] }: { readonly users?: readonly string[]; readonly teams?: readonly string[] },
): Promise<Grantee[]> {
  const members = await getMembers(tx, organizationId, users, (at) => `users[${at}]`)
  const known = await getTeams(tx, organizationId, teams, (at) => `teams[${at}]`)
  return [
    ...members.map((id) => ({ kind: 'user', id }) as const),
    ...known.map((id) => ({ kind: 'team', id }) as const),
  ]
}

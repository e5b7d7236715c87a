/** Granting and revoking roles on a space or collection. No one can grant more than they have. */
import { type Grantee, type GrantTarget, grant, removeGrant } from '../../access/rules/grants.js'
import { requireGrantableOn } from '../../access/rules/grant-limits.js'
import type { Level, Reader } from '../../access/rules/levels.js'
import type { Role } from '../../contract/shapes.js'
import type { Tx } from '../../store/db/database.js'
import { getMembers, getTeams } from '../teams/change-members.js'

/** A space or collection with the actor's level on it. */
export interface TargetContext extends GrantTarget {
  /** The granter's own level. */
  readonly level: Level
}

/** Sets the role of grantees, replacing a previous one; null revokes it. */
export async function setRole(
  tx: Tx,
  { target, reader }: { target: TargetContext; reader: Reader },
  grantees: readonly Grantee[],
  role: Role | null,
  now: number,
): Promise<void> {
  if (role === null) {
    for (const { id } of grantees) await removeGrant(tx, target, id)
    return
  }
  await requireGrantableOn(tx, reader, target, role)
  await grant(tx, target, grantees, { role, now })
}

/** Returns users and teams as grantees; throws 400 for those outside the organization. */
export async function getGrantees(
  tx: Tx,
  { organizationId }: GrantTarget,
  { users = [], teams = [] }: { readonly users?: readonly string[]; readonly teams?: readonly string[] },
): Promise<Grantee[]> {
  const members = await getMembers(tx, organizationId, users, (at) => `users[${at}]`)
  const known = await getTeams(tx, organizationId, teams, (at) => `teams[${at}]`)
  return [
    ...members.map((id) => ({ kind: 'user', id }) as const),
    ...known.map((id) => ({ kind: 'team', id }) as const),
  ]
}

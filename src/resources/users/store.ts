/** Table of users. */
import { foldEmail } from '../../core/email.js'
import type { OrganizationId, UserId } from '../../core/ids.js'
import type { Actor } from '../../access/signin/actor.js'
import { opensOrganization } from '../../access/signin/credential-scope.js'
import { acrossOrganizations } from '../../store/db/cross-tenant.js'
import type { Db, Tx } from '../../store/db/database.js'
import type { Row, RowUpdate } from '../../store/db/tables.js'

export type UserRow = Row<'users'>

export function findUser(db: Db, id: UserId): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', foldEmail(email)).executeTakeFirst()
}

/** True when the installation has any user. */
export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Returns the users with these ids, by id, with the names that the organization may see. */
export async function findPeopleOf(
  db: Db,
  organizationId: OrganizationId,
  ids: readonly UserId[],
): Promise<Map<UserId, UserRow>> {
  if (ids.length === 0) return new Map()
  const namesIn = (table: 'members' | 'former_names') =>
    db
      .selectFrom(table)
      .select(['user_id', 'known_as'])
      .where('organization_id', '=', organizationId)
      .where('user_id', 'in', ids)
  const [users, invited] = await Promise.all([
    findUsers(db, ids),
    namesIn('members').where('known_as', 'is not', null).unionAll(namesIn('former_names')).execute(),
  ])
  for (const { user_id: id, known_as: knownAs } of invited) {
    const user = users.get(id)
    if (user !== undefined) users.set(id, { ...user, display_name: knownAs!, photo_url: null })
  }
  return users
}

/** Returns the users with these ids, by id. */
export async function findUsers(db: Db, ids: readonly UserId[]): Promise<Map<UserId, UserRow>> {
  const unique = [...new Set(ids)]
  if (unique.length === 0) return new Map()
  const rows = await db.selectFrom('users').selectAll().where('id', 'in', unique).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export async function insertUser(
  tx: Tx,
  user: { id: UserId; displayName: string; email: string | null; now: number },
) {
  await tx
    .insertInto('users')
    .values({
      id: user.id,
      display_name: user.displayName,
      email: user.email === null ? null : foldEmail(user.email),
      photo_url: null,
      password_hash: null,
      created_at: user.now,
      updated_at: user.now,
    })
    .execute()
}

/** Returns all users of the installation, oldest first. */
export function listUsers(db: Db): Promise<UserRow[]> {
  return db.selectFrom('users').selectAll().orderBy('created_at').orderBy('id').execute()
}

/**
 * Returns a user when the actor is that user, or is more than a guest in an organization of theirs. A user known only
 * by invitations has the name from the invitation.
 */
export async function findKnownUser(db: Db, actor: Actor, id: UserId): Promise<UserRow | undefined> {
  const row = await findUser(db, id)
  if (row === undefined) return undefined
  if (id === actor.userId)
    return { ...row, display_name: actor.user.displayName, photo_url: actor.user.photoUrl }
  const shared = await acrossOrganizations(db, 'members of all organizations of a user')
    .selectFrom('members as own')
    .innerJoin('members as theirs', 'theirs.organization_id', 'own.organization_id')
    .select(['own.organization_id as organization_id', 'theirs.known_as as known_as'])
    .where('own.user_id', '=', actor.userId)
    .where('own.disabled', '=', 0)
    .where('own.role', 'is not', null)
    .where('theirs.user_id', '=', id)
    .execute()
  const known = shared.filter(({ organization_id }) => opensOrganization(actor, organization_id))
  if (known.length === 0) return undefined
  if (known.some(({ known_as }) => known_as === null)) return row
  return { ...row, display_name: known[0]!.known_as!, photo_url: null }
}

export function updateUserRow(tx: Tx, id: UserId, change: RowUpdate<'users'>): Promise<UserRow> {
  return tx.updateTable('users').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

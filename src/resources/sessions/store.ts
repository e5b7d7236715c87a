/** Rows of sessions, for their owner, and what ending those of a member takes. */
import type { OrganizationId, UserId } from '../../core/ids.js'
import type { Actor } from '../../access/signin/actor.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { Row } from '../../store/db/tables.js'

export type SessionRow = Omit<Row<'sessions'>, 'token_hash'>

const columns = [
  'id',
  'user_id',
  'created_at',
  'expires_at',
  'last_seen_at',
  'user_agent',
  'ip',
  'opened_by',
  'organization_id',
  'saml_provider_id',
] as const

function sessionsOf(db: Db, { userId, onlyIn }: Actor) {
  const own = db.selectFrom('sessions').select(columns).where('user_id', '=', userId)
  return onlyIn === null ? own : own.where('organization_id', '=', onlyIn)
}

/** Lists the sessions of the actor that have not expired, newest first. */
export function listSessionsOf(
  db: Db,
  actor: Actor,
  now: number,
  list: PageRequest,
): Promise<ListPage<SessionRow>> {
  return listPage(db, sessionsOf(db, actor).where('expires_at', '>', now), {
    ...list,
    order: [{ column: 'sessions.created_at', type: 'integer', direction: 'desc' }],
    id: 'sessions.id',
    bound: `sessions ${actor.userId} ${actor.onlyIn}`,
  })
}

export function findSessionOf(db: Db, actor: Actor, id: string): Promise<SessionRow | undefined> {
  return sessionsOf(db, actor).where('id', '=', id).executeTakeFirst()
}

export async function deleteSession(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('sessions').where('id', '=', id).execute()
}

/** Ends every session of a user that could open the organization, and the links that would. */
export async function endSessionsIn(tx: Tx, userId: UserId, organizationId: OrganizationId): Promise<void> {
  for (const table of ['sessions', 'sign_in_links'] as const) {
    await tx
      .deleteFrom(table)
      .where('user_id', '=', userId)
      .where((where) =>
        where.or([where('organization_id', 'is', null), where('organization_id', '=', organizationId)]),
      )
      .execute()
  }
}

export interface MemberAccount {
  readonly organization_id: OrganizationId
  readonly user_id: UserId
  readonly hasPassword: boolean
  /** How many organizations the person belongs to. */
  readonly organizations: number
}

/** Returns what is known of the account of a member; undefined for somebody else, or disabled ones. */
export async function findMemberAccount(
  db: Db,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<MemberAccount | undefined> {
  const member = await db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select([
      'members.organization_id as organization_id',
      'users.id as user_id',
      'users.password_hash as hash',
    ])
    .where('members.organization_id', '=', organizationId)
    .where('members.user_id', '=', userId)
    .where('members.disabled', '=', 0)
    .executeTakeFirst()
  if (member === undefined) return undefined
  const { count } = await db
    .selectFrom('members')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  const { hash, ...account } = member
  return { ...account, hasPassword: hash !== null, organizations: Number(count) }
}

/** Returns the stored password of a user and the e-mail address that it must not hold. */
export async function findPassword(
  db: Db,
  userId: UserId,
): Promise<{ password_hash: string | null; email: string | null } | undefined> {
  return db.selectFrom('users').select(['password_hash', 'email']).where('id', '=', userId).executeTakeFirst()
}

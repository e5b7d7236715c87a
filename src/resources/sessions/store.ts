/** Rows of sessions, for their owner, and what ending those of a member takes. */
import type { OrganizationId, UserId } from '../../core/ids.js'
import type { Actor } from '../../access/signin/actor.js'
import { endCredentialsIn } from '../../access/signin/credentials.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { Row } from '../../store/db/tables.js'

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

export type SessionRow = Pick<Row<'sessions'>, (typeof columns)[number]>

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
  })
}

export function findSessionOf(db: Db, actor: Actor, id: string): Promise<SessionRow | undefined> {
  return sessionsOf(db, actor).where('id', '=', id).executeTakeFirst()
}

export async function deleteSession(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('sessions').where('id', '=', id).execute()
}

/**
 * Ends what opens the organization for a member: what opens it alone, and where the person has joined it, their
 * sessions and links for everything. Those of somebody who was merely invited are none of its business.
 */
export async function endSessionsIn(
  tx: Tx,
  { user_id: userId, organization_id: organizationId, hasJoined }: MemberAccount,
): Promise<void> {
  await endCredentialsIn(tx, userId, organizationId)
  if (!hasJoined) return
  for (const table of ['sessions', 'sign_in_links'] as const) {
    await tx.deleteFrom(table).where('user_id', '=', userId).where('organization_id', 'is', null).execute()
  }
}

export interface MemberAccount {
  readonly organization_id: OrganizationId
  readonly user_id: UserId
  /** Whether the person has accepted the membership. */
  readonly hasJoined: boolean
}

/** Returns what is known of the account of a member; undefined for somebody else, or disabled ones. */
export async function findMemberAccount(
  db: Db,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<MemberAccount | undefined> {
  const member = await db
    .selectFrom('members')
    .select(['organization_id', 'user_id', 'accepted_at'])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('disabled', '=', 0)
    .executeTakeFirst()
  if (member === undefined) return undefined
  const { accepted_at: acceptedAt, ...account } = member
  return { ...account, hasJoined: acceptedAt !== null }
}

/** Returns the stored password of a user and the e-mail address that it must not hold. */
export async function findPassword(
  db: Db,
  userId: UserId,
): Promise<{ password_hash: string | null; email: string | null } | undefined> {
  return db.selectFrom('users').select(['password_hash', 'email']).where('id', '=', userId).executeTakeFirst()
}

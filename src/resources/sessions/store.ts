/** Table of sessions, for their owner; and ending the sessions of a member. */
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
 * Ends the credentials of a member for the organization: those limited to it, and for one who has accepted also their
 * unrestricted sessions and links. An organization cannot end those of a user who was merely invited.
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
  /** Whether the user has accepted the membership. */
  readonly hasJoined: boolean
}

/** Returns the account of a member; undefined for non-members and disabled members. */
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

/** Returns the password hash of a user, and the e-mail address that a password must not contain. */
export async function findPassword(
  db: Db,
  userId: UserId,
): Promise<{ password_hash: string | null; email: string | null } | undefined> {
  return db.selectFrom('users').select(['password_hash', 'email']).where('id', '=', userId).executeTakeFirst()
}

/**
 * Browser sessions: a sign-in link becomes a cookie once, the cookie names a user until it ends.
 */
import type { UserId } from '../../core/ids.js'
import { ApiError } from '../../contract/errors.js'
import type { Database, Db, Tx } from '../../store/db/database.js'
import { createMemory } from '../../store/db/memory.js'
import { newId } from '../route/ids.js'
import type { Actor } from './actor.js'
import { hashSecret, newSecret } from './secrets.js'

const day = 24 * 60 * 60 * 1000
/** How long a browser stays signed in. */
export const sessionLife = 30 * day
/** How long a sign-in link may lie unopened. */
export const linkLife = day

export const sessionCookie = 'octavo_session'

interface KnownSession {
  readonly expiresAt: number
  readonly actor: Actor
}

/** Makes a link secret for a user; it opens one session. */
export async function insertSignInLink(tx: Tx, userId: UserId, now: number): Promise<string> {
  const secret = newSecret()
  await tx
    .insertInto('sign_in_links')
    .values({ token_hash: hashSecret(secret), user_id: userId, expires_at: now + linkLife, used_at: null })
    .execute()
  return secret
}

/** Uses a link up and returns the secret of the new session; throws 401 when the link does not open one. */
export async function openSession(
  tx: Tx,
  link: string,
  { now, userAgent, ip }: { now: number; userAgent: string | null; ip: string | null },
): Promise<string> {
  const used = await tx
    .updateTable('sign_in_links')
    .set({ used_at: now })
    .where('token_hash', '=', hashSecret(link))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst()
  if (used === undefined) throw new ApiError('sign_in_link_invalid')
  const secret = newSecret()
  await tx
    .insertInto('sessions')
    .values({
      id: newId(),
      user_id: used.user_id,
      token_hash: hashSecret(secret),
      created_at: now,
      expires_at: now + sessionLife,
      last_seen_at: now,
      user_agent: userAgent?.slice(0, 500) ?? null,
      ip,
    })
    .execute()
  return secret
}

export async function endSession(tx: Tx, secret: string): Promise<void> {
  await tx.deleteFrom('sessions').where('token_hash', '=', hashSecret(secret)).execute()
}

/** Returns a function from a cookie's secret to who is signed in; undefined when the session ended. */
export function createSessionSignIn(
  database: Database,
): (secret: string, now: number) => Promise<Actor | undefined> {
  const memory = createMemory<KnownSession>(database, 10_000)
  return async (secret, now) => {
    const hash = hashSecret(secret)
    const known = await memory.get(hash, () => findSession(database.read, hash))
    return known !== undefined && known.expiresAt > now ? known.actor : undefined
  }
}

async function findSession(db: Db, hash: string): Promise<KnownSession | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.expires_at as expires_at',
      'users.id as user_id',
      'users.display_name as display_name',
      'users.email as email',
      'users.photo_url as photo_url',
    ])
    .where('sessions.token_hash', '=', hash)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const user = { id: row.user_id, displayName: row.display_name, email: row.email, photoUrl: row.photo_url }
  return { expiresAt: row.expires_at, actor: { userId: row.user_id, user, by: 'session' } }
}

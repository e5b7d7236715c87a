/** API tokens: from the bearer of a request to the user it acts as. */
import type { UserId } from '../../core/ids.js'
import { ApiError } from '../../contract/errors.js'
import type { Database, Db, Tx } from '../../store/db/database.js'
import { type Memory, createMemory } from '../../store/db/memory.js'
import { newId } from '../route/ids.js'
import type { Actor } from './actor.js'
import { hashSecret } from './secrets.js'

/** How exactly "last used" is kept: a write for every request would cost more than the request. */
const usedPrecision = 60 * 60 * 1000

interface KnownToken {
  readonly id: string
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
  readonly actor: Actor
}

export interface TokenSignIn {
  /** Returns who the token acts as; throws 401 when it is unknown, expired or revoked. */
  (token: string, now: number): Promise<Actor>
}

export function createTokenSignIn(database: Database): TokenSignIn {
  const memory: Memory<KnownToken> = createMemory(database, 10_000)
  return async (token, now) => {
    const hash = hashSecret(token)
    const known = await memory.get(hash, () => findToken(database.read, hash))
    if (known === undefined || (known.expiresAt !== null && known.expiresAt <= now))
      throw new ApiError('token_invalid')
    if (known.lastUsedAt === null || known.lastUsedAt < now - usedPrecision)
      await markUsed(database, known.id, now)
    return known.actor
  }
}

async function findToken(db: Db, hash: string): Promise<KnownToken | undefined> {
  const row = await db
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .select([
      'api_tokens.id as id',
      'api_tokens.expires_at as expires_at',
      'api_tokens.last_used_at as last_used_at',
      'users.id as user_id',
      'users.display_name as display_name',
      'users.email as email',
      'users.photo_url as photo_url',
    ])
    .where('api_tokens.token_hash', '=', hash)
    .where('api_tokens.revoked_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const user = { id: row.user_id, displayName: row.display_name, email: row.email, photoUrl: row.photo_url }
  return {
    id: row.id,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    actor: { userId: row.user_id, user, by: 'token' },
  }
}

async function markUsed(database: Database, id: string, now: number): Promise<void> {
  await database.write(async (tx) => {
    await tx
      .updateTable('api_tokens')
      .set({ last_used_at: now })
      .where('id', '=', id)
      .where((where) =>
        where.or([where('last_used_at', 'is', null), where('last_used_at', '<', now - usedPrecision)]),
      )
      .execute()
  })
}

/** Stores a token for a user; only its hash is kept. */
export async function insertToken(
  tx: Tx,
  {
    userId,
    token,
    label,
    now,
    expiresAt,
  }: { userId: UserId; token: string; label: string; now: number; expiresAt?: number },
): Promise<void> {
  await tx
    .insertInto('api_tokens')
    .values({
      id: newId(),
      user_id: userId,
      label,
      token_hash: hashSecret(token),
      created_at: now,
      expires_at: expiresAt ?? null,
      last_used_at: null,
      revoked_at: null,
    })
    .execute()
}

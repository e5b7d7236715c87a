/** API tokens: from the bearer of a request to the user it acts as. */
import type { OrganizationId, UserId } from '../../core/ids.js'
import { ApiError } from '../../contract/errors.js'
import type { Database, Db, Tx } from '../../store/db/database.js'
import { type Memory, createMemory } from '../../store/db/memory.js'
import { newId } from '../route/ids.js'
import type { Actor } from './actor.js'
import { hashSecret } from './secrets.js'

/** How exactly "last used" is kept: a write for every request would cost more than the request. */
const usedPrecision = 60 * 60 * 1000

/** Tokens are made by people who were let in: single sign-on does not close anything to them. */
const noneClosed: ReadonlySet<OrganizationId> = new Set()

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
      'api_tokens.organization_id as organization_id',
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
    actor: {
      userId: row.user_id,
      user,
      by: 'token',
      credentialId: row.id,
      expiresAt: row.expires_at,
      onlyIn: row.organization_id,
      closed: noneClosed,
    },
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

export interface NewToken {
  readonly userId: UserId
  readonly token: string
  readonly label: string
  readonly now: number
  readonly expiresAt?: number | undefined
  /** The one organization that it opens; all of the user's when left out. */
  readonly onlyIn?: OrganizationId | null
}

/** Stores a token for a user and returns its id; only its hash is kept. */
export async function insertToken(tx: Tx, wanted: NewToken): Promise<string> {
  const id = newId()
  await tx
    .insertInto('api_tokens')
    .values({
      id,
      user_id: wanted.userId,
      label: wanted.label,
      token_hash: hashSecret(wanted.token),
      created_at: wanted.now,
      expires_at: wanted.expiresAt ?? null,
      last_used_at: null,
      revoked_at: null,
      organization_id: wanted.onlyIn ?? null,
    })
    .execute()
  return id
}

/**
 * API tokens: authentication of bearer tokens, and their creation.
 *
 * A token inherits the scope of the credential that created it and never exceeds it: the only organization, the
 * identity provider, the expiry. A token that was created with another is revoked with it.
 */
import type { OrganizationId, SamlProviderId, UserId } from '../../core/ids.js'
import { ApiError } from '../../contract/errors.js'
import type { Caches, ReadContext } from '../../store/cache/caches.js'
import { rowCacheKind } from '../../store/cache/kinds.js'
import { acrossOrganizations } from '../../store/db/cross-tenant.js'
import type { Database, Db, Tx } from '../../store/db/database.js'
import { peopleLock } from '../../store/db/lock-scope.js'
import { newId } from '../ids.js'
import type { Actor } from './actor.js'
import { closedOrganizations, membershipColumns, visibleUser } from './credential-scope.js'
import { hashSecret } from './secrets.js'

/** Precision of "last used": a write for every request would cost more than the request. */
const usedPrecision = 60 * 60 * 1000

/** The services that authentication needs. */
export interface SignInServices {
  readonly database: Database
  readonly caches: Caches
}

interface CachedToken {
  readonly id: string
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
  readonly actor: Actor
}

export interface TokenSignIn {
  /** Returns the actor of the token; throws 401 when it is unknown, expired or revoked. */
  (readContext: ReadContext, token: string, now: number): Promise<Actor>
}

const tokenKind = rowCacheKind<CachedToken>('token', () => ['people'])

export function createTokenSignIn({ database, caches }: SignInServices): TokenSignIn {
  return async (readContext, token, now) => {
    const known = await readToken(caches, readContext, {
      column: 'token_hash',
      value: hashSecret(token),
      now,
    })
    if (known === undefined) throw new ApiError('token_invalid')
    if (known.lastUsedAt === null || known.lastUsedAt < now - usedPrecision)
      await markUsed(database, known.id, now)
    return known.actor
  }
}

/**
 * Returns the actor of the token with that id; undefined when it expired or was revoked. Does not update "last used".
 */
export async function findByTokenId(
  caches: Caches,
  readContext: ReadContext,
  { id, now }: { readonly id: string; readonly now: number },
): Promise<Actor | undefined> {
  return (await readToken(caches, readContext, { column: 'id', value: id, now }))?.actor
}

/** Identifies a token or a session by its id or by the hash of its secret. */
export interface NamedCredential {
  readonly column: 'id' | 'token_hash'
  readonly value: string
}

/** Returns the token, read through the cache; undefined when it expired or was revoked. */
async function readToken(
  caches: Caches,
  readContext: ReadContext,
  { now, ...named }: NamedCredential & { readonly now: number },
): Promise<CachedToken | undefined> {
  const key = `${named.column} ${named.value}`
  const known = await caches.readThrough(readContext, tokenKind, key, (db) => findToken(db, named))
  const isOver = known !== undefined && known.expiresAt !== null && known.expiresAt <= now
  return isOver ? undefined : known
}

async function findToken(db: Db, { column, value }: NamedCredential): Promise<CachedToken | undefined> {
  // One row for each membership; none when the token, or one of its ancestors, was revoked.
  const rows = await acrossOrganizations(db, 'a token opens all memberships of its person')
    .withRecursive('line', (line) =>
      line
        .selectFrom('api_tokens')
        .select(['parent_id', 'revoked_at'])
        .where(column, '=', value)
        .unionAll(
          line
            .selectFrom('api_tokens as parent')
            .innerJoin('line', 'line.parent_id', 'parent.id')
            .select(['parent.parent_id', 'parent.revoked_at']),
        ),
    )
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .leftJoin('members', 'members.user_id', 'users.id')
    .leftJoin('organizations', 'organizations.id', 'members.organization_id')
    .select(membershipColumns)
    .select([
      'api_tokens.id as id',
      'api_tokens.expires_at as expires_at',
      'api_tokens.last_used_at as last_used_at',
      'api_tokens.organization_id as organization_id',
      'api_tokens.saml_provider_id as saml_provider_id',
      'api_tokens.handed_by as handed_by',
      'users.id as user_id',
      'users.display_name as display_name',
      'users.email as email',
      'users.photo_url as photo_url',
    ])
    .where(`api_tokens.${column}`, '=', value)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('line').select('revoked_at').where('revoked_at', 'is not', null))),
    )
    .execute()
  const [row] = rows
  if (row === undefined) return undefined
  const reach = { onlyIn: row.organization_id, samlProviderId: row.saml_provider_id }
  const user = { id: row.user_id, displayName: row.display_name, email: row.email, photoUrl: row.photo_url }
  return {
    id: row.id,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    actor: {
      ...reach,
      closed: closedOrganizations(reach, rows),
      handedBy: row.handed_by,
      userId: row.user_id,
      user: visibleUser(user, reach, rows),
      by: 'token',
      credentialId: row.id,
      expiresAt: row.expires_at,
    },
  }
}

async function markUsed(database: Database, id: string, now: number): Promise<void> {
  await database.writeWithLocks(peopleLock, async (tx) => {
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
  /** The only organization that it opens; all of the user's when absent. */
  readonly onlyIn?: OrganizationId | null
  /** The token that created it. */
  readonly parentId?: string | null
  readonly samlProviderId?: SamlProviderId | null
  readonly handedBy?: UserId | null
}

/** Returns what a new token inherits from the actor who creates it; `latest` is its latest expiry. */
export function inheritanceOf({
  userId,
  by,
  credentialId,
  onlyIn,
  samlProviderId,
  handedBy,
  expiresAt,
}: Actor): Pick<NewToken, 'userId' | 'onlyIn' | 'parentId' | 'samlProviderId' | 'handedBy'> & {
  readonly latest: number
} {
  const isToken = by === 'token'
  // A session for all organizations is the user; a session for one organization is only as good as that organization's
  // word.
  const isBounded = isToken || onlyIn !== null
  return {
    userId,
    onlyIn,
    samlProviderId,
    handedBy,
    parentId: isToken ? credentialId : null,
    latest: (isBounded ? expiresAt : null) ?? Infinity,
  }
}

/** Stores a token for a user and returns its id; only its hash is stored. */
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
      parent_id: wanted.parentId ?? null,
      saml_provider_id: wanted.samlProviderId ?? null,
      handed_by: wanted.handedBy ?? null,
    })
    .execute()
  return id
}

/**
 * Browser sessions: opened by a link, a password or a provider, identified by a cookie, with a fixed lifetime. Opening
 * one ends the earlier session of the same browser.
 */
import type { OrganizationId, SamlProviderId, UserId } from '../../core/ids.js'
import { ApiError } from '../../contract/errors.js'
import type { Caches, ReadContext } from '../../store/cache/caches.js'
import { rowCacheKind } from '../../store/cache/kinds.js'
import { acrossOrganizations } from '../../store/db/cross-tenant.js'
import type { Database, Db, Tx } from '../../store/db/database.js'
import { peopleLock } from '../../store/db/lock-scope.js'
import type { NewRow } from '../../store/db/tables.js'
import type { Origin } from '../audit/record.js'
import { newId } from '../ids.js'
import { recordPersonalAudit } from './personal-audit.js'
import type { Actor, SignInMethod } from './actor.js'
import type { Device } from './known-devices.js'
import { acceptMembership } from './memberships.js'
import { closedOrganizations, membershipColumns, visibleUser } from './credential-scope.js'
import { hashSecret, newSecret } from './secrets.js'
import type { NamedCredential, SignInServices } from './tokens.js'
import { confirmEmail } from './verified-email.js'

const hour = 60 * 60 * 1000
const day = 24 * hour
/** How long a browser stays signed in. */
export const sessionLifetime = 30 * day
/** How long an unused sign-in link is valid. */
export const linkLifetime = day
/** Precision of "last seen": a write for every request would cost more than the request. */
const seenPrecision = hour

export const sessionCookie = 'octavo_session'

interface CachedSession {
  readonly id: string
  readonly expiresAt: number
  readonly lastSeenAt: number
  readonly actor: Actor
}

/** Context of a sign-in; `replaced` is the secret of the browser's earlier session. */
export interface SignInContext extends Origin {
  readonly now: number
  readonly replaced?: string | undefined
  /** Cookie secrets of a browser that keeps cookies. */
  readonly device?: Device
}

export interface NewSession {
  readonly userId: UserId
  readonly openedBy: SignInMethod
  /** Null opens all organizations of the user. */
  readonly organizationId: OrganizationId | null
  readonly samlProviderId?: SamlProviderId
  readonly handedBy?: UserId | null
}

/**
 * Creates a sign-in link for a user and returns its secret; it opens one session, for all of the user's organizations
 * or for one.
 */
export async function insertSignInLink(
  tx: Tx,
  userId: UserId,
  now: number,
  organizationId: OrganizationId | null = null,
  more: Partial<Pick<NewRow<'sign_in_links'>, 'is_mailed' | 'joins' | 'made_by'>> = {},
): Promise<string> {
  const secret = newSecret()
  await tx
    .insertInto('sign_in_links')
    .values({
      token_hash: hashSecret(secret),
      user_id: userId,
      expires_at: now + linkLifetime,
      used_at: null,
      organization_id: organizationId,
      ...more,
    })
    .execute()
  return secret
}

/**
 * The same for a secret that is only mailed to the user's address: opening it verifies the address, and accepts the
 * invitation that it was sent with.
 */
export function insertMailedLink(
  tx: Tx,
  userId: UserId,
  now: number,
  joins: OrganizationId | null = null,
): Promise<string> {
  return insertSignInLink(tx, userId, now, null, { is_mailed: 1, joins })
}

/**
 * The same for a secret that an admin receives: it opens that organization only, and is revoked when they cease to be
 * an admin.
 */
export function insertHandedLink(
  tx: Tx,
  userId: UserId,
  now: number,
  { organizationId, madeBy }: { readonly organizationId: OrganizationId; readonly madeBy: UserId },
): Promise<string> {
  return insertSignInLink(tx, userId, now, organizationId, { made_by: madeBy })
}

/**
 * Returns the title of the organization that a user joins by opening the link; undefined when there is none, or the
 * link is invalid.
 */
export async function findOrganizationJoinedBy(
  db: Db,
  link: string,
  now: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('sign_in_links')
    .innerJoin('organizations', 'organizations.id', 'sign_in_links.joins')
    .select('organizations.title as title')
    .where('token_hash', '=', hashSecret(link))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.title
}

/** Consumes a link and returns the secret of the new session; throws 401 when the link is invalid. */
export async function openSession(tx: Tx, link: string, arriving: SignInContext): Promise<string> {
  const used = await tx
    .updateTable('sign_in_links')
    .set({ used_at: arriving.now })
    .where('token_hash', '=', hashSecret(link))
    .where('used_at', 'is', null)
    .where('expires_at', '>', arriving.now)
    .returning(['user_id', 'organization_id', 'is_mailed', 'joins', 'made_by'])
    .executeTakeFirst()
  if (used === undefined) throw new ApiError('sign_in_link_invalid')
  if (used.is_mailed === 1) await confirmEmail(tx, used.user_id, arriving.now)
  if (used.joins !== null) await acceptMembership(tx, used.user_id, used.joins, arriving.now)
  const { user_id: userId, organization_id: organizationId, made_by: handedBy } = used
  return startSession(tx, { userId, openedBy: 'link', organizationId, handedBy }, arriving)
}

/** Opens a session, ends the one it replaces, writes the audit entry, and returns the secret for the cookie. */
export async function startSession(tx: Tx, session: NewSession, arriving: SignInContext): Promise<string> {
  const { now, ip, userAgent, replaced } = arriving
  const [id, secret] = [newId(), newSecret()]
  if (replaced !== undefined) await endSession(tx, replaced)
  await tx
    .insertInto('sessions')
    .values({
      id,
      user_id: session.userId,
      token_hash: hashSecret(secret),
      created_at: now,
      expires_at: now + sessionLifetime,
      last_seen_at: now,
      user_agent: userAgent?.slice(0, 500) ?? null,
      ip,
      opened_by: session.openedBy,
      organization_id: session.organizationId,
      saml_provider_id: session.samlProviderId ?? null,
      handed_by: session.handedBy ?? null,
    })
    .execute()
  await recordPersonalAudit(
    tx,
    { userId: session.userId, onlyIn: session.organizationId },
    {
      action: 'signIn',
      resourceId: session.userId,
      detail: session.openedBy,
      credential: { type: 'session', id },
      origin: { ip, userAgent },
      now,
    },
  )
  return secret
}

/** Returns whether the only user has neither a session nor a password: nobody has signed in to this server yet. */
export async function isBeforeFirstSession(db: Db): Promise<boolean> {
  const users = await db.selectFrom('users').select('password_hash').limit(2).execute()
  if (users.length !== 1 || users[0]!.password_hash !== null) return false
  return (await db.selectFrom('sessions').select('id').limit(1).executeTakeFirst()) === undefined
}

export async function endSession(tx: Tx, secret: string): Promise<void> {
  await tx.deleteFrom('sessions').where('token_hash', '=', hashSecret(secret)).execute()
}

const sessionKind = rowCacheKind<CachedSession>('session', () => ['people'])

/** Returns a function from a cookie's secret to the actor; undefined when the session ended. */
export function createSessionSignIn({
  database,
  caches,
}: SignInServices): (readContext: ReadContext, secret: string, now: number) => Promise<Actor | undefined> {
  return async (readContext, secret, now) => {
    const named = { column: 'token_hash', value: hashSecret(secret) } as const
    const known = await readSession(caches, readContext, { ...named, now })
    if (known === undefined) return undefined
    if (known.lastSeenAt < now - seenPrecision) await markSeen(database, known.id, now)
    return known.actor
  }
}

/** Returns the actor of the session with that id; undefined when it ended. Does not update "last seen". */
export async function findBySessionId(
  caches: Caches,
  readContext: ReadContext,
  { id, now }: { readonly id: string; readonly now: number },
): Promise<Actor | undefined> {
  return (await readSession(caches, readContext, { column: 'id', value: id, now }))?.actor
}

/** Returns the session, read through the cache; undefined when it ended. */
async function readSession(
  caches: Caches,
  readContext: ReadContext,
  { now, ...named }: NamedCredential & { readonly now: number },
): Promise<CachedSession | undefined> {
  const key = `${named.column} ${named.value}`
  const known = await caches.readThrough(readContext, sessionKind, key, (db) => findSession(db, named))
  return known === undefined || known.expiresAt <= now ? undefined : known
}

async function findSession(db: Db, { column, value }: NamedCredential): Promise<CachedSession | undefined> {
  // One row for each membership.
  const rows = await acrossOrganizations(db, 'a session opens all memberships of its person')
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('members', 'members.user_id', 'users.id')
    .leftJoin('organizations', 'organizations.id', 'members.organization_id')
    .select(membershipColumns)
    .select([
      'sessions.id as id',
      'sessions.created_at as created_at',
      'sessions.expires_at as expires_at',
      'sessions.last_seen_at as last_seen_at',
      'sessions.opened_by as opened_by',
      'sessions.organization_id as organization_id',
      'sessions.saml_provider_id as saml_provider_id',
      'sessions.handed_by as handed_by',
      'users.id as user_id',
      'users.display_name as display_name',
      'users.email as email',
      'users.photo_url as photo_url',
    ])
    .where(`sessions.${column}`, '=', value)
    .execute()
  const [row] = rows
  if (row === undefined) return undefined
  const reach = { onlyIn: row.organization_id, samlProviderId: row.saml_provider_id }
  const user = { id: row.user_id, displayName: row.display_name, email: row.email, photoUrl: row.photo_url }
  return {
    id: row.id,
    expiresAt: row.expires_at,
    lastSeenAt: row.last_seen_at,
    actor: {
      ...reach,
      closed: closedOrganizations(reach, rows),
      handedBy: row.handed_by,
      userId: row.user_id,
      user: visibleUser(user, reach, rows),
      by: 'session',
      credentialId: row.id,
      expiresAt: row.expires_at,
      session: {
        openedBy: row.opened_by as SignInMethod,
        openedAt: row.created_at,
      },
    },
  }
}

async function markSeen(database: Database, id: string, now: number): Promise<void> {
  await database.writeWithLocks(peopleLock, async (tx) => {
    await tx
      .updateTable('sessions')
      .set({ last_seen_at: now })
      .where('id', '=', id)
      .where('last_seen_at', '<', now - seenPrecision)
      .execute()
  })
}

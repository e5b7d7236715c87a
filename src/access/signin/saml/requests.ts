/**
 * SAML authentication requests: what is stored between our request and the end of the sign-in: the request, the browser
 * that made it, and accepted assertions (against replay). A request is answered once, and finished once by the browser
 * that made it.
 */
import type { OrganizationId, SamlProviderId, UserId } from '../../../core/ids.js'
import { acrossOrganizations } from '../../../store/db/cross-tenant.js'
import type { Db, Tx } from '../../../store/db/database.js'
import { hashSecret, newSecret } from '../secrets.js'

/** How long a user may take at the identity provider. */
export const requestLifetime = 10 * 60_000

export interface SamlRequest {
  readonly id: string
  readonly organizationId: OrganizationId
  readonly providerId: SamlProviderId
  /** A path of ours. */
  readonly returnTo: string
}

/** Identifies a request. */
type SamlRequestKey = Pick<SamlRequest, 'organizationId' | 'providerId' | 'id'>

/** Stores a request and returns the secret for a cookie of the browser that makes it. */
export async function insertSamlRequest(tx: Tx, request: SamlRequest, now: number): Promise<string> {
  const browser = newSecret()
  await tx
    .insertInto('saml_requests')
    .values({
      id: request.id,
      organization_id: request.organizationId,
      provider_id: request.providerId,
      browser_hash: hashSecret(browser),
      return_to: request.returnTo,
      expires_at: now + requestLifetime,
      finish_hash: null,
      user_id: null,
    })
    .execute()
  return browser
}

/** True when a request is pending: stored, not answered, not expired. */
export async function isRequestOpen(
  db: Db,
  { organizationId, providerId, id }: SamlRequestKey,
  now: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('saml_requests')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('provider_id', '=', providerId)
    .where('finish_hash', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** Answers a request with a user and returns the secret that finishes the sign-in; undefined when it is not pending. */
export async function answerSamlRequest(
  tx: Tx,
  { organizationId, providerId, id }: SamlRequestKey,
  userId: UserId,
  now: number,
): Promise<string | undefined> {
  const finish = newSecret()
  const { numUpdatedRows } = await tx
    .updateTable('saml_requests')
    .set({ finish_hash: hashSecret(finish), user_id: userId })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('provider_id', '=', providerId)
    .where('finish_hash', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows === 1n ? finish : undefined
}

/** Removes and returns an answered request, for the browser that made it; undefined for any other. */
export async function takeSamlRequest(
  tx: Tx,
  { finish, browser, now }: { finish: string; browser: string; now: number },
): Promise<(SamlRequest & { readonly userId: UserId }) | undefined> {
  const row = await acrossOrganizations(tx, 'the secret says whose question it was')
    .deleteFrom('saml_requests')
    .where('finish_hash', '=', hashSecret(finish))
    .where('browser_hash', '=', hashSecret(browser))
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined || row.user_id === null) return undefined
  return {
    id: row.id,
    organizationId: row.organization_id,
    providerId: row.provider_id,
    returnTo: row.return_to,
    userId: row.user_id,
  }
}

/** Stores an accepted assertion until it is too old; false when it was accepted before. */
export async function rememberAssertion(
  tx: Tx,
  { organizationId, providerId }: Pick<SamlRequest, 'organizationId' | 'providerId'>,
  { assertionId, endsAt }: { readonly assertionId: string; readonly endsAt: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('saml_assertions')
    .values({
      organization_id: organizationId,
      provider_id: providerId,
      assertion_id: assertionId,
      expires_at: endsAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

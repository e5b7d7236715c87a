/**
 * What is remembered between our question and the end of the sign-in: the question, the browser that asked it,
 * and assertions that were taken. A question is answered once, and ended once by the browser that asked.
 */
import type { OrganizationId, SamlProviderId, UserId } from '../../../core/ids.js'
import { acrossOrganizations } from '../../../store/db/cross-tenant.js'
import type { Db, Tx } from '../../../store/db/database.js'
import { hashSecret, newSecret } from '../secrets.js'

/** How long somebody may take at the identity provider. */
export const requestLife = 10 * 60_000

export interface SamlRequest {
  readonly id: string
  readonly organizationId: OrganizationId
  readonly providerId: SamlProviderId
  /** A path of ours. */
  readonly returnTo: string
}

/** What names a question to a provider. */
type Asked = Pick<SamlRequest, 'organizationId' | 'providerId' | 'id'>

/** Remembers a question and returns the secret for a cookie of the browser that asks it. */
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
      expires_at: now + requestLife,
      finish_hash: null,
      user_id: null,
    })
    .execute()
  return browser
}

/** Tells whether a question to the provider is open: asked, not answered, not too old. */
export async function isRequestOpen(
  db: Db,
  { organizationId, providerId, id }: Asked,
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

/** Answers a question with a user and returns the secret that ends the sign-in; undefined when it is not open. */
export async function answerSamlRequest(
  tx: Tx,
  { organizationId, providerId, id }: Asked,
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

/** Takes an answered question away, for the browser that asked it; undefined for any other. */
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

/** Remembers an assertion until it is too old; answers false when it was taken before. */
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

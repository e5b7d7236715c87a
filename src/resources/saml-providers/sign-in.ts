/**
 * SAML sign-in (SP-initiated): our AuthnRequest, the provider's response, and the final step in the requesting browser.
 *
 * Only responses to our own open requests are accepted, so that no one can be signed in with a foreign response (login
 * CSRF). The response is posted from the provider's page, where browsers withhold our SameSite cookie; therefore it only
 * leads to a final step on our own origin, which proves that the browser is the one that made the request.
 */
import { type Origin, recordAudit } from '../../access/audit/record.js'
import { randomLetters } from '../../access/ids.js'
import { type AssertionClaims, readClaims } from '../../access/signin/saml/claims.js'
import {
  type SamlRequest,
  answerSamlRequest,
  insertSamlRequest,
  isRequestOpen,
  rememberAssertion,
  takeSamlRequest,
} from '../../access/signin/saml/requests.js'
import {
  type ConfiguredProvider,
  type ServiceProvider,
  serviceProviderOf,
  signInUrlAt,
  verifyAssertion,
} from '../../access/signin/saml/service.js'
import { checkResponse, refusal } from '../../access/signin/saml/response.js'
import { type SignInContext, startSession } from '../../access/signin/sessions.js'
import type { Addresses } from '../../contract/addresses.js'
import { ApiError } from '../../contract/errors.js'
import type { SamlProviderId } from '../../core/ids.js'
import type { Database } from '../../store/db/database.js'
import { noLocks, peopleLock } from '../../store/db/lock-scope.js'
import { admitUser } from './admit.js'
import { type SamlProviderRow, findProviderById } from './store.js'

export interface SamlSignInContext {
  readonly database: Database
  readonly addresses: Addresses
  readonly now: number
  readonly origin: Origin
}

/** Returns the provider URL for the browser, and the secret for its cookie; throws 404 for a provider that is not configured. */
export async function beginSignIn(
  { database, addresses, now }: SamlSignInContext,
  providerId: SamlProviderId,
  returnTo: string,
): Promise<{ readonly url: string; readonly browser: string }> {
  const { row, configured } = await getConfiguredProvider(database, providerId)
  const id = `_${randomLetters(40)}`
  const url = await signInUrlAt(configured, serviceProviderOf(addresses, providerId), id)
  const request = { id, organizationId: row.organization_id, providerId, returnTo }
  const browser = await database.writeWithLocks(peopleLock, (tx) => insertSamlRequest(tx, request, now))
  return { url, browser }
}

/** Verifies a response and returns the secret for the final step; a refusal throws 401 and is recorded in the audit log. */
export async function acceptResponse(
  context: SamlSignInContext,
  providerId: SamlProviderId,
  encoded: string,
): Promise<string> {
  const { database, now } = context
  const { row, configured } = await getConfiguredProvider(database, providerId)
  try {
    const { requestId, claims } = await verifyResponse(context, configured, row, encoded)
    const hold = { organizations: [row.organization_id], people: true }
    return await database.writeWithLocks(hold, async (tx) => {
      const request: Pick<SamlRequest, 'id' | 'organizationId' | 'providerId'> = {
        id: requestId,
        organizationId: row.organization_id,
        providerId,
      }
      if (!(await rememberAssertion(tx, request, claims))) throw refusal('its assertion was used before')
      const userId = await admitUser(tx, row, claims, now)
      const finish = await answerSamlRequest(tx, request, userId, now)
      if (finish === undefined) throw refusal(noOpenRequest)
      return finish
    })
  } catch (error) {
    if (error instanceof ApiError) await recordRefusal(context, row, error)
    throw error
  }
}

const noOpenRequest =
  'it answers no open question of ours (InResponseTo): begin at the start URL, and come back within ten minutes'

async function verifyResponse(
  { database, addresses, now }: SamlSignInContext,
  configured: ConfiguredProvider,
  { organization_id: organizationId, id: providerId }: SamlProviderRow,
  encoded: string,
): Promise<{ readonly requestId: string; readonly claims: AssertionClaims }> {
  const service: ServiceProvider = serviceProviderOf(addresses, providerId)
  const head = checkResponse(encoded)
  if (head.destination !== null && head.destination !== service.acsURL) {
    throw refusal('it is addressed to another service (Destination)')
  }
  if (head.issuer !== null && head.issuer !== configured.entityId) {
    throw refusal(`it was issued by "${head.issuer.slice(0, 200)}", not by the provider that is set here`)
  }
  const requestId = head.inResponseTo
  if (
    requestId === null ||
    !(await isRequestOpen(database.read, { organizationId, providerId, id: requestId }, now))
  ) {
    throw refusal(noOpenRequest)
  }
  const assertion = await verifyAssertion(configured, service, encoded)
  const claims = readClaims(assertion, {
    now,
    issuer: configured.entityId,
    audience: service.entityID,
    recipient: service.acsURL,
    requestId,
  })
  return { requestId, claims }
}

/** Starts the session of an accepted request for the browser that made it; returns the session secret and where to go. */
export async function finishSignIn(
  database: Database,
  { finish, browser }: { readonly finish: string; readonly browser: string },
  arriving: SignInContext,
): Promise<{ readonly secret: string; readonly returnTo: string }> {
  return database.writeWithLocks(peopleLock, async (tx) => {
    const request = await takeSamlRequest(tx, { finish, browser, now: arriving.now })
    if (request === undefined) throw refusal('this browser did not ask for it, or too long ago')
    const secret = await startSession(
      tx,
      {
        userId: request.userId,
        openedBy: 'saml',
        organizationId: request.organizationId,
        samlProviderId: request.providerId,
      },
      arriving,
    )
    return { secret, returnTo: request.returnTo }
  })
}

/** Returns a fully configured provider; throws 404 for others. */
export async function getConfiguredProvider(
  database: Database,
  id: SamlProviderId,
): Promise<{ readonly row: SamlProviderRow; readonly configured: ConfiguredProvider }> {
  const row = await findProviderById(database.read, id)
  if (row === undefined || row.entity_id === null || row.sso_url === null || row.certificate === null) {
    throw new ApiError('not_found', { thing: 'identity provider that is ready' })
  }
  const configured = { entityId: row.entity_id, ssoUrl: row.sso_url, certificate: row.certificate }
  return { row, configured }
}

async function recordRefusal(
  { database, now, origin }: SamlSignInContext,
  { id, organization_id }: SamlProviderRow,
  error: ApiError,
): Promise<void> {
  await database.writeWithLocks(noLocks, (tx) =>
    recordAudit(tx, [organization_id], {
      action: 'signInRefused',
      resourceId: id,
      params: { organizationId: organization_id, samlProviderId: id },
      detail: error.message,
      origin,
      now,
    }),
  )
}

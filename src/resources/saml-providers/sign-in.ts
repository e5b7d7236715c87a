/**
 * The way of a sign-in by SAML: our question, the provider's answer, the end in the browser that asked.
 *
 * Only answers to a question of ours are taken, so nobody can be signed in by a document that somebody else
 * brought. The answer arrives from the provider's page, where browsers hold our cookie back; therefore it only
 * leads to a last step on our own side, which proves that the browser is the one that asked.
 */
import { type Origin, recordAudit } from '../../access/audit/record.js'
import { randomLetters } from '../../access/ids.js'
import { type Claims, readClaims } from '../../access/signin/saml/claims.js'
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
  type Service,
  serviceOf,
  signInUrlAt,
  verifyAssertion,
} from '../../access/signin/saml/service.js'
import { checkResponse, refusal } from '../../access/signin/saml/shape.js'
import { type Arriving, startSession } from '../../access/signin/sessions.js'
import type { Addresses } from '../../contract/addresses.js'
import { ApiError } from '../../contract/errors.js'
import type { SamlProviderId } from '../../core/ids.js'
import type { Database } from '../../store/db/database.js'
import { nothing, onlyPeople } from '../../store/db/hold.js'
import { admitUser } from './admit.js'
import { type SamlProviderRow, findProviderAnywhere } from './store.js'

/** What a sign-in works with. */
export interface SignInDesk {
  readonly database: Database
  readonly addresses: Addresses
  readonly now: number
  readonly origin: Origin
}

/** Returns where to send the browser, and the secret for its cookie; throws 404 for a provider that is not ready. */
export async function beginSignIn(
  { database, addresses, now }: SignInDesk,
  providerId: SamlProviderId,
  returnTo: string,
): Promise<{ readonly url: string; readonly browser: string }> {
  const { row, configured } = await getConfigured(database, providerId)
  const id = `_${randomLetters(40)}`
  const url = await signInUrlAt(configured, serviceOf(addresses, providerId), id)
  const request = { id, organizationId: row.organization_id, providerId, returnTo }
  const browser = await database.writeHolding(onlyPeople, (tx) => insertSamlRequest(tx, request, now))
  return { url, browser }
}

/** Judges an answer and returns the secret that ends the sign-in; a refusal throws 401 and is written down. */
export async function acceptAnswer(
  desk: SignInDesk,
  providerId: SamlProviderId,
  encoded: string,
): Promise<string> {
  const { database, now } = desk
  const { row, configured } = await getConfigured(database, providerId)
  try {
    const { requestId, claims } = await judge(desk, configured, row, encoded)
    const hold = { organizations: [row.organization_id], people: true }
    return await database.writeHolding(hold, async (tx) => {
      const request: Pick<SamlRequest, 'id' | 'organizationId' | 'providerId'> = {
        id: requestId,
        organizationId: row.organization_id,
        providerId,
      }
      if (!(await rememberAssertion(tx, request, claims))) throw refusal('its assertion was used before')
      const userId = await admitUser(tx, row, claims, now)
      const finish = await answerSamlRequest(tx, request, userId, now)
      if (finish === undefined) throw refusal(noQuestion)
      return finish
    })
  } catch (error) {
    if (error instanceof ApiError) await recordRefusal(desk, row, error)
    throw error
  }
}

const noQuestion =
  'it answers no open question of ours (InResponseTo): begin at the start URL, and come back within ten minutes'

async function judge(
  { database, addresses, now }: SignInDesk,
  configured: ConfiguredProvider,
  { organization_id: organizationId, id: providerId }: SamlProviderRow,
  encoded: string,
): Promise<{ readonly requestId: string; readonly claims: Claims }> {
  const service: Service = serviceOf(addresses, providerId)
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
    throw refusal(noQuestion)
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

/** Opens the session of an answered question for the browser that asked, and returns its secret and the way on. */
export async function finishSignIn(
  database: Database,
  { finish, browser }: { readonly finish: string; readonly browser: string },
  arriving: Arriving,
): Promise<{ readonly secret: string; readonly returnTo: string }> {
  return database.writeHolding(onlyPeople, async (tx) => {
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

/** Returns a provider that is ready, throws 404 for others. */
export async function getConfigured(
  database: Database,
  id: SamlProviderId,
): Promise<{ readonly row: SamlProviderRow; readonly configured: ConfiguredProvider }> {
  const row = await findProviderAnywhere(database.read, id)
  if (row === undefined || row.entity_id === null || row.sso_url === null || row.certificate === null) {
    throw new ApiError('not_found', { thing: 'identity provider that is ready' })
  }
  const configured = { entityId: row.entity_id, ssoUrl: row.sso_url, certificate: row.certificate }
  return { row, configured }
}

async function recordRefusal(
  { database, now, origin }: SignInDesk,
  { id, organization_id }: SamlProviderRow,
  error: ApiError,
): Promise<void> {
  await database.writeHolding(nothing, (tx) =>
    recordAudit(tx, [organization_id], {
      action: 'signInRefused',
      thing: id,
      place: { organizationId: organization_id, samlProviderId: id },
      detail: error.message,
      origin,
      now,
    }),
  )
}

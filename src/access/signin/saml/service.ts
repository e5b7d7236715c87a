/**
 * SAML service provider: the URLs that are configured at the identity provider, the authentication request, and
 * signature verification. node-saml writes the request and verifies; further requirements on the response are in
 * response.ts and claims.ts.
 */
import { X509Certificate } from 'node:crypto'
import type { SAML } from '@node-saml/node-saml'
import type { Addresses } from '../../../contract/addresses.js'
import { ApiError } from '../../../contract/errors.js'
import { refusal } from './response.js'

export interface ServiceProvider {
  readonly acsURL: string
  readonly startURL: string
  readonly entityID: string
}

/** Configuration that an identity provider needs before users can sign in with it. */
export interface ConfiguredProvider {
  readonly entityId: string
  readonly ssoUrl: string
  readonly certificate: string
}

const emailFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'

/** Returns the URLs of our side for one provider. */
export function serviceProviderOf(addresses: Addresses, providerId: string): ServiceProvider {
  const base = addresses.app(`/~octavo/saml/${providerId}`)
  return { acsURL: `${base}/acs`, startURL: `${base}/start`, entityID: `${base}/metadata` }
}

/** Returns the identity provider's URL with our authentication request of this id. */
export async function signInUrlAt(
  provider: ConfiguredProvider,
  service: ServiceProvider,
  requestId: string,
): Promise<string> {
  const saml = await openSaml(provider, service, requestId)
  return saml.getAuthorizeUrlAsync('', undefined, {})
}

/** Returns the metadata document of the service provider, as XML. */
export async function metadataOf(service: ServiceProvider): Promise<string> {
  const { generateServiceProviderMetadata } = await loadSaml()
  return generateServiceProviderMetadata({
    issuer: service.entityID,
    callbackUrl: service.acsURL,
    identifierFormat: emailFormat,
    wantAssertionsSigned: true,
  })
}

/** Returns the XML of the assertion signed with a certificate of the provider; throws when there is none. */
export async function verifyAssertion(
  provider: ConfiguredProvider,
  service: ServiceProvider,
  encodedResponse: string,
): Promise<string> {
  try {
    const saml = await openSaml(provider, service, '_')
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: encodedResponse })
    const assertion = profile?.getAssertionXml?.()
    if (assertion !== undefined) return assertion
  } catch (error) {
    // The library's messages are for programmers, and some quote the document.
    if (!/signature/i.test((error as Error).message)) {
      throw refusal('its subject is not confirmed until a time that lies ahead (NotOnOrAfter)')
    }
  }
  throw refusal('its assertion is not signed with the certificate that is set for this provider')
}

/** Loaded on demand: it is a hundred modules, which most starts of the program do not need. */
function loadSaml(): Promise<typeof import('@node-saml/node-saml')> {
  return import('@node-saml/node-saml')
}

async function openSaml(
  { entityId, ssoUrl, certificate }: ConfiguredProvider,
  service: ServiceProvider,
  requestId: string,
): Promise<SAML> {
  const { SAML: SamlClient } = await loadSaml()
  return new SamlClient({
    callbackUrl: service.acsURL,
    issuer: service.entityID,
    entryPoint: ssoUrl,
    idpIssuer: entityId,
    idpCert: certificatesIn(certificate).map((one) => one.toString()),
    identifierFormat: emailFormat,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    disableRequestedAuthnContext: true,
    generateUniqueId: () => requestId,
    // Audience and times are checked in claims.ts, the times by the clock of the request.
    audience: false,
    acceptedClockSkewMs: -1,
  })
}

/** Returns the certificates in a text: PEM, or base64 alone; throws 400 for unusable ones. */
export function certificatesIn(text: string): X509Certificate[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
  const pems = blocks ?? [`-----BEGIN CERTIFICATE-----\n${text.trim()}\n-----END CERTIFICATE-----`]
  return pems.map((pem) => {
    let certificate: X509Certificate
    try {
      certificate = new X509Certificate(pem)
    } catch {
      throw new ApiError('certificate_unfit', { problem: 'it is no X.509 certificate in PEM or base64' })
    }
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey
    if (asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048) return certificate
    throw new ApiError('certificate_unfit', { problem: 'its key must be RSA of at least 2048 bits' })
  })
}

/** SAML identity provider for tests: keys and responses signed by hand, so that a test can corrupt any part. */
import { inflateRawSync } from 'node:zlib'
import { generate } from 'selfsigned'
import { SignedXml } from 'xml-crypto'

export interface Keys {
  readonly key: string
  /** PEM. */
  readonly certificate: string
}

export async function makeKeys(commonName: string): Promise<Keys> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: commonName }], {
    keySize: 2048,
    algorithm: 'sha256',
  })
  return { key, certificate: cert }
}

/** The values of a valid response; a test changes one. */
export interface Saying {
  readonly issuer: string
  readonly audience: string
  readonly recipient: string
  readonly requestId: string
  readonly email: string
  /** Milliseconds since 1970. */
  readonly now: number
  readonly assertionId?: string
  readonly responseId?: string
}

const iso = (time: number) => new Date(time).toISOString()

/** Returns an assertion without a signature. */
export function assertionOf(saying: Saying): string {
  const { issuer, audience, recipient, requestId, email, now, assertionId = '_assertion' } = saying
  const end = iso(now + 300_000)
  return (
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${assertionId}" Version="2.0" IssueInstant="${iso(now)}">` +
    `<saml:Issuer>${issuer}</saml:Issuer>` +
    `<saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">${email}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">` +
    `<saml:SubjectConfirmationData NotOnOrAfter="${end}" Recipient="${recipient}" InResponseTo="${requestId}"/>` +
    `</saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions NotBefore="${iso(now)}" NotOnOrAfter="${end}">` +
    `<saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${iso(now)}"><saml:AuthnContext><saml:AuthnContextClassRef>` +
    `urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>` +
    `<saml:AttributeStatement><saml:Attribute Name="first_name"><saml:AttributeValue>Grace</saml:AttributeValue></saml:Attribute>` +
    `<saml:Attribute Name="last_name"><saml:AttributeValue>Hopper</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>` +
    `</saml:Assertion>`
  )
}

/** Returns a response around an assertion. */
export function responseOf(saying: Saying, inside = assertionOf(saying)): string {
  const { issuer, recipient, requestId, now, responseId = '_response' } = saying
  return (
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${responseId}" Version="2.0" IssueInstant="${iso(now)}" Destination="${recipient}" InResponseTo="${requestId}">` +
    `<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${issuer}</saml:Issuer>` +
    `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>` +
    `${inside}</samlp:Response>`
  )
}

export interface Signing {
  readonly what?: 'Assertion' | 'Response'
  readonly signature?: string
  readonly digest?: string
}

/** Returns the document with a signature of its assertion, or of the whole response. */
export function sign(
  xml: string,
  { key, certificate }: Keys,
  {
    what = 'Assertion',
    signature = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    digest = 'http://www.w3.org/2001/04/xmlenc#sha256',
  }: Signing = {},
): string {
  const signed = new SignedXml({
    privateKey: key,
    publicCert: certificate,
    signatureAlgorithm: signature,
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  })
  signed.addReference({
    xpath: `//*[local-name(.)='${what}']`,
    transforms: [
      'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
      'http://www.w3.org/2001/10/xml-exc-c14n#',
    ],
    digestAlgorithm: digest,
  })
  signed.computeSignature(xml, {
    location: { reference: `//*[local-name(.)='${what}']/*[local-name(.)='Issuer']`, action: 'after' },
  })
  return signed.getSignedXml()
}

/** Returns the question in a redirect to an identity provider. */
export function questionIn(location: string): string {
  const encoded = new URL(location).searchParams.get('SAMLRequest')!
  return inflateRawSync(Buffer.from(encoded, 'base64')).toString()
}

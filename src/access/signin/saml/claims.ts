/**
 * Validation of signed SAML assertions: issuer, audience, recipient, request id, validity period; and the user that it
 * names. Reads the bytes that were signed, never the document that contains them.
 */
import { foldEmail } from '../../../core/email.js'
import { attribute, childrenNamed, namespaces, parseXml, refusal } from './response.js'

/** How far the clock of the identity provider may be off. */
const skew = 60_000
/** Maximum age of an accepted assertion, whatever its own validity period. */
const oldest = 10 * 60_000

export interface ExpectedAssertion {
  readonly now: number
  /** Entity ID of the identity provider. */
  readonly issuer: string
  /** Our entity ID. */
  readonly audience: string
  /** Our assertion consumer URL. */
  readonly recipient: string
  /** Id of our authentication request. */
  readonly requestId: string
}

export interface AssertionClaims {
  readonly assertionId: string
  /** Lower case. */
  readonly email: string
  readonly displayName: string | undefined
  /** When the assertion is too old to be replayed: milliseconds since 1970. */
  readonly endsAt: number
}

const saml = namespaces.assertion
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const knownConditions = new Set(['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction'])

/** Returns the user that an assertion names; throws 401 saying what is wrong. */
export function readClaims(assertionXml: string, expected: ExpectedAssertion): AssertionClaims {
  const assertion = parseXml(assertionXml)
  const { now } = expected
  if (assertion.localName !== 'Assertion' || attribute(assertion, 'Version') !== '2.0') {
    throw refusal('it is not SAML 2.0')
  }
  const assertionId = attribute(assertion, 'ID')
  if (!assertionId || assertionId.length > 256) throw refusal('its assertion has no id')
  const issued = timeOf(assertion, 'IssueInstant')
  if (issued === undefined || issued > now + skew || issued < now - oldest) {
    throw refusal('its assertion was not made just now: compare the clocks of both servers')
  }
  const issuer = textOf(only(assertion, 'Issuer'))
  if (issuer !== expected.issuer) {
    throw refusal(`it was issued by "${issuer.slice(0, 200)}", not by the provider that is set here`)
  }
  requireConditions(only(assertion, 'Conditions'), expected)
  const subject = only(assertion, 'Subject')
  const confirmedUntil = requireConfirmation(subject, expected)
  requireStatement(assertion, now)
  const email = foldEmail(textOf(only(subject, 'NameID')).trim())
  if (!/^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(email) || email.length > 254) {
    throw refusal('its NameID is no e-mail address')
  }
  return { assertionId, email, displayName: displayNameIn(assertion), endsAt: confirmedUntil + skew }
}

function requireConditions(conditions: Element, { now, audience }: ExpectedAssertion): void {
  requireTime(conditions, now, 'its assertion')
  const unknown = Array.from(conditions.childNodes).find(
    (node) => node.nodeType === 1 && !knownConditions.has((node as Element).localName),
  )
  if (unknown !== undefined) throw refusal('its assertion has a condition that is not known here')
  const restrictions = childrenNamed(conditions, saml, 'AudienceRestriction')
  const meetsAll = restrictions.every((restriction) =>
    childrenNamed(restriction, saml, 'Audience').some((one) => textOf(one) === audience),
  )
  if (restrictions.length === 0 || !meetsAll) throw refusal('it is meant for another service (Audience)')
}

/** Returns until when the subject is confirmed. */
function requireConfirmation(subject: Element, expected: ExpectedAssertion): number {
  const bearers = childrenNamed(subject, saml, 'SubjectConfirmation').filter(
    (one) => attribute(one, 'Method') === bearer,
  )
  if (bearers.length !== 1) throw refusal('its subject is not confirmed once, as bearer')
  const data = only(bearers[0]!, 'SubjectConfirmationData')
  if (attribute(data, 'Recipient') !== expected.recipient) {
    throw refusal('it is addressed to another recipient (Recipient)')
  }
  if (attribute(data, 'InResponseTo') !== expected.requestId) {
    throw refusal('it does not answer the question of this sign-in (InResponseTo)')
  }
  if (attribute(data, 'NotOnOrAfter') === null) throw refusal('its subject is confirmed without an end')
  requireTime(data, expected.now, 'its subject')
  return timeOf(data, 'NotOnOrAfter')!
}

function requireStatement(assertion: Element, now: number): void {
  const statements = childrenNamed(assertion, saml, 'AuthnStatement')
  if (statements.length === 0) throw refusal('it does not say that somebody signed in (AuthnStatement)')
  for (const statement of statements) {
    if (attribute(statement, 'SessionNotOnOrAfter') === null) continue
    const end = timeOf(statement, 'SessionNotOnOrAfter')
    if (end === undefined || end <= now - skew)
      throw refusal('the session at the identity provider has ended')
  }
}

/** Checks both ends where present; an unreadable time is refused. */
function requireTime(element: Element, now: number, whose: string): void {
  const begin = timeOf(element, 'NotBefore')
  const end = timeOf(element, 'NotOnOrAfter')
  if (attribute(element, 'NotBefore') !== null && !(begin !== undefined && begin <= now + skew)) {
    throw refusal(`${whose} is not valid yet (NotBefore)`)
  }
  if (attribute(element, 'NotOnOrAfter') !== null && !(end !== undefined && end > now - skew)) {
    throw refusal(`${whose} is not valid any more (NotOnOrAfter)`)
  }
}

function timeOf(element: Element, name: string): number | undefined {
  const text = attribute(element, name)
  if (text === null || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text)) return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}

/** Returns first and last name from the attributes that providers use for them, at most 64 characters together. */
function displayNameIn(assertion: Element): string | undefined {
  const values = new Map<string, string>()
  for (const statement of childrenNamed(assertion, saml, 'AttributeStatement')) {
    for (const one of childrenNamed(statement, saml, 'Attribute')) {
      const value = childrenNamed(one, saml, 'AttributeValue')[0]?.textContent?.trim()
      const name = attribute(one, 'Name')
      if (name !== null && value) values.set(name, value)
    }
  }
  const first = values.get('first_name') ?? values.get(`${wsClaims}/givenname`)
  const last = values.get('last_name') ?? values.get(`${wsClaims}/surname`)
  const whole = [first, last].filter((part) => part !== undefined).join(' ')
  const printable = whole.replace(/\p{C}/gu, '').slice(0, 64).trim()
  return printable === '' ? undefined : printable
}

const wsClaims = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'

function only(parent: Element, name: string): Element {
  const found = childrenNamed(parent, saml, name)
  if (found.length !== 1) throw refusal(`its assertion needs exactly one ${name}`)
  return found[0]!
}

function textOf(element: Element): string {
  return element.textContent ?? ''
}

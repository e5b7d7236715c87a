/** Edge cases of assertions: clocks, lengths, and the attributes that providers use for a user's name. */
import { describe, expect, test } from 'vitest'
import { assertionOf } from '../../../../tests/saml-identity-provider.js'
import { type ExpectedAssertion, readClaims } from './claims.js'

const now = Date.parse('2026-01-01T12:00:00Z')
const minute = 60_000
const expected: ExpectedAssertion = {
  now,
  issuer: 'https://idp.test/',
  audience: 'https://octavo.test/metadata',
  recipient: 'https://octavo.test/acs',
  requestId: '_question',
}
const honest = assertionOf({ ...expected, email: 'Grace@Example.test' })

const read = (xml: string, at = now) => readClaims(xml, { ...expected, now: at })

test('an honest assertion names its subject', () => {
  expect(read(honest)).toEqual({
    assertionId: '_assertion',
    email: 'grace@example.test',
    displayName: 'Grace Hopper',
    // Five minutes, and one minute of clock skew.
    endsAt: now + 6 * minute,
  })
})

describe('a clock skew of one minute is allowed, and no more', () => {
  test.each([
    ['our clock behind', honest, now - minute],
    ['our clock ahead', honest, now + 6 * minute - 1],
    ['made ten minutes ago', honest.replaceAll(/ Not\w+="[^"]*"/g, postpone), now + 10 * minute],
  ])('%s', (_, xml, last) => {
    expect(read(xml, last).email).toBe('grace@example.test')
    expect(() => read(xml, last + Math.sign(last - now))).toThrow()
  })

  /** Moves all other expiry times an hour later, so that the age of the assertion decides. */
  function postpone(member: string): string {
    const later = new Date(now + 60 * minute).toISOString()
    return member.startsWith(' NotOnOrAfter') ? ` NotOnOrAfter="${later}"` : member
  }

  test('of the session at the provider', () => {
    const ending = (at: number) =>
      read(honest.replace('<saml:AuthnStatement', `$& SessionNotOnOrAfter="${new Date(at).toISOString()}"`))
    expect(ending(now - minute + 1).email).toBe('grace@example.test')
    expect(() => ending(now - minute)).toThrow('has ended')
  })
})

describe('the display name', () => {
  const claims = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'
  const statement = /<saml:AttributeStatement>.*<\/saml:AttributeStatement>/
  const saying = (names: Readonly<Record<string, string>>) =>
    read(
      honest.replace(
        statement,
        () =>
          `<saml:AttributeStatement>${Object.entries(names)
            .map(
              ([name, value]) =>
                `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`,
            )
            .join('')}</saml:AttributeStatement>`,
      ),
    ).displayName

  test.each<[names: Record<string, string>, displayName: string | undefined]>([
    [{}, undefined],
    [{ first_name: 'Grace' }, 'Grace'],
    [{ last_name: 'Hopper' }, 'Hopper'],
    [{ first_name: '  ', last_name: 'Hopper' }, 'Hopper'],
    [{ [`${claims}/givenname`]: 'Grace', [`${claims}/surname`]: 'Hopper' }, 'Grace Hopper'],
    [{ first_name: 'Grace', [`${claims}/givenname`]: 'Other', last_name: 'H' }, 'Grace H'],
    [{ nickname: 'Amazing Grace' }, undefined],
    [{ first_name: 'Gr&#x200B;ace', last_name: '\u202EH' }, 'Grace H'],
    [{ first_name: 'a'.repeat(63), last_name: 'Hopper' }, 'a'.repeat(63)],
    [{ first_name: 'a'.repeat(64), last_name: 'b' }, 'a'.repeat(64)],
  ])('%j', (names, displayName) => {
    expect(saying(names)).toBe(displayName)
  })
})

describe('lengths', () => {
  test.each([
    ['an id of 256 characters', 'ID="_assertion"', `ID="${'a'.repeat(256)}"`, true],
    ['an id of 257 characters', 'ID="_assertion"', `ID="${'a'.repeat(257)}"`, false],
    ['an address of 254 characters', 'Grace@Example.test', `${'a'.repeat(242)}@example.com`, true],
    ['an address of 255 characters', 'Grace@Example.test', `${'a'.repeat(243)}@example.com`, false],
  ])('%s', (_, from, to, isTaken) => {
    const attempt = () => read(honest.replace(from, to))
    if (isTaken) expect(attempt().assertionId).toBeTruthy()
    else expect(attempt).toThrow()
  })

  test('the message about a foreign issuer is short', () => {
    const foreign = honest.replace(expected.issuer, 'https://other.test/'.padEnd(5_000, 'x'))
    expect(() => read(foreign)).toThrow(new RegExp(`issued by \\\\?"https://other.test/x{181}\\\\?"`))
  })
})

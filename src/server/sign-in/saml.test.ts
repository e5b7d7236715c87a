/** SAML sign-in end to end: a real identity provider, and every published attack on responses. */
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrganizationId, SamlProviderId, UserId } from '../../core/ids.js'
import { createSignIn } from '../../access/signin/request.js'
import { serviceProviderOf } from '../../access/signin/saml/service.js'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeSqlite } from '../../../tests/engines.js'
import {
  type Keys,
  type Saying,
  assertionOf,
  makeKeys,
  questionIn,
  responseOf,
  sign,
} from '../../../tests/saml-identity-provider.js'
import { mountSignIn } from './mount.js'
import { acrossTestOrganizations } from '../../../tests/test-rows.js'

const issuer = 'https://idp.test/saml'
const own = { 'sec-fetch-site': 'same-origin' }
let keys: Keys
let foreign: Keys

beforeAll(async () => {
  ;[keys, foreign] = await Promise.all([makeKeys('idp.test'), makeKeys('evil.test')])
})

interface World {
  readonly client: TestClient
  readonly admin: Person
  readonly organization: OrganizationId
  readonly provider: SamlProviderId
}

/** An organization with a configured provider. */
async function openWorld(client: TestClient, settings: object = {}): Promise<World> {
  const admin = await client.person(`admin${Math.random()}`)
  const organization = await client.organization(admin)
  const made = await client.request(admin, 'POST', `/orgs/${organization}/saml`, {
    label: 'Test IdP',
    entityID: issuer,
    ssoURL: 'https://idp.test/sso',
    certificate: keys.certificate,
    defaultRole: 'edit',
    ...settings,
  })
  expect(made.status, made.text).toBe(201)
  return { client, admin, organization, provider: made.body.id }
}

function openServer(client: TestClient): TestClient {
  const { services } = client
  const now = Date.now
  const signIn = createSignIn(services, { baseUrl: services.addresses.base, now })
  mountSignIn(client.server, { services, now, signIn })
  return client
}

const setCookies = (headers: Record<string, unknown>) => [headers['set-cookie'] ?? []].flat() as string[]
const pairs = (cookies: readonly string[]) => cookies.map((one) => one.split(';')[0]).join('; ')

async function begin({ client, provider }: World, wanted = '/s/space/') {
  const url = `/~octavo/saml/${provider}/start?return=${encodeURIComponent(wanted)}`
  const answer = await client.server.inject({ url })
  expect(answer.statusCode).toBe(303)
  const question = questionIn(String(answer.headers.location))
  return {
    location: String(answer.headers.location),
    question,
    requestId: /ID="([^"]+)"/.exec(question)![1]!,
    cookie: pairs(setCookies(answer.headers)),
  }
}

function sayingOf({ client, provider }: World, requestId: string): Saying {
  const service = serviceProviderOf(client.services.addresses, provider)
  const [audience, recipient] = [service.entityID, service.acsURL]
  return { issuer, audience, recipient, requestId, email: 'Grace@Example.test', now: Date.now() }
}

/** Posts a response as the page of a provider does: from another site, without our cookies. */
function answerWith({ client, provider }: World, xml: string) {
  return client.server.inject({
    method: 'POST',
    url: `/~octavo/saml/${provider}/acs`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' },
    payload: new URLSearchParams({
      SAMLResponse: Buffer.from(xml).toString('base64'),
      RelayState: 'https://evil.test/',
    }).toString(),
  })
}

async function finish({ client }: World, location: string, cookie: string) {
  return client.server.inject({ url: location, headers: { cookie } })
}

async function ask({ client }: World, cookie: string, path: string) {
  const answer = await client.server.inject({ url: `/v1${path}`, headers: { cookie, ...own } })
  return { status: answer.statusCode, body: answer.json() }
}

async function refusals({ client, admin, organization }: World) {
  const log = await client.request(admin, 'GET', `/orgs/${organization}/audit?action=signInRefused&limit=100`)
  return log.body.items as { detail: string; thing: string }[]
}

describeSqlite('SAML sign-in', ({ open }) => {
  let client: TestClient
  beforeAll(async () => {
    client = openServer(await openTestClient(await open()))
  })

  test("creates the member at the first sign-in, and gives access to the provider's organization only", async () => {
    const world = await openWorld(client)
    const { organization } = world
    const started = await begin(world)
    expect(started.question).toContain('AssertionConsumerServiceURL')
    const accepted = await answerWith(world, sign(responseOf(sayingOf(world, started.requestId)), keys))
    expect(accepted.statusCode, accepted.body).toBe(303)
    const done = await finish(world, String(accepted.headers.location), started.cookie)
    expect([done.statusCode, done.headers.location]).toEqual([303, '/s/space/'])
    expect(setCookies(done.headers)[0]).toMatch(/^octavo_session=\w{40}; Path=\/; HttpOnly; SameSite=Lax/)
    const cookie = pairs(setCookies(done.headers))

    const user = (await ask(world, cookie, '/user')).body
    expect(user).toMatchObject({ displayName: 'Grace Hopper', email: 'grace@example.test' })
    expect((await ask(world, cookie, `/orgs/${organization}`)).body.permissions.admin).toBe(false)
    const session = (await ask(world, cookie, '/user/sessions')).body.items[0]
    expect(session).toMatchObject({ openedBy: 'saml', organization })

    const other = await openWorld(client)
    await client.join(other.organization, { id: user.id as UserId, token: '' }, 'admin')
    expect((await ask(world, cookie, `/orgs/${other.organization}`)).status).toBe(403)
    expect((await ask(world, cookie, '/orgs')).body.count).toBe(1)
    await world.client.request(world.admin, 'DELETE', `/orgs/${organization}/saml/${world.provider}`)
    expect((await ask(world, cookie, '/user')).status).toBe(401)
  })

  test('gives access where single sign-on is enforced', async () => {
    const world = await openWorld(client)
    await client.services.database.write((tx) =>
      tx.updateTable('organizations').set({ sso: 1 }).where('id', '=', world.organization).execute(),
    )
    const started = await begin(world)
    const saying = { ...sayingOf(world, started.requestId), email: 'demanded@example.test' }
    const accepted = await answerWith(world, sign(responseOf(saying), keys))
    const done = await finish(world, String(accepted.headers.location), started.cookie)
    const cookie = pairs(setCookies(done.headers))
    expect((await ask(world, cookie, `/orgs/${world.organization}`)).status).toBe(200)
  })

  test("requires an admin's approval for existing members", async () => {
    const world = await openWorld(client)
    const member = await client.person(`grace${Math.random()}`)
    await client.join(world.organization, member, 'read')
    const email = (await client.request(member, 'GET', '/user')).body.email
    const attempt = async () => {
      const { requestId } = await begin(world)
      return answerWith(world, sign(responseOf({ ...sayingOf(world, requestId), email }), keys))
    }
    expect((await attempt()).body).toContain('not linked to single sign-on yet')
    await client.services.database.write((tx) =>
      acrossTestOrganizations(tx)
        .updateTable('members')
        .set({ sso: 1 })
        .where('user_id', '=', member.id)
        .execute(),
    )
    // An assertion id is accepted once only, so the refusal above must not have stored it.
    expect((await attempt()).statusCode).toBe(303)
    await client.services.database.write((tx) =>
      acrossTestOrganizations(tx)
        .updateTable('members')
        .set({ disabled: 1 })
        .where('user_id', '=', member.id)
        .execute(),
    )
    const { requestId } = await begin(world)
    const saying = { ...sayingOf(world, requestId), email, assertionId: '_other' }
    expect((await answerWith(world, sign(responseOf(saying), keys))).body).toContain('disabled')
  })

  test('completes only in the browser that started it, once', async () => {
    const world = await openWorld(client)
    const [mine, theirs] = [await begin(world), await begin(world)]
    const accepted = await answerWith(world, sign(responseOf(sayingOf(world, mine.requestId)), keys))
    const location = String(accepted.headers.location)
    expect((await finish(world, location, theirs.cookie)).statusCode).toBe(401)
    expect((await finish(world, location, '')).statusCode).toBe(401)
    expect((await finish(world, location, mine.cookie)).statusCode).toBe(303)
    expect((await finish(world, location, mine.cookie)).statusCode).toBe(401)
  })

  test.each([
    ['https://evil.test/', '/'],
    ['//evil.test/', '/'],
    ['/\\evil.test/', '/'],
    ['/\t/evil.test', '/'],
    ['javascript:alert(1)', '/'],
    ['/s/one?two=3#four', '/s/one?two=3#four'],
  ])('returns to %s as %s', async (wanted, reached) => {
    const world = await openWorld(client)
    const { requestId, cookie } = await begin(world, wanted)
    const accepted = await answerWith(world, sign(responseOf(sayingOf(world, requestId)), keys))
    const done = await finish(world, String(accepted.headers.location), cookie)
    expect(done.headers.location).toBe(reached)
  })

  test('accepts a provider that signs the response as well, and the second certificate of a pair', async () => {
    const world = await openWorld(client, { certificate: `${foreign.certificate}\n${keys.certificate}` })
    const { requestId } = await begin(world)
    const xml = sign(sign(responseOf(sayingOf(world, requestId)), keys), keys, { what: 'Response' })
    expect((await answerWith(world, xml)).statusCode).toBe(303)
  })

  test.each(Object.entries(attacks()))('refuses %s', async (_name, { make, because }) => {
    const world = await openWorld(client)
    const { requestId } = await begin(world)
    const answer = await answerWith(world, make(sayingOf(world, requestId)))
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(answer.body).toContain('The answer of the identity provider was refused')
    const [entry, ...others] = await refusals(world)
    expect(others).toEqual([])
    expect(entry!.detail).toContain(because)
    expect(entry!.thing).toBe(world.provider)
    const victim = await client.services.database.read
      .selectFrom('users')
      .select('id')
      .where('email', '=', victimAddress)
      .executeTakeFirst()
    expect(victim).toBeUndefined()
  })

  test('refuses a replayed response, and an assertion in another response', async () => {
    const world = await openWorld(client)
    const first = await begin(world)
    const xml = sign(responseOf(sayingOf(world, first.requestId)), keys)
    expect((await answerWith(world, xml)).statusCode).toBe(303)
    expect((await answerWith(world, xml)).statusCode).toBe(401)
    const second = await begin(world)
    const again = sign(responseOf(sayingOf(world, second.requestId)), keys)
    expect((await answerWith(world, again)).body).toContain('was used before')
    expect(await refusals(world)).toHaveLength(2)
  })

  test('refuses a response to a request to another provider of the same organization', async () => {
    const world = await openWorld(client)
    const made = await client.request(world.admin, 'POST', `/orgs/${world.organization}/saml`, {
      label: 'Second',
      entityID: issuer,
      ssoURL: 'https://idp.test/sso',
      certificate: keys.certificate,
    })
    const { requestId } = await begin(world)
    const second = { ...world, provider: made.body.id }
    const answer = await answerWith(second, sign(responseOf(sayingOf(second, requestId)), keys))
    expect(answer.body).toContain('answers no open question')
  })
})

const victimAddress = 'victim@example.test'

interface Attack {
  readonly make: (honest: Saying) => string
  /** Part of the error message. */
  readonly because: string
}

/** Each builds a document that an attacker with one honest response could send. */
function attacks(): Record<string, Attack> {
  const evil = (honest: Saying, id = '_evil') =>
    assertionOf({ ...honest, email: victimAddress, assertionId: id })
  const signed = (honest: Saying) => sign(responseOf(honest), keys)
  const assertionIn = (xml: string) => /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)![0]
  const signatureIn = (xml: string) => /<Signature.*?<\/Signature>/s.exec(xml)![0]
  const without = (xml: string, part: string) => xml.replace(part, () => '')
  const withSignature = (assertion: string, signature: string) =>
    assertion.replace('</saml:Issuer>', () => `</saml:Issuer>${signature}`)
  const spoiled = (change: (xml: string) => string) => (honest: Saying) => change(signed(honest))
  const honestly = (change: Partial<Saying>) => (honest: Saying) =>
    sign(responseOf({ ...honest, ...change }), keys)
  const edited =
    (change: (assertion: string) => string, around: (response: string) => string = (xml) => xml) =>
    (honest: Saying) =>
      sign(around(responseOf(honest, change(assertionOf(honest)))), keys)
  /** A forged response around the honest one that carries its signature (signature wrapping). */
  const wrappedResponse = (place: (signature: string, original: string) => string) => (honest: Saying) => {
    const whole = sign(responseOf(honest), keys, { what: 'Response' })
    const signature = signatureIn(whole)
    const original = without(whole, signature)
    const outer = responseOf({ ...honest, responseId: '_evilresponse' }, evil(honest))
    return outer.replace('</saml:Issuer>', () => `</saml:Issuer>${place(signature, original)}`)
  }
  const hour = 3_600_000

  return {
    'XSW1: the honest response inside the signature of a forged one': {
      make: wrappedResponse((signature, original) =>
        signature.replace('</Signature>', () => `${original}</Signature>`),
      ),
      because: 'another response',
    },
    'XSW2: the honest response before its signature in a forged one': {
      make: wrappedResponse((signature, original) => original + signature),
      because: 'another response',
    },
    'XSW3: a forged assertion before the honest one': {
      make: (honest) => {
        const xml = signed(honest)
        return xml.replace('<saml:Assertion', () => `${evil(honest)}<saml:Assertion`)
      },
      because: '2 assertions',
    },
    'XSW4: the honest assertion inside a forged one': {
      make: (honest) => {
        const xml = signed(honest)
        const original = assertionIn(xml)
        const outer = evil(honest).replace('</saml:Assertion>', () => `${original}</saml:Assertion>`)
        return xml.replace(original, () => outer)
      },
      because: '2 assertions',
    },
    'XSW5: the signature in a forged assertion, the honest one at the end': {
      make: (honest) => {
        const xml = signed(honest)
        const original = assertionIn(xml)
        const signature = signatureIn(original)
        const forged = withSignature(evil(honest), signature)
        return xml.replace(original, () => forged + without(original, signature))
      },
      because: '2 assertions',
    },
    'XSW6: the honest assertion inside the signature of a forged one': {
      make: (honest) => {
        const xml = signed(honest)
        const original = assertionIn(xml)
        const signature = signatureIn(original)
        const inner = signature.replace('</Signature>', () => `${without(original, signature)}</Signature>`)
        return xml.replace(original, () => withSignature(evil(honest), inner))
      },
      because: '2 assertions',
    },
    'XSW7: a forged assertion in Extensions': {
      make: (honest) => {
        const xml = signed(honest)
        const extensions = `<samlp:Extensions>${evil(honest)}</samlp:Extensions>`
        return xml.replace('<saml:Assertion', () => `${extensions}<saml:Assertion`)
      },
      because: '2 assertions',
    },
    'XSW8: the honest assertion in an Object of the signature of a forged one': {
      make: (honest) => {
        const xml = signed(honest)
        const original = assertionIn(xml)
        const signature = signatureIn(original)
        const object = `<Object>${without(original, signature)}</Object></Signature>`
        const inner = signature.replace('</Signature>', () => object)
        return xml.replace(original, () => withSignature(evil(honest), inner))
      },
      because: '2 assertions',
    },
    'XSW9: a forged assertion of the same id': {
      make: (honest) => {
        const xml = signed(honest)
        return xml.replace('<saml:Assertion', () => `${evil(honest, '_assertion')}<saml:Assertion`)
      },
      because: '2 assertions',
    },
    'a wrapped assertion that hides under another name': {
      make: (honest) => {
        const xml = signed(honest)
        const original = assertionIn(xml)
        const signature = signatureIn(original)
        const hidden = without(original, signature).replaceAll('saml:Assertion', 'saml:Assertions')
        return xml.replace(original, () => withSignature(evil(honest, '_mine'), signature) + hidden)
      },
      because: 'not about the element it stands in',
    },
    'an id that is used twice': {
      make: (honest) => {
        const xml = signed(honest)
        return xml.replace('<saml:Assertion', () => '<saml:Advice ID="_assertion"/><saml:Assertion')
      },
      because: 'an id twice',
    },
    'a signature that stands elsewhere': {
      make: (honest) => {
        const xml = signed(honest)
        const signature = signatureIn(xml)
        return without(xml, signature).replace('</samlp:Status>', () => `${signature}</samlp:Status>`)
      },
      because: 'signature in the wrong place',
    },
    'an Object in the signature': {
      make: spoiled((xml) => xml.replace('</Signature>', '<Object><x/></Object></Signature>')),
      because: 'a document of its own',
    },
    'two signatures of one assertion': {
      make: spoiled((xml) => xml.replace('<Signature', () => `${signatureIn(xml)}<Signature`)),
      because: 'more than once',
    },
    'a changed address under an honest signature': {
      make: spoiled((xml) => xml.replace('Grace@Example.test', victimAddress)),
      because: 'not signed with the certificate',
    },
    'no signature at all': { make: (honest) => responseOf(honest), because: 'not signed' },
    'a signature of the response alone': {
      make: (honest) => sign(responseOf(honest), keys, { what: 'Response' }),
      because: 'its assertion is not signed',
    },
    'a comment inside NameID': {
      make: edited((xml) => xml.replace('Grace@Example.test', `${victimAddress}<!-- -->.evil.test`)),
      because: 'a comment',
    },
    'an element inside NameID': {
      make: edited((xml) => xml.replace('Grace@Example.test', `${victimAddress}<x/>.evil.test`)),
      because: 'more than text',
    },
    'a CDATA section inside NameID': {
      make: spoiled((xml) => xml.replace('Grace@Example.test', '<![CDATA[Grace@Example.test]]>')),
      because: 'CDATA',
    },
    'a processing instruction inside NameID': {
      make: spoiled((xml) => xml.replace('Grace@', '<?x y?>Grace@')),
      because: 'processing instruction',
    },
    'a DOCTYPE': {
      make: spoiled((xml) => `<!DOCTYPE samlp:Response>${xml}`),
      because: 'DOCTYPE',
    },
    'entities that name files and grow': {
      make: spoiled(
        (xml) =>
          `<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY b "&a;&a;">]>${xml.replace('Grace@', '&b;@')}`,
      ),
      because: 'DOCTYPE',
    },
    'two honest assertions': {
      make: (honest) => {
        const xml = signed(honest)
        return xml.replace('<saml:Assertion', () => `${assertionIn(signed(honest))}<saml:Assertion`)
      },
      because: '2 assertions',
    },
    'two documents': { make: spoiled((xml) => xml + xml), because: 'not' },
    'no assertion': { make: (honest) => responseOf(honest, ''), because: '0 assertions' },
    'an encrypted assertion': {
      make: (honest) =>
        responseOf(honest, '<e:EncryptedAssertion xmlns:e="urn:oasis:names:tc:SAML:2.0:assertion"/>'),
      because: 'encrypted',
    },
    'no Audience': {
      make: edited((xml) => xml.replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '')),
      because: 'Audience',
    },
    'another Audience': {
      make: honestly({ audience: 'https://other.test/' }),
      because: 'Audience',
    },
    'no Recipient': {
      make: edited((xml) => xml.replace(/ Recipient="[^"]*"/, '')),
      because: 'Recipient',
    },
    'another Recipient': {
      make: edited((xml) => xml.replace(/ Recipient="[^"]*"/, ' Recipient="https://other.test/acs"')),
      because: 'Recipient',
    },
    'another Destination': {
      make: edited(
        (xml) => xml,
        (xml) => xml.replace(/Destination="[^"]*"/, 'Destination="https://other.test/acs"'),
      ),
      because: 'Destination',
    },
    'no InResponseTo': {
      make: edited(
        (xml) => xml,
        (xml) => xml.replace(/ InResponseTo="[^"]*">/, '>'),
      ),
      because: 'InResponseTo',
    },
    'no InResponseTo in the assertion': {
      make: edited((xml) => xml.replace(/ InResponseTo="[^"]*"/, '')),
      because: 'InResponseTo',
    },
    'another InResponseTo': { make: honestly({ requestId: '_somebodyelses' }), because: 'InResponseTo' },
    'an InResponseTo that differs inside and outside': {
      make: edited((xml) => xml.replace(/ InResponseTo="[^"]*"/, ' InResponseTo="_other"')),
      because: 'InResponseTo',
    },
    'no NotOnOrAfter': {
      make: edited((xml) => xml.replace(/(ConfirmationData) NotOnOrAfter="[^"]*"/, '$1')),
      because: 'NotOnOrAfter',
    },
    'a NotOnOrAfter that is no time': {
      make: edited((xml) => xml.replace(/(ConfirmationData NotOnOrAfter=)"[^"]*"/, '$1"tomorrow"')),
      because: 'NotOnOrAfter',
    },
    'an assertion of yesterday': {
      make: (honest) => sign(responseOf({ ...honest, now: honest.now - 24 * hour }), keys),
      because: 'compare the clocks',
    },
    'an assertion that has ended': {
      make: edited((xml) =>
        xml.replace(
          /(<saml:Conditions[^>]*NotOnOrAfter=)"[^"]*"/,
          `$1"${new Date(Date.now() - 120_000).toISOString()}"`,
        ),
      ),
      because: 'not valid any more',
    },
    'an assertion that has not begun': {
      make: edited((xml) =>
        xml.replace(/NotBefore="[^"]*"/, `NotBefore="${new Date(Date.now() + 120_000).toISOString()}"`),
      ),
      because: 'not valid yet',
    },
    'an assertion without a sign-in': {
      make: edited((xml) => xml.replace(/<saml:AuthnStatement.*<\/saml:AuthnStatement>/, '')),
      because: 'AuthnStatement',
    },
    'another issuer': { make: honestly({ issuer: 'https://other.test/' }), because: 'was issued by' },
    'an issuer that differs inside': {
      make: edited((xml) => xml.replace(`<saml:Issuer>${issuer}`, '<saml:Issuer>https://other.test/')),
      because: 'was issued by',
    },
    'SHA-1 in the signature': {
      make: (honest) =>
        sign(responseOf(honest), keys, { signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }),
      because: 'not allowed',
    },
    'SHA-1 in the digest': {
      make: (honest) => sign(responseOf(honest), keys, { digest: 'http://www.w3.org/2000/09/xmldsig#sha1' }),
      because: 'not allowed',
    },
    'a signature by a shared secret, which would be our public certificate': {
      make: spoiled((xml) =>
        xml.replace(
          'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
          'http://www.w3.org/2000/09/xmldsig#hmac-sha1',
        ),
      ),
      because: 'not allowed',
    },
    'a transform that could pick parts': {
      make: spoiled((xml) =>
        xml.replace(
          'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
          'http://www.w3.org/TR/1999/REC-xslt-19991116',
        ),
      ),
      because: 'not allowed',
    },
    'a certificate in KeyInfo that is not the one that is set': {
      make: (honest) => {
        const xml = sign(responseOf({ ...honest, email: victimAddress }), foreign)
        expect(xml).toContain('<X509Certificate>')
        return xml
      },
      because: 'not signed with the certificate',
    },
    'a NameID that is no address': { make: honestly({ email: 'grace' }), because: 'no e-mail address' },
    'a provider that says no': {
      make: spoiled((xml) => xml.replace('status:Success', 'status:AuthnFailed')),
      because: 'AuthnFailed',
    },
    'something else': { make: () => '<html/>', because: 'no SAML response' },
    'broken XML': { make: spoiled((xml) => xml.slice(0, -5)), because: 'XML' },
  }
}

describeSqlite('SAML sign-in at a real identity provider', ({ open }) => {
  const closing: (() => void)[] = []
  afterAll(() => closing.forEach((close) => close()))

  test('works with only the metadata that each side publishes', async () => {
    const client = openServer(await openTestClient(await open()))
    const require = createRequire(import.meta.url)
    const [express, samlp] = [require('express'), require('samlp')]
    let acsURL = ''
    const app = express()
    app.get('/sso', (request: object, response: object, next: () => void) =>
      samlp.auth({
        issuer,
        cert: keys.certificate,
        key: keys.key,
        destination: acsURL,
        recipient: acsURL,
        lifetimeInSeconds: 300,
        getPostURL: (_audience: string, _request: unknown, _http: unknown, answer: Function) =>
          answer(null, acsURL),
        getUserFromRequest: () => ({
          id: 'ada@example.test',
          displayName: 'Ada',
          emails: [{ value: 'ada@example.test' }],
          name: { givenName: 'Ada', familyName: 'Lovelace' },
        }),
      })(request, response, next),
    )
    const server = createServer(app).listen(0, '127.0.0.1')
    closing.push(() => server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

    const world = await openWorld(client, { ssoURL: `${base}/sso` })
    const login = (await client.request(null, 'GET', `/orgs/${world.organization}/sso`)).body
    expect(login.items).toHaveLength(1)
    const { startURL } = login.items[0]
    const metadata = await client.server.inject({ url: `/~octavo/saml/${world.provider}/metadata` })
    acsURL = /AssertionConsumerService [^>]*Location="([^"]+)"/.exec(metadata.body)![1]!
    expect(metadata.body).toContain('WantAssertionsSigned="true"')

    const started = await client.server.inject({ url: new URL(startURL).pathname })
    const page = await (await fetch(String(started.headers.location))).text()
    const response = /name="SAMLResponse"\s+value="([^"]+)"/.exec(page)![1]!
    const accepted = await answerWith(world, Buffer.from(response, 'base64').toString())
    expect(accepted.statusCode, accepted.body).toBe(303)
    const done = await finish(world, String(accepted.headers.location), pairs(setCookies(started.headers)))
    const user = (await ask(world, pairs(setCookies(done.headers)), '/user')).body
    expect(user).toMatchObject({ displayName: 'Ada Lovelace', email: 'ada@example.test' })
  })
})

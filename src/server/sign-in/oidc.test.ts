/** OpenID Connect against a real provider on this machine. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSignIn } from '../../access/signin/request.js'
import { type TestClient, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { mountSignIn } from './mount.js'

interface ProviderAccountFixture {
  email: string
  email_verified?: boolean
}

// The package has no types.
const { default: Provider } = (await import('oidc-provider' as string)) as { default: any }

const accounts = new Map<string, ProviderAccountFixture>()
const callback = 'http://octavo.test/~octavo/oidc/callback'
let server: Server
let issuer: string

beforeAll(async () => {
  server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'octavo', client_secret: 'provider secret', redirect_uris: [callback] }],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...accounts.get(id)! }),
    }),
  })
  server.on('request', provider.callback())
})

afterAll(() => void server.close())

describeEngines('OpenID Connect', ({ open }) => {
  let client: TestClient

  beforeAll(async () => {
    client = await openTestClient(await open())
    const { services } = client
    const now = Date.now
    const signIn = createSignIn(services, { baseUrl: services.addresses.base, now })
    mountSignIn(
      client.server,
      { services, now, signIn },
      { oidcIssuer: issuer, oidcClientId: 'octavo', oidcClientSecret: 'provider secret', oidcName: 'Acme' },
    )
    await client.person('ada')
  })

  /** Signs in at the provider, and returns the URL that the provider redirects the browser to. */
  async function visit(login: string) {
    const left = await client.server.inject({ url: '/~octavo/oidc/start?return=/s/one/' })
    expect(left.statusCode).toBe(303)
    const pending = String(left.headers['set-cookie']).split(';')[0]!
    const jar = new Map<string, string>()
    let url = String(left.headers.location)
    const authorizationUrl = new URL(url)
    let form: string | undefined
    for (let step = 0; step < 12 && !url.startsWith(callback); step++) {
      const answer = await fetch(new URL(url, issuer), {
        redirect: 'manual',
        method: form === undefined ? 'GET' : 'POST',
        headers: {
          cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(form !== undefined && { body: form }),
      })
      for (const cookie of answer.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
        jar.set(name!, value!)
      }
      const location = answer.headers.get('location')
      const page = location === null ? await answer.text() : ''
      form = location === null ? formFor(page, login) : undefined
      url = location ?? /action="([^"]+)"/.exec(page)![1]!
    }
    return { url, pending, authorizationUrl }
  }

  const comeBack = (url: string, cookie: string) =>
    client.server.inject({ url: url.replace('http://octavo.test', ''), headers: { cookie } })

  test('signs in users whose address the provider has verified, by code, PKCE, state and nonce', async () => {
    accounts.set('ada', { email: 'Ada@octavo.test', email_verified: true })
    const { url, pending, authorizationUrl } = await visit('ada')
    expect(Object.fromEntries(authorizationUrl.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: callback,
    })
    expect(authorizationUrl.searchParams.get('nonce')).toBeTruthy()
    const back = await comeBack(url, pending)
    expect([back.statusCode, back.headers.location], back.body).toEqual([303, '/s/one/'])
    const session = String([back.headers['set-cookie']].flat()[0]).split(';')[0]!
    const user = await client.server.inject({ url: '/v1/user', headers: { cookie: session } })
    expect(user.json().email).toBe('ada@octavo.test')
    expect((await comeBack(url, pending)).statusCode).toBe(401)
  })

  test.each([
    ['an address that is not verified', { email: 'ada@octavo.test', email_verified: false }, 'vouch'],
    ['an address without a word about it', { email: 'ada@octavo.test' }, 'vouch'],
    ['an address without a user', { email: 'eve@octavo.test', email_verified: true }, 'nobody here'],
  ])('refuses %s', async (login, account, because) => {
    accounts.set(login, account)
    const { url, pending } = await visit(login)
    const back = await comeBack(url, pending)
    expect(back.statusCode).toBe(401)
    expect(back.body).toContain(because)
    expect(back.headers['set-cookie']).toBeUndefined()
  })

  /** Signs in through the provider and returns the user, or the error page. */
  async function arrive(login: string) {
    const { url, pending } = await visit(login)
    const back = await comeBack(url, pending)
    if (back.statusCode !== 303) return { refused: back.body }
    const cookie = String([back.headers['set-cookie']].flat()[0]).split(';')[0]!
    const user = await client.server.inject({ url: '/v1/user', headers: { cookie } })
    return { id: user.json().id as string }
  }

  test('identifies users by issuer and subject, also after their address changes', async () => {
    const [bob, eve] = [await client.person('bob'), await client.person('eve2')]
    accounts.set('bob', { email: 'bob@octavo.test', email_verified: true })
    expect(await arrive('bob')).toEqual({ id: bob.id })
    // The provider gave the address to another user, and a new one to Bob.
    accounts.set('heir', { email: 'bob@octavo.test', email_verified: true })
    accounts.set('bob', { email: 'eve2@octavo.test', email_verified: true })
    expect((await arrive('heir')).refused).toContain('another account')
    expect(await arrive('bob')).toEqual({ id: bob.id })
    accounts.set('bob', { email: 'bob@elsewhere.test', email_verified: false })
    expect(await arrive('bob')).toEqual({ id: bob.id })
    accounts.set('eve', { email: 'EVE2@octavo.test', email_verified: true })
    expect(await arrive('eve')).toEqual({ id: eve.id })
  })

  test('folds only A to Z: an address with another letter is another user', async () => {
    await client.person('kim')
    accounts.set('kelvin', { email: '\u212Aim@octavo.test', email_verified: true })
    expect((await arrive('kelvin')).refused).toContain('nobody here')
    accounts.set('kim', { email: 'KIM@octavo.test', email_verified: true })
    expect(await arrive('kim')).toHaveProperty('id')
  })

  test('refuses another browser, another state and a spoiled code', async () => {
    accounts.set('ada', { email: 'ada@octavo.test', email_verified: true })
    const [one, two] = [await visit('ada'), await visit('ada')]
    expect((await comeBack(one.url, '')).statusCode).toBe(401)
    expect((await comeBack(one.url, two.pending)).statusCode).toBe(401)
    expect((await comeBack(one.url.replace(/code=./, 'code=~'), one.pending)).statusCode).toBe(401)
  })

  test('reports a provider that cannot be reached', async () => {
    const other = await openTestClient(await open())
    const { services } = other
    const now = Date.now
    const signIn = createSignIn(services, { baseUrl: services.addresses.base, now })
    const nowhere = { oidcIssuer: 'http://127.0.0.1:1', oidcClientId: 'x', oidcClientSecret: 'x' }
    mountSignIn(other.server, { services, now, signIn }, nowhere)
    const left = await other.server.inject({ url: '/~octavo/oidc/start' })
    expect(left.statusCode).toBe(401)
    expect(left.body).toContain('cannot be reached')
  })
})

function formFor(page: string, login: string): string {
  const fields = new URLSearchParams()
  for (const [, name, value] of page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]+)"/g)) {
    fields.set(name!, value!)
  }
  fields.set('login', login)
  fields.set('password', 'any')
  return fields.toString()
}

/** The password page, in a browser without JavaScript. */
import { beforeAll, expect, test } from 'vitest'
import { isPassword, setPassword } from '../../access/signin/passwords.js'
import { createSignIn } from '../../access/signin/request.js'
import { type NewSession, startSession } from '../../access/signin/sessions.js'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { mountSignIn } from './mount.js'
import { acrossTestOrganizations } from '../../../tests/test-rows.js'

const own = { 'sec-fetch-site': 'same-origin' }
const first = 'correct horse battery'
const second = 'another horse, another battery'
const minutes = 60_000

describeEngines('the password page', ({ open }) => {
  let client: TestClient
  let time = 0

  beforeAll(async () => {
    client = await openTestClient(await open())
    const { services } = client
    const now = () => client.now() + time
    const signIn = createSignIn(services, { baseUrl: services.addresses.base, now })
    mountSignIn(client.server, { services, now, signIn })
  })

  /** Signs a user in and returns the cookie. */
  async function visit(person: Person, more: Partial<NewSession> = {}): Promise<string> {
    const session = { userId: person.id, openedBy: 'link', organizationId: null, ...more } as const
    const arriving = { ip: null, userAgent: null, now: client.now() + time }
    const secret = await client.services.database.write((tx) => startSession(tx, session, arriving))
    return `octavo_session=${secret}`
  }
  const getPage = (cookie?: string) =>
    client.server.inject({ url: '/~octavo/password', ...(cookie !== undefined && { headers: { cookie } }) })
  const send = (cookie: string, form: Record<string, string>, headers: Record<string, string> = own) =>
    client.server.inject({
      method: 'POST',
      url: '/~octavo/password',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers, cookie },
      payload: new URLSearchParams(form).toString(),
    })
  const stored = async ({ id }: Person) => {
    const query = client.services.database.read
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', id)
    return (await query.executeTakeFirstOrThrow()).password_hash
  }

  test('redirects anonymous users to sign in first, and back', async () => {
    for (const answer of [await getPage(), await send('octavo_session=unknown', { password: first })]) {
      expect(answer.statusCode).toBe(303)
      expect(answer.headers.location).toBe('/~octavo/sign-in?return=%2F%7Eoctavo%2Fpassword')
    }
  })

  test('sets the first password without a current one, and ends the other sessions', async () => {
    const ada = await client.person('ada')
    await client.organization(ada)
    const [thisBrowser, otherBrowser] = [await visit(ada), await visit(ada)]
    const page = await getPage(thisBrowser)
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('value="ada@octavo.test"')
    expect(page.body).toContain('autocomplete="new-password"')
    expect(page.body).not.toContain('name="current"')
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    const done = await send(thisBrowser, { password: first })
    expect([done.statusCode, done.body]).toEqual([200, expect.stringContaining('Your password is set')])
    expect(done.body).not.toContain(first)
    expect(await isPassword(await stored(ada), first)).toBe(true)
    expect((await getPage(thisBrowser)).statusCode).toBe(200)
    expect((await getPage(otherBrowser)).statusCode).toBe(303)
    const entries = acrossTestOrganizations(client.services.database.read)
      .selectFrom('audit_events')
      .select('action')
    const written = await entries.where('actor_id', '=', ada.id).execute()
    expect(written.map(({ action }) => action)).toContain('setPassword')
  })

  test('requires the current password, except shortly after signing in by a link', async () => {
    const bob = await client.person('bob')
    await client.services.database.write((tx) => setPassword(tx, bob.id, first, client.now()))
    const cookie = await visit(bob)
    expect((await getPage(cookie)).body).not.toContain('name="current"')
    time = 16 * minutes
    expect((await getPage(cookie)).body).toContain('name="current"')
    const wrong = await send(cookie, { password: second, current: 'no' })
    expect([wrong.statusCode, wrong.body]).toEqual([
      403,
      expect.stringContaining('not your current password'),
    ])
    const short = await send(cookie, { password: 'short', current: first })
    expect([short.statusCode, short.body]).toEqual([400, expect.stringContaining('at least 10 characters')])
    expect(await isPassword(await stored(bob), first)).toBe(true)
    expect((await send(cookie, { password: second, current: first })).statusCode).toBe(200)
    expect(await isPassword(await stored(bob), second)).toBe(true)
  })

  test('accepts no form of another page, and no token', async () => {
    const eve = await client.person('eve')
    const cookie = await visit(eve)
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'http://evil.test' }, {}]) {
      expect((await send(cookie, { password: first }, headers)).statusCode).toBe(403)
    }
    const withToken = await send('', { password: first }, { ...own, authorization: `Bearer ${eve.token}` })
    expect(withToken.statusCode).toBe(303)
    expect(await stored(eve)).toBeNull()
  })

  test('has no form for sessions of a single organization', async () => {
    const kim = await client.person('kim')
    const cookie = await visit(kim, { organizationId: await client.organization(kim) })
    for (const answer of [await getPage(cookie), await send(cookie, { password: first })]) {
      expect([answer.statusCode, answer.body]).toEqual([403, expect.stringContaining('for one organization')])
      expect(answer.body).not.toContain('<form method="post" action="/~octavo/password"')
    }
    expect(await stored(kim)).toBeNull()
  })
})

/** Sign-in in a browser without JavaScript: pages, forms, links by mail; and secrets that are never logged. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { OrganizationId } from '../../core/ids.js'
import { setPassword } from '../../access/signin/passwords.js'
import { insertMailedLink } from '../../access/signin/sessions.js'
import { createSignIn } from '../../access/signin/request.js'
import { drainJobs } from '../../store/jobs/testing.js'
import { createHttpServer } from '../http/create-server.js'
import { mountApi } from '../api/api.js'
import { createMailer, mailHandlers } from '../mail/mail.js'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { openMailbox, unfold } from '../../../tests/mailbox.js'
import { mountHome } from '../sites/home.js'
import { mountSignIn } from './mount.js'
import { safeReturn } from './browser.js'

const password = 'correct horse battery'
const own = { 'sec-fetch-site': 'same-origin' }

describeEngines('the sign-in page', ({ open }) => {
  let client: TestClient
  let ada: Person

  beforeAll(async () => {
    client = await openTestClient(await open())
    const { services, now } = client
    const signIn = createSignIn(services, { baseUrl: services.addresses.base, now })
    mountSignIn(client.server, { services, now, signIn }, { smtpUrl: 'smtp://127.0.0.1:1' })
    mountHome(client.server, { services, now, signIn })
    ada = await client.person('ada')
    await services.database.write((tx) => setPassword(tx, ada.id, password, now()))
  })

  const post = (url: string, form: Record<string, string>, headers: Record<string, string> = own) =>
    client.server.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(form).toString(),
    })

  /** Runs the due mail jobs. */
  async function sendAll(smtpUrl: string): Promise<void> {
    const { database, addresses } = client.services
    const mailer = createMailer({ smtpUrl, mailFrom: 'docs@octavo.test' }, addresses.base)
    await drainJobs({
      database,
      handlers: mailHandlers(mailer, client.services, client.now),
      now: client.now,
      random: Math.random,
      report: (error) => {
        throw error
      },
      signal: new AbortController().signal,
    })
  }

  test('is a form that works without JavaScript, and preserves the return path', async () => {
    const page = await client.server.inject({ url: '/~octavo/sign-in?return=/s/one/' })
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('<input type="hidden" name="return" value="/s/one/">')
    expect(page.body).toContain('autocomplete="current-password"')
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(page.headers['cache-control']).toBe('no-store')
  })

  test("accepts the right password, and ends the browser's previous session", async () => {
    const form = { email: 'ada@octavo.test', password, return: '/s/one/' }
    const first = await post('/~octavo/sign-in', form)
    expect([first.statusCode, first.headers.location]).toEqual([303, '/s/one/'])
    const [session, device] = [first.headers['set-cookie'] ?? []].flat()
    expect(device).toMatch(/^octavo_device=\w{40}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=7776000/)
    const cookie = session!.split(';')[0]!
    const ask = (with_: string) => client.server.inject({ url: '/v1/user', headers: { cookie: with_ } })
    expect((await ask(cookie)).statusCode).toBe(200)
    const second = await post('/~octavo/sign-in', form, { ...own, cookie })
    expect((await ask(cookie)).statusCode).toBe(401)
    const renewed = String(second.headers['set-cookie']).split(';')[0]!
    expect((await ask(renewed)).statusCode).toBe(200)
    await post('/~octavo/sign-out', {}, { ...own, cookie: renewed })
    expect((await ask(renewed)).statusCode).toBe(401)
  })

  test('answers a wrong password and an unknown address alike, and keeps the address in the form', async () => {
    const wrong = await post('/~octavo/sign-in', { email: 'ada@octavo.test', password: 'x' })
    const stranger = await post('/~octavo/sign-in', { email: 'eve@octavo.test', password: 'x' })
    expect([wrong.statusCode, stranger.statusCode]).toEqual([401, 401])
    expect(wrong.body).toContain('role="alert">The e-mail address or the password is wrong.')
    expect(stranger.body.replaceAll('eve@', 'ada@')).toBe(wrong.body)
    expect(wrong.headers['set-cookie']).toBeUndefined()
  })

  test("records a wrong password in the audit log of the user's organizations", async () => {
    const organization = await client.organization(ada)
    const refusals = async () =>
      (await client.request(ada, 'GET', `/orgs/${organization}/audit?action=signInRefused`)).body.items.length
    expect(await refusals()).toBe(0)
    expect((await post('/~octavo/sign-in', { email: 'ada@octavo.test', password: 'x' })).statusCode).toBe(401)
    expect(await refusals()).toBe(1)
  })

  test('blocks after too many attempts, and says for how long', async () => {
    const attempt = () => post('/~octavo/sign-in', { email: 'bob@octavo.test', password: 'x' })
    for (let count = 0; count < 10; count++) expect((await attempt()).statusCode).toBe(401)
    const refused = await attempt()
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800)
    expect(refused.headers).toMatchObject({ 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '0' })
    expect(Number(refused.headers['x-ratelimit-reset'])).toBeGreaterThan(1_000_000_000)
    expect(refused.body).toMatch(/role="alert">Too many attempts. Try again in \d+ minutes\./)
  })

  test('says at the field what is wrong with it', async () => {
    const wrong = await post('/~octavo/sign-in', { email: 'kim@octavo.test', password: 'x' })
    const field = /<input[^>]*id="password"[^>]*>/.exec(wrong.body)![0]
    expect(field).toContain('aria-describedby="password-error" aria-invalid="true"')
    for (const path of ['/~octavo/sign-in/mail', '/~octavo/forgotten-password']) {
      for (const email of ['', 'kim', 'kim @octavo.test']) {
        const refused = await post(path, { email })
        expect(refused.statusCode).toBe(400)
        expect(refused.body).toContain('id="email-error" role="alert"')
      }
    }
  })

  test('refuses forms of other origins', async () => {
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'http://evil.test' }, {}]) {
      const answer = await post('/~octavo/sign-in', { email: 'ada@octavo.test', password }, headers)
      expect(answer.statusCode).toBe(403)
    }
  })

  test('sends a link to known addresses, without revealing which are known', async () => {
    const mails = await openMailbox()
    const answer = await post('/~octavo/sign-in/mail', { email: 'Ada@octavo.test' })
    const stranger = await post('/~octavo/sign-in/mail', { email: 'eve@octavo.test' })
    expect(stranger.body.replaceAll('eve@', 'Ada@')).toBe(answer.body)
    const { database } = client.services
    const stored = await database.read.selectFrom('jobs').select(['type', 'payload']).execute()
    expect(stored.map(({ payload }) => payload)).toEqual(
      expect.arrayContaining(['{"email":"ada@octavo.test"}', '{"email":"eve@octavo.test"}']),
    )
    await sendAll(mails.url)
    mails.close()
    expect(mails.received).toHaveLength(1)
    expect(mails.received[0]).toContain('To: ada@octavo.test')
    const link = linkIn(mails.received[0]!)
    const page = await client.server.inject({ url: `/~octavo/sign-in?link=${link}` })
    expect(page.body).toContain(`name="link" value="${link}"`)
    expect((await post('/~octavo/sign-in', { link })).statusCode).toBe(303)
    expect((await post('/~octavo/sign-in', { link })).statusCode).toBe(401)
  })

  test('sends invitations with a link that signs in to the account', async () => {
    const mails = await openMailbox()
    const boss = await client.person('boss')
    const organization = await client.organization(boss, 'Acme\nBcc: x@evil.test')
    const invited = await client.request(boss, 'POST', `/orgs/${organization}/invites`, {
      emails: ['new@octavo.test'],
      role: 'edit',
    })
    expect(invited.status, invited.text).toBe(200)
    await sendAll(mails.url)
    mails.close()
    const [notice, invitation] = mails.received.toSorted()
    // From the test before: Ada had a password and a token before she followed the first link to her address.
    expect(notice).toContain('Subject: Your account is yours alone now')
    expect(invitation).toContain('invites you to "Acme Bcc: x@evil test". Open')
    expect(invitation).toMatch(/^Subject: \S*Invitation_to_=22Acme_Bcc/m)
    expect(invitation).not.toMatch(/^Bcc:/m)
    const link = linkIn(invitation!)
    const asks = await client.server.inject({ url: `/~octavo/sign-in?link=${link}` })
    expect(asks.body).toContain('<strong>Acme')
    expect(asks.body).toContain('Accept and sign in')
    const opened = await post('/~octavo/sign-in', { link })
    const cookie = String(opened.headers['set-cookie']).split(';')[0]!
    const readOrganization = (id: string) =>
      client.server.inject({ url: `/v1/orgs/${id}`, headers: { cookie } })
    expect((await readOrganization(organization)).statusCode).toBe(200)
  })

  test('leads on to where the person wanted to go by the mailed link', async () => {
    const mails = await openMailbox()
    await client.person('fay')
    await post('/~octavo/sign-in/mail', { email: 'fay@octavo.test', return: '/s/one/two?three=4' })
    await sendAll(mails.url)
    mails.close()
    const url = linkAddressIn(mails.received.find((mail) => mail.includes('To: fay@'))!)
    const page = await client.server.inject({ url: url.pathname + url.search })
    const [, returnTo] = /name="return" value="([^"]*)"/.exec(page.body)!
    expect(returnTo).toBe('/s/one/two?three=4')
    const link = url.searchParams.get('link')!
    const opened = await post('/~octavo/sign-in', { link, return: returnTo! })
    expect([opened.statusCode, opened.headers.location]).toEqual([303, '/s/one/two?three=4'])
  })

  test('sends a link to set a new password, without revealing which addresses are known', async () => {
    const mails = await openMailbox()
    const gus = await client.person('gus')
    await client.services.database.write((tx) => setPassword(tx, gus.id, password, client.now()))
    const known = await post('/~octavo/forgotten-password', { email: 'gus@octavo.test' })
    const unknown = await post('/~octavo/forgotten-password', { email: 'hal@octavo.test' })
    expect(known.statusCode).toBe(200)
    expect(unknown.body.replaceAll('hal@', 'gus@')).toBe(known.body)
    await sendAll(mails.url)
    mails.close()
    const sent = mails.received.filter((mail) => mail.includes('Subject: Set a new password'))
    expect(sent).toEqual([expect.stringContaining('To: gus@octavo.test')])
    const url = linkAddressIn(sent[0]!)
    const opened = await post('/~octavo/sign-in', {
      link: url.searchParams.get('link')!,
      return: url.searchParams.get('return')!,
    })
    expect(opened.headers.location).toBe('/~octavo/password')
    const cookie = String(opened.headers['set-cookie']).split(';')[0]!
    const form = await client.server.inject({ url: '/~octavo/password', headers: { cookie } })
    expect(form.body).not.toContain('name="current"')
    const next = 'another horse battery'
    const done = await post('/~octavo/password', { password: next }, { ...own, cookie })
    expect(done.statusCode).toBe(200)
    const signIn = (value: string) => post('/~octavo/sign-in', { email: 'gus@octavo.test', password: value })
    expect([(await signIn(password)).statusCode, (await signIn(next)).statusCode]).toEqual([401, 303])
  })

  test('accepts the answer to an invitation from the home page only', async () => {
    const [boss, kim] = [await client.person('boss2'), await client.person('kim')]
    const answers = [
      ['accept', 200],
      ['decline', 404],
    ] as const
    const link = await client.services.database.write((tx) => insertMailedLink(tx, kim.id, client.now()))
    const opened = await post('/~octavo/sign-in', { link })
    const cookie = String(opened.headers['set-cookie']).split(';')[0]!
    for (const [answer, status] of answers) {
      const organization = await client.organization(boss, `To ${answer} <b>`)
      await client.request(boss, 'POST', `/orgs/${organization}/invites`, { emails: ['kim@octavo.test'] })
      const page = await client.server.inject({ url: '/', headers: { cookie } })
      expect(page.body).toContain(`To ${answer} &lt;b&gt;`)
      expect(page.body).toContain(`name="organization" value="${organization}"`)
      const form = { organization, answer }
      const foreign = { 'sec-fetch-site': 'cross-site', cookie }
      expect((await post('/~octavo/invitations', form, foreign)).statusCode).toBe(403)
      const done = await post('/~octavo/invitations', form, { ...own, cookie })
      expect([done.statusCode, done.headers.location]).toEqual([303, '/'])
      const readRequest = { url: `/v1/orgs/${organization}`, headers: { cookie } }
      expect((await client.server.inject(readRequest)).statusCode).toBe(status)
      expect((await post('/~octavo/invitations', form, { ...own, cookie })).statusCode).toBe(404)
    }
  })

  test('joins by the address of an invite link, after its button', async () => {
    const [boss, mia] = [await client.person('boss3'), await client.person('mia')]
    const organization = await client.organization(boss, 'Linked <b>')
    const invite = (
      await client.request(boss, 'POST', `/orgs/${organization}/link-invites`, { role: 'edit' })
    ).body
    const { pathname } = new URL(invite.urls.app)
    const again = await client.request(boss, 'GET', new URL(invite.urls.location).pathname.slice(3))
    expect(again.body.urls).toEqual(invite.urls)
    const signedOut = await client.server.inject({ url: pathname })
    expect([signedOut.statusCode, signedOut.headers.location]).toEqual([
      303,
      `/~octavo/sign-in?return=${encodeURIComponent(pathname)}`,
    ])
    const link = await client.services.database.write((tx) => insertMailedLink(tx, mia.id, client.now()))
    const opened = await post('/~octavo/sign-in', { link, return: pathname })
    expect(opened.headers.location).toBe(pathname)
    const cookie = String(opened.headers['set-cookie']).split(';')[0]!
    const page = await client.server.inject({ url: pathname, headers: { cookie } })
    expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('Join Linked &lt;b&gt;')])
    const readRequest = { url: `/v1/orgs/${organization}`, headers: { cookie } }
    expect((await client.server.inject(readRequest)).statusCode).toBe(404)
    const foreign = { 'sec-fetch-site': 'cross-site', cookie }
    expect((await post(pathname, {}, foreign)).statusCode).toBe(403)
    const joined = await post(pathname, {}, { ...own, cookie })
    expect([joined.statusCode, joined.headers.location]).toEqual([303, `/o/${organization}`])
    expect((await client.server.inject(readRequest)).statusCode).toBe(200)
    const wrong = await client.server.inject({ url: `${pathname}x`, headers: { cookie } })
    expect(wrong.statusCode).toBe(404)
    await client.request(boss, 'DELETE', `/orgs/${organization}/link-invites/${invite.id}`)
    expect((await client.server.inject({ url: pathname, headers: { cookie } })).statusCode).toBe(404)
  })

  test('shows the identity providers of an organization', async () => {
    const organization = await client.organization(ada, 'Acme & Co')
    const page = await client.server.inject({ url: `/~octavo/sign-in?organization=${organization}` })
    expect(page.body).toContain('Sign in to Acme &amp; Co')
    const unknown = await client.server.inject({ url: '/~octavo/sign-in?organization=unknown' })
    expect(unknown.statusCode).toBe(200)
  })

  test('finds the organization with single sign-on by its short name and by its e-mail domains', async () => {
    const find = (words: string) =>
      client.server.inject({
        url: `/~octavo/sign-in/organization?${new URLSearchParams({ organization: words, return: '/s/one/' }).toString()}`,
      })
    const admin = await client.person('admin')
    const organizations = await Promise.all(
      ['Sso One', 'Sso Two', 'Without'].map((title) => client.organization(admin, title)),
    )
    const [one, two, without] = organizations
    for (const id of organizations) {
      const change = { emailDomains: ['corp.test'] }
      expect((await client.request(admin, 'PATCH', `/orgs/${id}`, change)).status).toBe(200)
    }
    const { hostname } = (await client.request(admin, 'PATCH', `/orgs/${one}`, { hostname: 'sso-one' })).body
    const signInPage = () => client.server.inject({ url: '/~octavo/sign-in' })
    expect((await signInPage()).body).not.toContain('/~octavo/sign-in/organization')
    for (const id of [one, two]) await addProvider(admin, id!)
    expect((await signInPage()).body).toContain('/~octavo/sign-in/organization?return=%2F"')
    const byName = await find(hostname.toUpperCase())
    expect([byName.statusCode, byName.headers.location]).toEqual([
      303,
      `/~octavo/sign-in?organization=${one}&return=%2Fs%2Fone%2F`,
    ])
    const byDomain = await find('somebody@CORP.test')
    expect(byDomain.body).toContain(`organization=${one}&amp;return=%2Fs%2Fone%2F">Sso One<`)
    expect(byDomain.body).toContain('>Sso Two<')
    expect(byDomain.body).not.toContain(without)
    const nothing = await find('somebody@else.test')
    expect([nothing.statusCode, nothing.body]).toEqual([
      200,
      expect.stringContaining('id="organization-error" role="alert"'),
    ])
  })

  async function addProvider(admin: Person, organization: string): Promise<void> {
    const provider = await client.request(admin, 'POST', `/orgs/${organization}/saml`, { label: 'Corp' })
    expect(provider.status).toBe(201)
    await client.services.database.write((tx) =>
      tx
        .updateTable('saml_providers')
        .set({ entity_id: 'e', sso_url: 'https://idp.test/', certificate: 'c' })
        .where('organization_id', '=', organization as OrganizationId)
        .execute(),
    )
  }

  test('explains the first start until somebody has signed in', async () => {
    const fresh = await openTestClient(await open())
    const { services, now } = fresh
    const signIn = createSignIn(services, { baseUrl: services.addresses.base, now })
    mountSignIn(fresh.server, { services, now, signIn })
    const pageNow = async () => (await fresh.server.inject({ url: '/~octavo/sign-in' })).body
    const first = await fresh.person('first')
    expect(await pageNow()).toContain('This server is new.')
    const link = await services.database.write((tx) => insertMailedLink(tx, first.id, now()))
    await fresh.server.inject({
      method: 'POST',
      url: '/~octavo/sign-in',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...own },
      payload: new URLSearchParams({ link }).toString(),
    })
    expect(await pageNow()).not.toContain('This server is new.')
  })
})

describeEngines('the log at its most verbose level', ({ open }) => {
  test('contains no token, password, cookie or link', async () => {
    const client = await openTestClient(await open())
    const { services, now } = client
    const lines: string[] = []
    const server = createHttpServer({ logLevel: 'trace', log: { write: (line) => void lines.push(line) } })
    const signIn = createSignIn(services, { baseUrl: services.addresses.base, now })
    await mountApi(server, { services, now, signIn })
    mountSignIn(server, { services, now, signIn })
    // An internal error is logged with its cause.
    server.get('/fails', (request) => {
      request.log.debug({ req: request }, 'about to fail')
      throw new Error('on purpose')
    })
    const ada = await client.person('ada')
    await services.database.write((tx) => setPassword(tx, ada.id, password, now()))

    const form = { email: 'ada@octavo.test', password }
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const payload = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
    const opened = await server.inject({
      method: 'POST',
      url: '/~octavo/sign-in',
      headers: { ...own, ...type },
      payload: payload(form),
    })
    expect(opened.statusCode).toBe(303)
    const cookie = String(opened.headers['set-cookie']).split(';')[0]!
    const secrets = [ada.token, password, cookie.split('=')[1]!, 'wrong-password-1', 'a-link-that-is-wrong']
    const headers = { authorization: `Bearer ${ada.token}`, cookie, ...own }
    const made = await server.inject({
      method: 'POST',
      url: '/v1/user/tokens',
      headers,
      payload: { label: 'x' },
    })
    secrets.push(made.json().token)
    for (const [method, url, body] of [
      ['GET', '/v1/user', undefined],
      ['GET', '/fails', undefined],
      ['GET', '/v1/nothing', undefined],
      ['POST', '/~octavo/sign-in', payload({ ...form, password: 'wrong-password-1' })],
      ['POST', '/~octavo/sign-in', payload({ link: 'a-link-that-is-wrong' })],
      ['GET', '/~octavo/sign-in?link=a-link-that-is-wrong', undefined],
      ['POST', '/~octavo/saml/none/acs', payload({ SAMLResponse: 'a-link-that-is-wrong' })],
    ] as const) {
      await server.inject({
        method,
        url,
        headers: { ...headers, ...(body !== undefined && type) },
        ...(body !== undefined && { payload: body }),
      })
    }
    const log = lines.join('')
    expect(log).toContain('on purpose')
    expect(log).toContain('about to fail')
    for (const secret of secrets) expect(log).not.toContain(secret)
    await server.close()
  })
})

describe('the return path', () => {
  test.each([
    ['/s/one?two=3', '/s/one?two=3'],
    ['//evil.test', '/'],
    ['/\\evil.test', '/'],
    ['https://evil.test/', '/'],
    ['/ok\r\nset-cookie: x', '/'],
    ['/tab\there', '/'],
    [undefined, '/'],
    [['/a', '/b'], '/'],
    [`/${'x'.repeat(3000)}`, '/'],
  ])('%s is %s', (wanted, reached) => {
    expect(safeReturn(wanted, 'http://octavo.test')).toBe(reached)
  })
})

function linkIn(mail: string): string {
  return /sign-in\?link=(\w{40})/.exec(unfold(mail))![1]!
}

function linkAddressIn(mail: string): URL {
  return new URL(/http:\S+/.exec(unfold(mail))![0])
}

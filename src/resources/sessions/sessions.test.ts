import { expect, it } from 'vitest'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { endCredentials } from '../../access/signin/credentials.js'
import { rememberDevice } from '../../access/signin/known-devices.js'
import { attemptsFromUnknown, signInWithPassword } from '../../access/signin/password-sign-in.js'
import { setPassword } from '../../access/signin/passwords.js'
import {
  insertMailedLink,
  insertSignInLink,
  openSession,
  sessionCookie,
} from '../../access/signin/sessions.js'
import { sendNoticeJob } from '../../access/signin/notices.js'
import { newApiToken } from '../../access/signin/secrets.js'
import { insertToken } from '../../access/signin/tokens.js'
import type { OrganizationId } from '../../core/ids.js'

const browser = { ip: '192.0.2.7', userAgent: 'Browser' }
const password = 'correct horse battery'

/** Sends requests with a session cookie, as our own page does. */
function clientWithSession(api: TestClient, secret: string) {
  return async (method: string, path: string, body?: unknown, site = 'same-origin') => {
    const answer = await api.server.inject({
      method: method as 'GET',
      url: `/v1${path}`,
      headers: {
        cookie: `other=1; ${sessionCookie}=${secret}`,
        'sec-fetch-site': site,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
    return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() }
  }
}

function signInByLink(
  api: TestClient,
  person: Person,
  only: OrganizationId | null = null,
  replaced?: string,
) {
  return api.services.database.write(async (tx) => {
    const link = await insertSignInLink(tx, person.id, api.now(), only)
    return openSession(tx, link, { ...browser, now: api.now(), replaced })
  })
}

/** The queued notices to a user. */
async function noticesTo(api: TestClient, { id }: Person): Promise<string[]> {
  const jobs = api.services.database.read.selectFrom('jobs').select('payload').orderBy('created_at')
  const payloads = (await jobs.where('type', '=', sendNoticeJob).execute()).map(({ payload }) =>
    JSON.parse(payload),
  )
  return payloads.filter(({ userId }) => userId === id).map(({ notice }) => notice)
}

describeEngines('sessions', ({ open }) => {
  it('make tokens of their user, and keep the preferences of their user', async () => {
    const api = await openTestClient(await open())
    const [ada, bob] = [await api.person('ada'), await api.person('bob')]
    const session = clientWithSession(api, await signInByLink(api, ada))
    const made = await session('POST', '/user/tokens', { label: 'Laptop' })
    expect(made).toMatchObject({ status: 201, body: { object: 'api-token', label: 'Laptop' } })
    const token: Person = { id: ada.id, token: made.body.token }
    expect((await api.request(token, 'GET', '/user')).body.id).toBe(ada.id)

    const mail = {
      reviewRequested: 'at-once',
      mention: 'at-once',
      reply: 'at-once',
      merge: 'at-once',
      assignment: 'at-once',
    }
    const defaults = { object: 'preferences', language: null, theme: 'system', mail }
    expect((await session('GET', '/user/preferences')).body).toEqual(defaults)
    const change = { theme: 'dark', language: 'de', mail: { mention: 'daily' } }
    const changed = { ...defaults, ...change, mail: { ...mail, mention: 'daily' } }
    expect(await session('PATCH', '/user/preferences', change)).toEqual({ status: 200, body: changed })
    const second = { language: null, mail: { reviewRequested: 'never' } }
    const both = { ...changed, language: null, mail: { ...changed.mail, reviewRequested: 'never' } }
    expect((await api.request(token, 'PATCH', '/user/preferences', second)).body).toEqual(both)
    expect((await session('GET', '/user/preferences')).body).toEqual(both)
    expect((await api.request(bob, 'GET', '/user/preferences')).body).toEqual(defaults)
    for (const [body, name] of [
      [{ colour: 'red' }, 'colour'],
      [{ mail: { gossip: 'daily' } }, 'gossip'],
      [{ theme: 'pink' }, 'theme'],
      [{ mail: { reply: 'weekly' } }, 'reply'],
      [{ language: 'Deutsch' }, 'language'],
      [{ language: 7 }, 'language'],
      [{ mail: null }, 'mail'],
      [[], 'body'],
    ] as const) {
      const refused = await session('PATCH', '/user/preferences', body)
      expect(refused.status, JSON.stringify(body)).toBe(400)
      expect(refused.body.error.message).toContain(name)
    }
    expect((await session('GET', '/user/preferences')).body).toEqual(both)
    expect((await api.request(null, 'GET', '/user/preferences')).status).toBe(401)
  })

  it('are listed for their owner, and end immediately when deleted', async () => {
    const api = await openTestClient(await open())
    const [ada, eve] = [await api.person('ada'), await api.person('eve')]
    const current = clientWithSession(api, await signInByLink(api, ada))
    const otherBrowser = clientWithSession(api, await signInByLink(api, ada))
    const list = (await current('GET', '/user/sessions')).body
    expect(list.count).toBe(2)
    expect(list.items.map(({ current }: { current: boolean }) => current)).toEqual([false, true])
    expect(list.items[0]).toMatchObject({ object: 'session', openedBy: 'link', ...browser })
    const [other] = list.items
    expect((await api.request(eve, 'DELETE', `/user/sessions/${other.id}`)).status).toBe(404)
    expect((await otherBrowser('GET', '/user')).status).toBe(200)
    expect((await current('DELETE', `/user/sessions/${other.id}`)).status).toBe(204)
    expect((await otherBrowser('GET', '/user')).status).toBe(401)
    expect((await current('GET', '/user')).status).toBe(200)
  })

  it('write only from our own origin, and end when replaced or expired', async () => {
    const api = await openTestClient(await open())
    const ada = await api.person('ada')
    const first = await signInByLink(api, ada)
    expect((await clientWithSession(api, first)('POST', '/orgs', { title: 'X1' }, 'cross-site')).status).toBe(
      403,
    )
    expect((await clientWithSession(api, first)('POST', '/orgs', { title: 'X1' })).status).toBe(201)
    const second = await signInByLink(api, ada, null, first)
    expect((await clientWithSession(api, first)('GET', '/user')).status).toBe(401)
    expect((await clientWithSession(api, second)('GET', '/user')).status).toBe(200)
    expect((await api.request(ada, 'GET', '/user/sessions')).body.count).toBe(1)
    await api.services.database.write((tx) =>
      tx.updateTable('sessions').set({ expires_at: api.now() }).execute(),
    )
    expect((await clientWithSession(api, second)('GET', '/user')).status).toBe(401)
    expect((await api.request(ada, 'GET', '/user/sessions')).body).toEqual({ items: [], count: 0 })
  })

  it('of a member are ended by an admin, with open sign-in links', async () => {
    const api = await openTestClient(await open())
    const [admin, ada] = [await api.person('admin'), await api.person('ada')]
    const organization = await api.organization(admin)
    await api.join(organization, ada, 'edit')
    const session = clientWithSession(api, await signInByLink(api, ada))
    const path = `/orgs/${organization}/members/${ada.id}/sessions`
    expect((await api.request(ada, 'DELETE', path)).status).toBe(403)
    expect((await api.request(admin, 'DELETE', `/orgs/${organization}/members/nobody/sessions`)).status).toBe(
      404,
    )
    expect((await session('GET', '/user')).status).toBe(200)
    expect((await api.request(admin, 'DELETE', path)).status).toBe(204)
    expect((await session('GET', '/user')).status).toBe(401)
  })
})

describeEngines('the first verification of an address', ({ open }) => {
  it('ends credentials from before it, and none from after', async () => {
    const api = await openTestClient(await open())
    const { database } = api.services
    const ceo = await api.person('ceo')
    await database.write((tx) => setPassword(tx, ceo.id, password, api.now()))
    const early = clientWithSession(api, await signInByLink(api, ceo))
    const open_ = await database.write((tx) => insertSignInLink(tx, ceo.id, api.now()))
    const mailed = async () => {
      const link = await database.write((tx) => insertMailedLink(tx, ceo.id, api.now()))
      return database.write((tx) => openSession(tx, link, { ...browser, now: api.now() }))
    }
    const owner = clientWithSession(api, await mailed())
    expect((await owner('GET', '/user')).body.id).toBe(ceo.id)
    expect((await early('GET', '/user')).status).toBe(401)
    expect((await api.request(ceo, 'GET', '/user')).status).toBe(401)
    const attempt = signInWithPassword(
      database,
      { email: 'ceo@octavo.test', password },
      { ...browser, now: api.now() },
    )
    await expect(attempt).rejects.toThrow('is wrong')
    const late = database.write((tx) => openSession(tx, open_, { ...browser, now: api.now() }))
    await expect(late).rejects.toThrow('sign-in link is unknown')
    expect(await noticesTo(api, ceo)).toEqual(['addressProven'])

    const { token } = (await owner('POST', '/user/tokens', { label: 'mine' })).body
    await mailed()
    expect((await owner('GET', '/user')).status).toBe(200)
    expect((await api.request({ id: ceo.id, token }, 'GET', '/user')).status).toBe(200)
  })
})

describeEngines('sign-in links created by an admin', ({ open }) => {
  it("give access to the admin's organization only, whatever others the user belongs to", async () => {
    const api = await openTestClient(await open())
    const [admin, boss, ada] = [await api.person('admin'), await api.person('boss'), await api.person('ada')]
    const [ours, theirs] = [await api.organization(admin), await api.organization(boss, 'Other')]
    await api.join(ours, ada, 'edit')
    const linkOf = async () => {
      const { body } = await api.request(admin, 'POST', `/orgs/${ours}/members/${ada.id}/sign-in-link`)
      const link = new URL(body.url).searchParams.get('link')!
      const secret = await api.services.database.write((tx) =>
        openSession(tx, link, { ...browser, now: api.now() }),
      )
      return clientWithSession(api, secret)
    }
    const alone = await linkOf()
    await api.join(theirs, ada, 'admin')
    expect((await alone('GET', `/orgs/${theirs}`)).status).toBe(403)
    await alone('DELETE', `/user/sessions/${(await alone('GET', '/user/sessions')).body.items[0].id}`)

    const bound = await linkOf()
    expect((await bound('GET', `/orgs/${ours}`)).status).toBe(200)
    expect((await bound('GET', `/orgs/${theirs}`)).status).toBe(403)
    expect((await bound('GET', '/orgs')).body.items.map(({ id }: { id: string }) => id)).toEqual([ours])
    expect((await bound('POST', '/orgs', { title: 'New' })).status).toBe(403)
    expect((await bound('PUT', '/user/password', { password })).status).toBe(403)
    expect((await bound('GET', '/user/sessions')).body.count).toBe(1)

    const made = (await bound('POST', '/user/tokens', { label: 'bound' })).body
    expect(made.organization).toBe(ours)
    const token = { id: ada.id, token: made.token }
    expect((await api.request(token, 'GET', `/orgs/${ours}`)).status).toBe(200)
    expect((await api.request(token, 'GET', `/orgs/${theirs}`)).status).toBe(403)
    expect((await bound('GET', '/user/tokens')).body.items).toHaveLength(1)
    expect((await api.request(ada, 'GET', '/user/tokens')).body.items).toHaveLength(2)
  })
})

describeEngines('passwords', ({ open }) => {
  it('sign in, with the same error for a wrong password and an unknown user', async () => {
    const api = await openTestClient(await open())
    const ada = await api.person('ada')
    const { database } = api.services
    await database.write((tx) => setPassword(tx, ada.id, password, api.now()))
    const attempt = (email: string, candidate: string) =>
      signInWithPassword(database, { email, password: candidate }, { ...browser, now: api.now() })
    const secret = await attempt(' ADA@octavo.test ', password)
    expect((await clientWithSession(api, secret)('GET', '/user')).body.id).toBe(ada.id)
    const wrong = await attempt('ada@octavo.test', 'wrong').catch((error: Error) => error.message)
    expect(wrong).toContain('The e-mail address or the password is wrong')
    await expect(attempt('nobody@octavo.test', 'wrong')).rejects.toThrow(wrong as string)
  })

  it('are limited to ten attempts in 15 minutes', async () => {
    const api = await openTestClient(await open())
    await api.person('ada')
    const attempt = () =>
      signInWithPassword(
        api.services.database,
        { email: 'ada@octavo.test', password: 'wrong' },
        { ...browser, now: api.now() },
      )
    for (let count = 0; count < 10; count++) await expect(attempt()).rejects.toThrow('is wrong')
    await expect(attempt()).rejects.toThrow('Too many requests')
  })

  it('are protected against brute force from one or many addresses, without locking out known browsers', async () => {
    const api = await openTestClient(await open())
    const ada = await api.person('ada')
    const { database } = api.services
    await database.write((tx) => setPassword(tx, ada.id, password, api.now()))
    const attempt = (candidate: string, ip: string, presented?: string) =>
      signInWithPassword(
        database,
        { email: 'ada@octavo.test', password: candidate },
        { ip, userAgent: null, now: api.now(), device: { presented, issued: `cookie from ${ip}` } },
      )
    await attempt(password, '192.0.2.7')
    // From one address: blocked there, open from others.
    for (let count = 0; count < 10; count++)
      await expect(attempt('no', '198.51.100.1')).rejects.toThrow('wrong')
    await expect(attempt(password, '198.51.100.1')).rejects.toThrow('Too many requests')
    await attempt(password, '198.51.100.2')
    // From many addresses: after a hundred in all, blocked for all unknown browsers.
    await database.attempts.take('account ada@octavo.test', attemptsFromUnknown, 88)
    await expect(attempt(password, '203.0.113.1')).rejects.toThrow('Too many requests')
    await expect(attempt(password, '203.0.113.1', 'made up')).rejects.toThrow('Too many requests')
    // The owner's known browser gets in from any address, with its own limit.
    for (let count = 0; count < 10; count++) {
      await expect(attempt('no', '203.0.113.2', 'cookie from 192.0.2.7')).rejects.toThrow('wrong')
    }
    await expect(attempt(password, '203.0.113.2', 'cookie from 192.0.2.7')).rejects.toThrow(
      'Too many requests',
    )
    await attempt(password, '203.0.113.3', 'cookie from 198.51.100.2')
    // Its cookie was replaced by a new one; and the cookie of another user's browser does not count.
    await expect(attempt(password, '203.0.113.4', 'cookie from 198.51.100.2')).rejects.toThrow(
      'Too many requests',
    )
    const bob = await api.person('bob')
    await database.write((tx) =>
      rememberDevice(tx, bob.id, { presented: undefined, issued: 'of Bob' }, api.now()),
    )
    await expect(attempt(password, '203.0.113.5', 'of Bob')).rejects.toThrow('Too many requests')
    // A new password forgets known browsers.
    await database.write((tx) => endCredentials(tx, ada.id, api.now()))
    await expect(attempt(password, '203.0.113.6', 'cookie from 203.0.113.3')).rejects.toThrow(
      'Too many requests',
    )
  })

  it('are changed with the current one or in a fresh session, and end other sessions', async () => {
    const api = await openTestClient(await open())
    const ada = await api.person('ada')
    const { database } = api.services
    const fresh = clientWithSession(api, await signInByLink(api, ada))
    const put = { password }
    expect((await fresh('PUT', '/user/password', { password: 'short' })).status).toBe(400)
    expect((await fresh('PUT', '/user/password', put)).status).toBe(204)
    const byPassword = await signInWithPassword(
      database,
      { email: 'ada@octavo.test', password },
      { ...browser, now: api.now() },
    )
    const session = clientWithSession(api, byPassword)
    expect((await session('PUT', '/user/password', { password: 'another one 2' })).status).toBe(403)
    const right = { password: 'another one 2', currentPassword: password }
    expect((await session('PUT', '/user/password', right)).status).toBe(204)
    expect((await session('GET', '/user')).status).toBe(200)
    expect((await fresh('GET', '/user')).status).toBe(401)
  })

  it('are set only in a browser session, and end every token, session and open link; the owner is notified', async () => {
    const api = await openTestClient(await open())
    const ada = await api.person('ada')
    const { database } = api.services
    const refused = await api.request(ada, 'PUT', '/user/password', { password })
    expect([refused.status, refused.body.error.message]).toEqual([403, expect.stringContaining('browser')])
    const [current, other] = [await signInByLink(api, ada), await signInByLink(api, ada)]
    const link = await database.write((tx) => insertSignInLink(tx, ada.id, api.now()))
    expect((await clientWithSession(api, current)('PUT', '/user/password', { password })).status).toBe(204)
    expect((await clientWithSession(api, current)('GET', '/user')).status).toBe(200)
    expect((await clientWithSession(api, other)('GET', '/user')).status).toBe(401)
    expect((await api.request(ada, 'GET', '/user')).status).toBe(401)
    await expect(
      database.write((tx) => openSession(tx, link, { ...browser, now: api.now() })),
    ).rejects.toThrow('sign-in link is unknown')
    expect(await noticesTo(api, ada)).toEqual(['passwordSet'])
  })
})

describeEngines('tokens', ({ open }) => {
  it('are returned once, listed without their secret, expire, and are revoked immediately', async () => {
    const api = await openTestClient(await open())
    const [ada, eve] = [await api.person('ada'), await api.person('eve')]
    const made = await api.request(ada, 'POST', '/user/tokens', { label: 'ci' })
    expect(made.status).toBe(201)
    expect(made.body.token).toMatch(/^oct_[A-Za-z0-9]{40}$/)
    const token = { id: ada.id, token: made.body.token }
    expect((await api.request(token, 'GET', '/user')).body.id).toBe(ada.id)
    const list = await api.request(ada, 'GET', '/user/tokens')
    expect(list.body.items.map(({ label }: { label: string }) => label)).toEqual(['ci', 'test'])
    expect(list.body.items[0].lastUsedAt).toBeDefined()
    expect(list.text).not.toContain(made.body.token)
    expect((await api.request(eve, 'DELETE', `/user/tokens/${made.body.id}`)).status).toBe(404)
    // Later uses write nothing: the token is cached.
    for (let use = 0; use < 2; use++) expect((await api.request(token, 'GET', '/user')).status).toBe(200)
    expect((await api.request(ada, 'DELETE', `/user/tokens/${made.body.id}`)).status).toBe(204)
    expect((await api.request(token, 'GET', '/user')).status).toBe(401)

    const past = new Date(api.now() - 1000).toISOString()
    expect((await api.request(ada, 'POST', '/user/tokens', { label: 'x', expiresAt: past })).status).toBe(400)
    const soon = new Date(api.now() + 15).toISOString()
    const brief = (await api.request(ada, 'POST', '/user/tokens', { label: 'x', expiresAt: soon })).body
    for (let time = 0; time < 20; time++) api.now()
    expect((await api.request({ id: ada.id, token: brief.token }, 'GET', '/user')).status).toBe(401)
  })
})

describeEngines('a token', ({ open }) => {
  const made = async (
    api: TestClient,
    maker: Person,
    more: object = {},
  ): Promise<Person & { key: string; end?: string }> => {
    const { body } = await api.request(maker, 'POST', '/user/tokens', { label: 'made', ...more })
    return { id: maker.id, token: body.token, key: body.id, end: body.expiresAt }
  }

  it('ends with the credential that created it, transitively', async () => {
    const api = await openTestClient(await open())
    const ada = await api.person('ada')
    const expiresAt = new Date(api.now() + 60_000).toISOString()
    const parent = await made(api, ada, { expiresAt })
    const child = await made(api, parent)
    const grandchild = await made(api, child, { expiresAt: '2030-01-01T00:00:00.000Z' })
    expect([child.end, grandchild.end]).toEqual([expiresAt, expiresAt])
    expect((await api.request(grandchild, 'GET', '/user')).status).toBe(200)
    expect((await api.request(ada, 'DELETE', `/user/tokens/${parent.key}`)).status).toBe(204)
    for (const one of [parent, child, grandchild])
      expect((await api.request(one, 'GET', '/user')).status).toBe(401)
    expect((await api.request(ada, 'GET', '/user/tokens')).body.count).toBe(1)
  })

  it('that was created at the moment when its parent ended, has ended', async () => {
    const api = await openTestClient(await open())
    const ada = await api.person('ada')
    const [parent, child] = [await made(api, ada), { id: ada.id, token: newApiToken() }]
    await api.request(ada, 'DELETE', `/user/tokens/${parent.key}`)
    const late = { userId: ada.id, token: child.token, label: 'late', now: api.now(), parentId: parent.key }
    await api.services.database.write((tx) => insertToken(tx, late))
    expect((await api.request(child, 'GET', '/user')).status).toBe(401)
  })

  it('expires no later than the session for one organization that created it', async () => {
    const api = await openTestClient(await open())
    const [admin, ada] = [await api.person('admin'), await api.person('ada')]
    const organization = await api.organization(admin)
    await api.join(organization, ada, 'edit')
    const bound = clientWithSession(api, await signInByLink(api, ada, organization))
    const [session] = (await bound('GET', '/user/sessions')).body.items
    const token = (await bound('POST', '/user/tokens', { label: 'bound' })).body
    expect([token.organization, token.expiresAt]).toEqual([organization, session.expiresAt])
    const whole = clientWithSession(api, await signInByLink(api, ada))
    expect((await whole('POST', '/user/tokens', { label: 'whole' })).body).not.toHaveProperty('expiresAt')
  })
})

describeEngines('single sign-on', ({ open }) => {
  it('blocks tokens created in other sessions of its members, unless they are admins', async () => {
    const api = await openTestClient(await open())
    const [admin, ada] = [await api.person('admin'), await api.person('ada')]
    const organization = await api.organization(admin)
    await api.join(organization, ada, 'edit')
    const { database } = api.services
    await database.write((tx) => setPassword(tx, ada.id, password, api.now()))
    const byPassword = await signInWithPassword(
      database,
      { email: 'ada@octavo.test', password },
      { ...browser, now: api.now() },
    )
    const { token } = (await clientWithSession(api, byPassword)('POST', '/user/tokens', { label: 'ci' })).body
    const made = { id: ada.id, token }
    const look = async () => (await api.request(made, 'GET', `/orgs/${organization}/members`)).status
    expect(await look()).toBe(200)
    await api.request(admin, 'PATCH', `/orgs/${organization}`, { sso: true })
    expect(await look()).toBe(403)
    await api.request(admin, 'PATCH', `/orgs/${organization}/members/${ada.id}`, { role: 'admin' })
    expect(await look()).toBe(200)
    await api.request(admin, 'PATCH', `/orgs/${organization}/members/${ada.id}`, { role: 'edit' })
    expect(await look()).toBe(403)
    await api.request(admin, 'PATCH', `/orgs/${organization}`, { sso: false })
    expect(await look()).toBe(200)
  })

  it('blocks other sessions of its members, but not of admins', async () => {
    const api = await openTestClient(await open())
    const [admin, ada] = [await api.person('admin'), await api.person('ada')]
    const [ours, own] = [await api.organization(admin), await api.organization(ada, 'Own')]
    await api.join(ours, ada, 'edit')
    const session = clientWithSession(api, await signInByLink(api, ada))
    const chief = clientWithSession(api, await signInByLink(api, admin))
    expect((await session('GET', `/orgs/${ours}`)).status).toBe(200)
    await api.services.database.write((tx) =>
      tx.updateTable('organizations').set({ sso: 1 }).where('id', '=', ours).execute(),
    )
    const refused = await session('GET', `/orgs/${ours}`)
    expect(refused.status).toBe(403)
    expect(refused.body.error.message).toContain(`/~octavo/sign-in?organization=${ours}`)
    expect((await session('GET', `/orgs/${ours}/spaces`)).status).toBe(403)
    expect((await session('GET', `/orgs/${own}`)).status).toBe(200)
    expect((await chief('GET', `/orgs/${ours}`)).status).toBe(200)
    expect((await api.request(ada, 'GET', `/orgs/${ours}`)).status).toBe(403)
    expect((await api.request(admin, 'GET', `/orgs/${ours}`)).status).toBe(200)
  })
})

/** Visitors of a site: their tokens and claims, and the cookies that store them. */
import { expect, test } from 'vitest'
import { describeSqlite } from '../../../tests/engines.js'
import { openSiteClient } from '../../../tests/site-client.js'
import { makeVisitorToken } from '../../../tests/visitor-token.js'

describeSqlite('a visitor', (engine) => {
  async function open() {
    const client = await openSiteClient(await engine.open())
    const ann = await client.person('ann')
    const acme = await client.organization(ann)
    const { id: space } = await client.space(ann, acme, 'Guide', [
      { slug: 'home', markdown: '# Home\n' },
      { slug: 'start', markdown: '# Start\n' },
    ])
    const { id, base } = await client.publish(ann, acme, { title: 'Docs', spaces: [space] })
    const auth = await client.request(ann, 'GET', `/orgs/${acme}/sites/${id}/publishing/auth`)
    const now = Math.floor(client.now() / 1000)
    const token = (claims: object, key: string = auth.body.privateKey) => makeVisitorToken(key, claims)
    const readVisitorClaims = async (headers: Record<string, string>, path = '~octavo/visitor') => {
      const { status, text } = await client.read(base + path, headers)
      expect(status).toBe(200)
      return JSON.parse(text).visitor.claims
    }
    const ask = (method: string, path: string, body?: object) =>
      client.request(ann, method, `/orgs/${acme}/sites/${id}${path}`, body)
    return { client, base, token, readVisitorClaims, now, ask }
  }

  const cookiesOf = (header: string | string[] | undefined) =>
    [header ?? []].flat().map((cookie) => {
      const [pair = '', ...attributes] = cookie.split('; ')
      return { pair, attributes }
    })

  test('is identified by a token in a URL, which a cookie of the site stores from then on', async () => {
    const { client, base, token, readVisitorClaims, now } = await open()
    const claims = { plan: 'pro', exp: now + 7200 }
    const first = await client.read(`${base}start?jwt_token=${token(claims)}&page=2`)
    expect([first.status, first.headers['location']]).toEqual([307, `${base}start?page=2`])
    expect(first.headers['cache-control']).toBe('no-store')
    const [cookie, ...others] = cookiesOf(first.headers['set-cookie'])
    expect(others).toEqual([])
    expect(cookie!.attributes.toSorted()).toEqual([
      'HttpOnly',
      expect.stringMatching(/^Max-Age=7(?:199|200)$/),
      `Path=${base}`,
      'SameSite=Lax',
    ])
    expect(await readVisitorClaims({ cookie: cookie!.pair })).toEqual({ ...claims, unsigned: {} })
    expect(await readVisitorClaims({ cookie: cookie!.pair }, '~gitbook/visitor')).toEqual({
      ...claims,
      unsigned: {},
    })
    expect((await client.read(`${base}start`, { cookie: cookie!.pair })).status).toBe(200)

    const back = await client.read(`${base}start?jwt_token=`, { cookie: cookie!.pair })
    expect(back.headers['location']).toBe(`${base}start`)
    expect(cookiesOf(back.headers['set-cookie'])[0]!.attributes).toContain('Max-Age=0')
  })

  test('is anonymous with an invalid token, which is not stored', async () => {
    const { client, base, token, readVisitorClaims, now } = await open()
    const none = { unsigned: {} }
    for (const bad of ['x', token({}, 'another key'), token({ exp: now - 60 })]) {
      const { status, headers } = await client.read(`${base}?jwt_token=${bad}`)
      expect([status, headers['location'], headers['set-cookie']]).toEqual([307, base, undefined])
      expect(await readVisitorClaims({ cookie: `octavo-visitor-token=${bad}` })).toEqual(none)
      expect(await readVisitorClaims({ authorization: `Bearer ${bad}.x.x` })).toEqual(none)
    }
    expect(await readVisitorClaims({ cookie: `octavo-visitor-token=${token({ a: 1 })}` })).toEqual({
      a: 1,
      ...none,
    })
    expect(await readVisitorClaims({ authorization: `Bearer ${token({ a: 2 })}` })).toEqual({ a: 2, ...none })
  })

  test('sets unsigned claims in a URL, which a session cookie stores', async () => {
    const { client, base, readVisitorClaims } = await open()
    const first = await client.read(`${base}start?visitor.language=fr&visitor.beta=true&q=x`)
    expect([first.status, first.headers['location']]).toEqual([307, `${base}start?q=x`])
    const [{ pair, attributes }] = cookiesOf(first.headers['set-cookie']) as [
      ReturnType<typeof cookiesOf>[number],
    ]
    expect(attributes.toSorted()).toEqual(['HttpOnly', `Path=${base}`, 'SameSite=Lax'])
    expect(await readVisitorClaims({ cookie: pair })).toEqual({ unsigned: { language: 'fr', beta: true } })
    const second = await client.read(`${base}?visitor.language=de`, { cookie: pair })
    const [{ pair: later }] = cookiesOf(second.headers['set-cookie']) as [
      ReturnType<typeof cookiesOf>[number],
    ]
    expect(await readVisitorClaims({ cookie: later })).toEqual({ unsigned: { language: 'de', beta: true } })
  })

  test('has claims on a site with visitor authentication', async () => {
    const { client, token } = await open()
    expect((await client.read(`/@acme/none/?jwt_token=${token({})}`)).status).toBe(404)
    expect((await client.read('/@acme/none/~octavo/visitor')).status).toBe(404)
  })

  test('of a site behind share links uses one, which all links of the site keep', async () => {
    const { client, base, ask } = await open()
    await ask('PATCH', '', { visibility: 'share-link' })
    const { body: link } = await ask('POST', '/share-links', { name: 'Reviewers' })
    const own = new URL(link.urls.published).pathname
    const { status, text, headers } = await client.read(own)
    expect([status, headers['cache-control']]).toEqual([200, 'private, max-age=0, must-revalidate'])
    const hrefs = [...text.matchAll(/(?:href|src)="(\/@[^"]*)"/g)].map(([, href]) => href!)
    expect(hrefs.length).toBeGreaterThan(2)
    for (const href of hrefs) {
      expect(href.startsWith(own), href).toBe(true)
      expect((await client.read(href)).status, href).toBe(200)
    }
    expect((await client.read(own.slice(0, -1))).headers['location']).toBe(own)
    expect((await client.read(base)).status).toBe(404)
    await ask('PATCH', `/share-links/${link.id}`, { active: false })
    expect((await client.read(own)).status).toBe(404)
    await ask('PATCH', `/share-links/${link.id}`, { active: true })
    expect((await client.read(own)).status).toBe(200)
    await ask('DELETE', `/share-links/${link.id}`)
    expect((await client.read(own)).status).toBe(404)
  })

  test('of a site for visitors is redirected to sign in, and back to the wanted page', async () => {
    const { client, base, token, ask } = await open()
    await ask('PATCH', '', { visibility: 'visitor-auth' })
    const refused = await client.read(`${base}start`)
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    await ask('PATCH', '/publishing/auth', {
      fallbackURL: 'https://example.com/login?from=docs',
      logoutURL: 'https://example.com/out',
    })
    const login = (location: string) =>
      `https://example.com/login?${new URLSearchParams({ from: 'docs', location }).toString()}`
    const led = async (path: string, headers?: Record<string, string>) => {
      const answer = await client.read(base + path, headers)
      return [answer.status, answer.headers['location']]
    }
    expect(await led('start?page=2')).toEqual([307, login('/start?page=2')])
    expect(await led('~gitbook/auth/login?location=/start')).toEqual([307, login('/start')])
    expect((await client.read(`${base}~octavo/search?q=start`)).status).toBe(401)

    const authorization = `Bearer ${token({})}`
    expect((await client.read(`${base}start`, { authorization })).status).toBe(200)
    expect(await led('~octavo/auth/login?location=/start', { authorization })).toEqual([307, `${base}start`])
    for (const elsewhere of ['//example.com/', '/../../v1', String.raw`\example.com`])
      expect(
        (
          await led(`~octavo/auth/login?${new URLSearchParams({ location: elsewhere })}`, { authorization })
        )[1],
      ).toMatch(new RegExp(`^${base}`))
    const out = await client.read(`${base}~octavo/auth/logout`, { authorization })
    expect(out.headers['location']).toBe('https://example.com/out')
    expect(cookiesOf(out.headers['set-cookie'])[0]!.attributes).toContain('Max-Age=0')

    await ask('POST', '/publishing/auth/regenerate')
    expect(await led('start', { authorization })).toEqual([307, login('/start')])
  })

  test('is previewed, published or not, for an hour and while the requester has access', async () => {
    const { client, base, ask } = await open()
    await ask('POST', '/unpublish')
    const { url } = (await ask('GET', '/publishing/preview?claims=(plan:pro,unsigned:(language:fr))')).body
    const own = new URL(url).pathname
    expect((await client.read(own)).status).toBe(200)
    expect((await client.read(`${own}start`)).headers['x-robots-tag']).toBe('noindex')
    expect(JSON.parse((await client.read(`${own}~octavo/visitor`)).text)).toEqual({
      visitor: { claims: { plan: 'pro', unsigned: { language: 'fr' } } },
    })
    expect((await client.read(base)).status).toBe(404)
    expect((await client.read(own.replace(/\/$/, 'x/'))).status).toBe(404)
    client.advance(59 * 60 * 1000)
    expect((await client.read(own)).status).toBe(200)
    client.advance(60 * 1000)
    expect((await client.read(own)).status).toBe(404)
  })

  test('who guesses keys is blocked for a while, and no other visitor', async () => {
    const { client, ask } = await open()
    await ask('PATCH', '', { visibility: 'share-link' })
    const { body: link } = await ask('POST', '/share-links', {})
    const own = new URL(link.urls.published).pathname
    const read = async (path: string, remoteAddress: string) =>
      (await client.server.inject({ url: path, remoteAddress, headers: { host: 'octavo.test' } })).statusCode
    const guess = (number: number) => own.replace(/[\w-]{30}\/$/, `${number}`.padStart(30, 'x'))
    for (let number = 0; number < 60; number += 1) expect(await read(guess(number), '10.0.0.1')).toBe(404)
    expect(await read(guess(60), '10.0.0.1')).toBe(429)
    expect(await read(own, '10.0.0.1')).toBe(429)
    expect(await read(own, '10.0.0.2')).toBe(200)
  })
})

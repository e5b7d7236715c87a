/** The headers of every answer: of each route, of errors, and of cached responses. */
import type { AddressInfo } from 'node:net'
import { request as ask } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { OrganizationId } from '../../core/ids.js'
import { createAddresses } from '../../contract/addresses.js'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeSqlite } from '../../../tests/engines.js'
import { createServer } from '../server.js'

const token = 'a token of operators'

describeSqlite('headers', (engine) => {
  let client: TestClient
  let ann: Person
  let acme: OrganizationId
  let server: Awaited<ReturnType<typeof createServer>>

  async function open(baseUrl: string): Promise<void> {
    client = await openTestClient(await engine.open())
    const addresses = createAddresses({ baseUrl, sign: (text) => text.length.toString() })
    server = await createServer({
      services: { ...client.services, addresses },
      now: client.now,
      logLevel: 'silent',
      isReady: () => true,
      settings: { metricsToken: token, trustedProxies: '127.0.0.1' },
    })
    ann = await client.person('ann')
    acme = await client.organization(ann)
  }

  afterEach(() => server.close())

  const always = {
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'strict-transport-security': 'max-age=31536000',
  }

  describe('by https', () => {
    beforeEach(() => open('https://docs.octavo.test'))

    test('every route has the security headers, and answers of the API and errors are not cached', async () => {
      const routes = server.printRoutes({ commonPrefix: false }).split('\n').length
      expect(routes).toBeGreaterThan(50)
      const paths = [
        '/',
        '/healthz',
        '/readyz',
        '/metrics',
        '/openapi.json',
        '/nothing',
        '/%ZZ',
        '/~octavo/sign-in',
        '/~octavo/assets/site.css',
        '/~octavo/files/a/b/c',
        '/@acme/none/',
        '/s/none/',
        '/~octavo/saml/none/metadata',
        '/~octavo/saml/finish',
        '/v1/user',
        '/v1/orgs',
        `/v1/orgs/${acme}`,
        '/v1/orgs/none',
        '/v1/nothing',
        '/v1/orgs?limit=x',
      ]
      let pages = 0
      for (const authorization of [undefined, `Bearer ${ann.token}`, 'Bearer wrong']) {
        for (const url of paths) {
          for (const method of ['GET', 'POST'] as const) {
            const headers = { host: 'docs.octavo.test', ...(authorization && { authorization }) }
            const answer = await server.inject({ method, url, headers })
            const label = `${method} ${url} ${answer.statusCode}`
            expect(answer.headers, label).toMatchObject(always)
            const isNoStore =
              url.startsWith('/v1') ||
              (String(answer.headers['content-type']).startsWith('application/json') &&
                answer.statusCode >= 400)
            if (isNoStore) expect(answer.headers['cache-control'], label).toBe('no-store')
            const isPage = String(answer.headers['content-type']).startsWith('text/html')
            if (isPage) pages += 1
            expect(answer.headers['permissions-policy'], label).toEqual(
              isPage ? expect.stringMatching(/clipboard-write=\(self\).*camera=\(\)/) : undefined,
            )
          }
        }
      }
      expect(pages).toBeGreaterThan(10)
    })

    test("cookies are this host's alone", async () => {
      const email = 'ann@octavo.test'
      const { body } = await client.request(ann, 'POST', `/orgs/${acme}/invites`, {
        emails: ['new@octavo.test'],
      })
      expect(body.invited, email).toBe(1)
      const answer = await server.inject({
        method: 'POST',
        url: '/~octavo/sign-out',
        headers: { origin: 'https://docs.octavo.test', host: 'docs.octavo.test' },
      })
      expect(String(answer.headers['set-cookie'])).toMatch(
        /^__Host-octavo_session=; Path=\/; HttpOnly; SameSite=Lax; Max-Age=0; Secure$/,
      )
    })

    test('cached responses have them too', async () => {
      await server.listen({ host: '127.0.0.1', port: 0 })
      const { port } = server.server.address() as AddressInfo
      const read = (path: string, headers: Record<string, string>) =>
        new Promise<{ status: number; headers: Record<string, unknown> }>((resolve, reject) => {
          ask(
            { port, path, host: '127.0.0.1', headers: { host: 'docs.octavo.test', ...headers } },
            (answer) => {
              answer
                .resume()
                .on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers }))
            },
          )
            .on('error', reject)
            .end()
        })
      const space = (await client.request(ann, 'POST', `/orgs/${acme}/spaces`, { title: 'Guide' })).body
      const site = (
        await client.request(ann, 'POST', `/orgs/${acme}/sites`, { title: 'Guide', spaces: [space.id] })
      ).body
      await client.request(ann, 'POST', `/orgs/${acme}/sites/${site.id}/publish`)
      const { pages } = (await client.request(ann, 'GET', `/spaces/${space.id}/content/pages`)).body
      const api = `/v1/spaces/${space.id}/content/page/${pages[0].id}`
      for (const turn of ['first', 'again']) {
        const page = await read('/@acme/guide/', {})
        expect([page.status, page.headers['cache-control']], turn).toEqual([
          200,
          'public, max-age=0, must-revalidate',
        ])
        expect(page.headers, turn).toMatchObject(always)
        expect(page.headers['permissions-policy'], turn).toContain('fullscreen=(self)')
        const unchanged = await read('/@acme/guide/', { 'if-none-match': String(page.headers['etag']) })
        expect(unchanged.status).toBe(304)
        expect(unchanged.headers).toMatchObject(always)
        const document = await read(api, { authorization: `Bearer ${ann.token}` })
        expect([document.status, document.headers['cache-control']], turn).toEqual([200, 'no-store'])
        expect(document.headers, turn).toMatchObject(always)
      }
    })

    test('the metrics are for this machine, or for holders of their token', async () => {
      const status = async (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
        (await server.inject({ url: '/metrics', headers, remoteAddress })).statusCode
      const host = { host: '127.0.0.1:4000' }
      expect(await status(host)).toBe(200)
      expect(await status({ host: 'localhost' }, '::1')).toBe(200)
      expect(await status(host, '10.0.0.1')).toBe(403)
      expect(await status({ ...host, 'x-forwarded-for': '10.0.0.1' })).toBe(403)
      expect(await status({ ...host, forwarded: 'for=127.0.0.1' })).toBe(403)
      for (const other of ['docs.octavo.test', 'rebound.example:4000', '127.0.0.1.example', 'x.localhost'])
        expect(await status({ host: other }), other).toBe(403)
      expect(await status({ host: '[::1]:4000' }, '::1')).toBe(200)
      expect(await status({ ...host, authorization: `Bearer ${token}` }, '10.0.0.1')).toBe(200)
      expect(await status({ ...host, authorization: `Bearer ${token}x` }, '10.0.0.1')).toBe(403)
    })
  })

  test('http has no strict transport security, and unprefixed cookie names', async () => {
    await open('http://127.0.0.1:4000')
    const answer = await server.inject({
      method: 'POST',
      url: '/~octavo/sign-out',
      headers: { origin: 'http://127.0.0.1:4000' },
    })
    expect(answer.headers['strict-transport-security']).toBeUndefined()
    expect(String(answer.headers['set-cookie'])).toBe(
      'octavo_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
    )
  })
})

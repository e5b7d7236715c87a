/** The app in browsers, and JSON for clients of the API, at the addresses of the app. */
import { beforeAll, describe, expect, test } from 'vitest'
import { describeSqlite } from '../../../tests/engines.js'
import { type Person, type TestClient, openTestClient } from '../../../tests/test-client.js'
import { insertMailedLink } from '../../access/signin/sessions.js'
import { createSignIn } from '../../access/signin/request.js'
import { mountHome } from '../sites/home.js'
import { mountSignIn } from '../sign-in/mount.js'
import { mountApp } from './app-shell.js'

const secure = { 'sec-fetch-dest': 'document', accept: 'text/html' }
const plainHttp = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const browsers = [
  ['of https and of this machine', secure],
  ['of plain http, which names no destination', plainHttp],
] as const

describeSqlite('an address of the app', (engine) => {
  let client: TestClient
  let ben: Person
  let cookie: string
  let space: string
  let organization: string

  beforeAll(async () => {
    client = await openTestClient(await engine.open())
    const { services, now, server } = client
    const mounting = {
      services,
      now,
      signIn: createSignIn(services, { baseUrl: services.addresses.base, now }),
    }
    mountApp(server, { ...mounting, renderNotFound: async () => 'not found' })
    mountHome(server, mounting)
    mountSignIn(server, mounting)
    ben = await client.person('ben')
    const ada = await client.person('ada')
    const link = await services.database.write((tx) => insertMailedLink(tx, ada.id, now()))
    const opened = await server.inject({
      method: 'POST',
      url: '/~octavo/sign-in',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
      payload: `link=${link}`,
    })
    cookie = String(opened.headers['set-cookie']).split(';')[0]!
    organization = await client.organization(ada)
    const created = await server.inject({
      method: 'POST',
      url: `/v1/orgs/${organization}/spaces`,
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
      payload: { title: 'Guide' },
    })
    space = created.json().id
  })

  const get = (url: string, headers: Record<string, string> = {}) => client.server.inject({ url, headers })
  const paths = () => ['/account', `/o/${organization}`, `/o/${organization}/site/x/`, `/s/${space}/`, '/']
  const isApp = (body: string) => body.includes('<div id="app">')

  describe.each(browsers)('in a browser %s', (_, headers) => {
    test('is the app for a person who is signed in, with status 404 where there is none', async () => {
      for (const path of paths()) {
        const page = await get(path, { ...headers, cookie })
        expect([path, page.statusCode, isApp(page.body)]).toEqual([path, 200, true])
      }
      for (const path of ['/nothing', '/s', '/o']) {
        const page = await get(path, { ...headers, cookie })
        expect([path, page.statusCode, isApp(page.body)]).toEqual([path, 404, true])
      }
    })

    test('leads a visitor to the sign-in page and back, and an unknown one is a page', async () => {
      for (const path of paths().filter((one) => one !== '/')) {
        const answer = await get(`${path}?a=b`, headers)
        expect([answer.statusCode, answer.headers.location]).toEqual([
          303,
          `/~octavo/sign-in?return=${encodeURIComponent(`${path}?a=b`)}`,
        ])
      }
      const unknown = await get('/nothing', headers)
      expect([unknown.statusCode, unknown.headers['content-type'], isApp(unknown.body)]).toEqual([
        404,
        'text/html; charset=utf-8',
        false,
      ])
    })
  })

  test('is JSON for clients of the API', async () => {
    const json = { accept: 'application/json' }
    const authorization = `Bearer ${ben.token}`
    const answers = await Promise.all([
      get(`/o/${organization}`, json),
      get(`/o/${organization}`, { ...json, authorization }),
      get('/account'),
      get('/nothing', json),
      get(`/s/${space}/`, json),
      get('/s/unknown/', { ...json, authorization }),
    ])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 404, 401, 404, 401, 404])
    for (const answer of answers) expect(answer.json()).toMatchObject({ error: { code: answer.statusCode } })
  })

  test('is the page of readers for scripts and frames', async () => {
    for (const destination of ['empty', 'iframe']) {
      const page = await get(`/s/${space}/`, { accept: 'text/html', 'sec-fetch-dest': destination, cookie })
      expect([page.statusCode, isApp(page.body)]).toEqual([200, false])
    }
    expect(isApp((await get(`/s/${space}/`, { accept: 'text/html', cookie })).body)).toBe(false)
  })

  test('of the API stays JSON in a browser', async () => {
    for (const path of ['/v1/nothing', '/~octavo/nothing']) {
      const answer = await get(path, { ...secure, cookie })
      expect([answer.statusCode, answer.json().error.code]).toEqual([404, 404])
    }
  })
})

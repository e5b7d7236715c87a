import { request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeConcurrency } from '../../../tests/engines.js'
import type { Database } from '../../store/db/database.js'
import { createServer } from '../server.js'

interface ApiAnswer {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: any
}

/** In the middle of a minute, so that the minute does not end during the test. */
const noon = Date.parse('2026-01-01T12:00:10Z')

describeConcurrency('rate limits', (engine) => {
  let client: TestClient
  let database: Database
  let time = noon
  const servers: FastifyInstance[] = []
  beforeAll(async () => {
    database = await engine.open()
    client = await openTestClient(database)
  })
  afterAll(() => Promise.all(servers.map((server) => server.close())))

  /** Opens a server of its own, as another process has, and sends requests over a connection. */
  async function serverOf(
    on: Database,
    settings: { requestsPerToken?: number; requestsPerAddress?: number; trustedProxies?: string },
  ) {
    const { services } = on === database ? client : await openTestClient(on)
    const server = await createServer({
      services,
      now: () => time,
      logLevel: 'error',
      settings,
      isReady: () => true,
    })
    await server.listen({ host: '127.0.0.1', port: 0 })
    servers.push(server)
    const { port } = server.server.address() as AddressInfo
    return (
      person: Person | string | null,
      path: string,
      headers: Record<string, string> = {},
    ): Promise<ApiAnswer> =>
      new Promise((resolve, reject) => {
        const token = typeof person === 'string' ? person : person?.token
        const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
        const sent = ask(
          { port, path: `/v1${path}`, headers: { ...authorization, ...headers } },
          (answer) => {
            let text = ''
            answer.setEncoding('utf8')
            answer.on('data', (piece: string) => (text += piece))
            answer.on('end', () => {
              resolve({ status: answer.statusCode!, headers: answer.headers, body: JSON.parse(text) })
            })
          },
        )
        sent.on('error', reject).end()
      })
  }

  const left = ({ headers }: ApiAnswer): number => Number(headers['x-ratelimit-remaining'])

  test('a token gets its remaining quota, and 429 until the minute is over', async () => {
    const server = await serverOf(database, { requestsPerToken: 3 })
    const ann = await client.person('ann')
    const answers = [
      await server(ann, '/user'),
      await server(ann, '/orgs/none'),
      await server(ann, '/user?limit=a'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200])
    expect(answers.map(left)).toEqual([2, 1, 0])
    expect(answers[0]!.headers).toMatchObject({
      'x-ratelimit-limit': '3',
      'x-ratelimit-reset': String(Date.parse('2026-01-01T12:01:00Z') / 1000),
    })
    const refused = await server(ann, '/user')
    expect(refused.status).toBe(429)
    expect(refused.headers).toMatchObject({
      'retry-after': '50',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-limit': '3',
    })
    expect(refused.body).toEqual({ error: { code: 429, message: 'Too many requests: wait 50 seconds.' } })
    expect((await server(await client.person('ben'), '/user')).status).toBe(200)
    time += 50_000
    expect(left(await server(ann, '/user'))).toBe(2)
    time = noon
  })

  test('cached reads count, too', async () => {
    const server = await serverOf(database, { requestsPerToken: 4 })
    const cho = await client.person('cho')
    const acme = await client.organization(cho)
    const { body: space } = await client.request(cho, 'POST', `/orgs/${acme}/spaces`, { title: 'Space' })
    const answers: ApiAnswer[] = []
    for (let at = 0; at < 6; at++) answers.push(await server(cho, `/spaces/${space.id}/content`))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429, 429])
    expect(answers.slice(0, 4).map(left)).toEqual([3, 2, 1, 0])
  })

  test('requests without a valid token count by IP address, whatever their headers claim', async () => {
    const server = await serverOf(database, { requestsPerAddress: 3 })
    const statuses: number[] = []
    for (let at = 0; at < 3; at++)
      statuses.push((await server(`oct_guess${at}`, '/user', { 'x-forwarded-for': `10.0.0.${at}` })).status)
    expect(statuses).toEqual([401, 401, 401])
    expect((await server('oct_guess', '/user')).status).toBe(429)
    expect((await server(null, '/user', { 'x-forwarded-for': '10.0.0.9' })).status).toBe(429)
    const answer = await server(await client.person('dee'), '/user')
    expect([answer.status, answer.headers['x-ratelimit-limit']]).toEqual([200, undefined])
  })

  test('behind a trusted proxy each client address counts for itself', async () => {
    const server = await serverOf(database, { requestsPerAddress: 1, trustedProxies: '127.0.0.1' })
    const from = async (ip: string) => (await server(null, '/user', { 'x-forwarded-for': ip })).status
    expect([await from('10.1.0.1'), await from('10.1.0.1'), await from('10.1.0.2')]).toEqual([401, 429, 401])
    // Addresses that a client adds before the one that the proxy saw are not trusted.
    expect(await from('10.9.9.9, 10.1.0.2')).toBe(429)
  })

  test('nothing is counted with limits of 0', async () => {
    const server = await serverOf(database, { requestsPerToken: 0, requestsPerAddress: 0 })
    const { headers } = await server(await client.person('eve'), '/user')
    expect(Object.keys(headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
  })

  test.skipIf(engine.engine === 'sqlite')('several processes share a count', async () => {
    const settings = { requestsPerToken: 10 }
    const [one, two] = [
      await serverOf(database, settings),
      await serverOf(await engine.openAgain(), settings),
    ]
    const fay = await client.person('fay')
    for (let at = 0; at < 5; at++) await one(fay, '/user')
    // Each poll counts itself, so there are few.
    await expect.poll(async () => left(await two(fay, '/user')), { interval: 1000 }).toBeLessThan(5)
    for (let at = 0; at < 10; at++) await two(fay, '/user')
    await expect.poll(async () => (await one(fay, '/user')).status, { interval: 500 }).toBe(429)
  })
})

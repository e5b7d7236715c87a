/**
 * Database outage: PostgreSQL is stopped, restarted, its connections ended or made to hang. Meanwhile every endpoint reports
 * it; acknowledged writes are there afterwards; nothing has to be restarted.
 */
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type PostgresProcess, startPostgres } from '../dev/postgres-process.js'
import { createServer } from '../src/server/server.js'
import type { Database } from '../src/store/db/database.js'
import { openDatabase } from '../src/store/db/open.js'
import { OutcomeUnknown } from '../src/store/db/unavailable.js'
import { startWorker } from '../src/store/jobs/worker.js'
import { indexSpaceJob } from '../src/resources/content/content-jobs.js'
import { indexSpaceHandler } from '../src/resources/search/index-space.js'
import { type TestResponse, type TestClient, type Person, openTestClient } from './test-client.js'

const postgres: PostgresProcess | undefined = await startPostgres()
const clients = 8

describe.skipIf(postgres === undefined)('a PostgreSQL that is lost', () => {
  let database: Database
  let api: TestClient
  let ann: Person
  let space: string
  let administrator: pg.Client
  let pages = 0

  beforeAll(async () => {
    // Short, so that a hanging connection times out within the test.
    database = await openDatabase({ dataFolder: '', url: postgres!.url, statementTimeout: 1_000 })
    api = await openTestClient(database)
    ann = await api.person('ann')
    const organization = await api.organization(ann)
    const body = { title: 'Space', editMode: 'live' }
    space = (await api.request(ann, 'POST', `/orgs/${organization}/spaces`, body)).body.id
    await connectAdministrator()
  })
  beforeEach(() => void (pages = 0))
  afterAll(async () => {
    await administrator?.end()
    await database?.close()
    await postgres?.remove()
  })

  async function connectAdministrator(): Promise<void> {
    administrator = new pg.Client({ connectionString: postgres!.url, application_name: 'administrator' })
    administrator.on('error', () => {})
    await administrator.connect()
  }

  const insert = (slug: string) =>
    api.request(ann, 'POST', `/spaces/${space}/content`, {
      changes: [{ operation: 'insert_page', ref: 'page', slug, document: { markdown: `# ${slug}\n` } }],
    })
  const isThere = async (slug: string) =>
    (await api.request(ann, 'GET', `/spaces/${space}/content/path/${slug}`)).status === 200

  /** Writes until it is stopped; returns the acknowledged writes and the failed ones. */
  async function writeMeanwhile(fault: () => Promise<void>) {
    const over = new AbortController()
    const acknowledged: string[] = []
    const refused: TestResponse[] = []
    const writers = Array.from({ length: clients }, async () => {
      while (!over.signal.aborted) {
        const slug = `page-${(pages += 1)}-${performance.now().toString(36).replace('.', '')}`
        const answer = await insert(slug)
        if (answer.status < 300) acknowledged.push(slug)
        // A concurrent write came first, which is no failure.
        else if (answer.status !== 409) refused.push(answer)
        if (answer.status === 503) await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })
    await fault()
    over.abort()
    await Promise.all(writers)
    return { acknowledged, refused }
  }

  /** The one error that operations return without a database. */
  function expectUnavailable({ status, body, headers }: TestResponse): void {
    expect(body).toMatchObject({ error: { code: 503 } })
    expect(status).toBe(503)
    if (/nothing was changed/.test(body.error.message))
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    else {
      expect(body.error.message).toContain('read again')
      expect(headers).not.toHaveProperty('retry-after')
    }
  }

  async function becomesWhole(): Promise<void> {
    const status = async () => (await insert(`after-${performance.now()}`.replace('.', ''))).status
    await expect.poll(status, { interval: 100 }).toBe(200)
  }

  it('is reported by every endpoint while it lasts, and all recover by themselves', async () => {
    const { services, now } = api
    const server = await createServer({ services, now, logLevel: 'silent', isReady: () => true })
    const get = (url: string) =>
      server.inject({ url, headers: { authorization: `Bearer ${ann.token}`, host: 'octavo.test' } })
    const signIn = () =>
      server.inject({
        method: 'POST',
        url: '/~octavo/sign-in',
        headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'link=abcdefgh',
      })
    const clients: Record<string, () => ReturnType<typeof get>> = {
      api: () => get('/v1/user'),
      home: () => get('/'),
      site: () => get('/@acme/site/'),
      file: () => get(`/~octavo/files/${space}/file/name.png`),
      signIn,
    }
    expect((await get('/readyz')).statusCode).toBe(200)
    expect((await get('/v1/user')).statusCode).toBe(200)
    const metrics = async () =>
      (await server.inject({ url: '/metrics', headers: { host: '127.0.0.1' } })).body
    expect(await metrics()).toContain('\noctavo_jobs_given_up 0\n')
    await database.write((tx) =>
      tx
        .insertInto('jobs')
        .values({
          id: 'dead',
          organization_id: null,
          type: 'x',
          key: null,
          payload: '{}',
          due_at: null,
          claim: null,
          created_at: 1,
        })
        .execute(),
    )
    expect(await metrics()).toContain('\noctavo_jobs_given_up 1\n')
    await postgres!.halt()
    // Endpoints without the database respond all the same.
    expect(await metrics()).toContain('octavo_http_responses_total')
    expect(await metrics()).not.toContain('\noctavo_jobs_given_up 1\n')
    for (const [name, ask] of Object.entries(clients)) {
      const answer = await ask()
      expect({ name, status: answer.statusCode, retryAfter: answer.headers['retry-after'] }).toEqual({
        name,
        status: 503,
        retryAfter: '2',
      })
      expect(answer.json()).toMatchObject({ error: { code: 503 } })
    }
    expect((await get('/readyz')).json()).toEqual({ ready: false })
    // As health checks request it: by IP address.
    expect((await server.inject({ url: '/healthz', headers: { host: '10.0.0.7:4000' } })).statusCode).toBe(
      200,
    )
    await postgres!.resume()
    await becomesWhole()
    expect((await get('/readyz')).statusCode).toBe(200)
    for (const ask of Object.values(clients)) expect((await ask()).statusCode).toBeLessThan(500)
    await server.close()
    await connectAdministrator()
  })

  it('loses no acknowledged write over restarts under load, and the worker continues', async () => {
    const stopping = new AbortController()
    const worker = startWorker({
      database,
      handlers: { [indexSpaceJob]: indexSpaceHandler(api.services, Date.now) },
      now: Date.now,
      random: Math.random,
      report: () => {},
      signal: stopping.signal,
      leaseMs: 1_000,
    })
    const { acknowledged, refused } = await writeMeanwhile(async () => {
      for (let turn = 0; turn < 2; turn += 1) {
        await new Promise((resolve) => setTimeout(resolve, 300))
        await postgres!.restart()
      }
    })
    refused.forEach(expectUnavailable)
    expect(refused.length).toBeGreaterThan(0)
    expect(acknowledged.length).toBeGreaterThan(0)
    await becomesWhole()
    for (const slug of acknowledged) expect([slug, await isThere(slug)]).toEqual([slug, true])
    await connectAdministrator()
    // A job that lost its database in the middle is retried after its lease; later jobs run immediately.
    await insert('found-after-all')
    const isFound = async () =>
      (await api.request(ann, 'GET', `/spaces/${space}/search?query=found-after-all`)).body.count === 1
    await expect.poll(isFound, { interval: 100 }).toBe(true)
    stopping.abort()
    await worker
  })

  it('whose connections are ended under load loses no acknowledged write and no process', async () => {
    const { acknowledged, refused } = await writeMeanwhile(async () => {
      for (let turn = 0; turn < 15; turn += 1) {
        await new Promise((resolve) => setTimeout(resolve, 40))
        await administrator.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'octavo%'",
        )
      }
    })
    refused.forEach(expectUnavailable)
    expect(refused.length).toBeGreaterThan(0)
    await becomesWhole()
    for (const slug of acknowledged) expect([slug, await isThere(slug)]).toEqual([slug, true])
  })

  it('with hanging connections ends in a timeout, and other connections continue', async () => {
    await insert('before')
    const { rows } = await administrator.query<{ pid: number }>(
      "select pid from pg_stat_activity where application_name = 'octavo'",
    )
    const hanging = rows.map(({ pid }) => pid)
    for (const pid of hanging) process.kill(pid, 'SIGSTOP')
    try {
      const responses = await Promise.all(Array.from({ length: 4 }, () => api.request(ann, 'GET', '/user')))
      for (const answer of responses) if (answer.status !== 200) expectUnavailable(answer)
      await becomesWhole()
    } finally {
      for (const pid of hanging) process.kill(pid, 'SIGCONT')
    }
  })

  it('during a commit leaves the outcome unknown, and the transaction is not retried', async () => {
    let runs = 0
    let stopped = 0
    const writing = database.write(async (tx) => {
      runs += 1
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      // The next query is the commit: it is sent, and gets no answer.
      process.kill((stopped = rows[0]!.pid), 'SIGSTOP')
    })
    const outcome = await writing.then(
      () => 'done',
      (error: unknown) => error,
    )
    process.kill(stopped, 'SIGCONT')
    expect([runs, outcome]).toEqual([1, expect.any(OutcomeUnknown)])
    await becomesWhole()
  })
})

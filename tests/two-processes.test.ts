/** Cache coherence of two processes on one database: a write that one acknowledged is in the next response of the other, cached or not. */
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attemptsPerAccount, signInWithPassword } from '../src/access/signin/password-sign-in.js'
import { hashSecret } from '../src/access/signin/secrets.js'
import { createServer } from '../src/server/server.js'
import type { ApiError } from '../src/contract/errors.js'
import type { OrganizationId } from '../src/core/ids.js'
import type { Database } from '../src/store/db/database.js'
import { type TestClient, type Person, openTestClient } from './test-client.js'
import { describeConcurrency } from './engines.js'
import { makeVisitorToken } from './visitor-token.js'

const rounds = 25

describeConcurrency('two processes', (engine) => {
  let database: Database
  let api: TestClient
  let ann: Person
  let path: string
  let acme: OrganizationId
  let spaceId: string
  let edit: (markdown: string) => Promise<void>
  let port: number
  let close: () => Promise<unknown>

  beforeAll(async () => {
    database = await engine.open()
    api = await openTestClient(database)
    ann = await api.person('ann')
    acme = await api.organization(ann)
    const { body: space } = await api.request(ann, 'POST', `/orgs/${acme}/spaces`, {
      title: 'Space',
      editMode: 'live',
    })
    spaceId = space.id
    const { body } = await api.request(ann, 'GET', `/spaces/${space.id}/content/pages`)
    const page = body.pages[0].id
    path = `/v1/spaces/${space.id}/content/page/${page}?format=markdown`
    edit = async (markdown) => {
      const changes = [{ operation: 'update_page', page, document: { markdown } }]
      expect((await api.request(ann, 'POST', `/spaces/${space.id}/content`, { changes })).status).toBe(200)
    }
    const { services } = await openTestClient(await engine.openAgain())
    const server = await createServer({ services, now: Date.now, logLevel: 'error', isReady: () => true })
    await server.listen({ host: '127.0.0.1', port: 0 })
    close = () => server.close()
    port = (server.server.address() as AddressInfo).port
  })
  afterAll(() => close())

  const read = (person: Person): Promise<string> => readAt(path, { authorization: `Bearer ${person.token}` })

  const readAt = (path: string, more: Record<string, string>): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = { host: 'octavo.test', ...more }
      get({ port, path, headers, agent: false }, (answer) => {
        let text = ''
        answer.on('data', (piece: Buffer) => (text += piece.toString()))
        answer.on('end', () => resolve(`${answer.statusCode} ${text}`))
      }).on('error', reject)
    })

  test('wrong passwords are counted together where processes share a database server', async () => {
    const other = await engine.openAgain()
    const guess = (at: number) =>
      signInWithPassword(
        at % 2 === 0 ? database : other,
        { email: 'ann@octavo.test', password: 'wrong' },
        { ip: '192.0.2.1', userAgent: null, now: Date.now() },
      ).catch((error: ApiError) => error.status)
    const statuses = []
    for (let at = 0; at < 12; at += 1) statuses.push(await guess(at))
    const wrong = engine.engine === 'postgres' ? attemptsPerAccount.limit : 12
    expect(statuses).toEqual([...Array(wrong).fill(401), ...Array(12 - wrong).fill(429)])
  })

  test('every acknowledged edit is in the next read, also of many concurrent ones', async () => {
    for (let round = 0; round < rounds; round += 1) {
      await edit(`# Round ${round}\n`)
      const answers = await Promise.all(Array.from({ length: 4 }, () => read(ann)))
      for (const answer of [...answers, await read(ann)]) expect(answer).toContain(`# Round ${round}\\n`)
    }
  })

  test('a revoked token reads nothing from the cache', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const bob = { ...ann, token: (await api.person(`bob ${round}`)).token }
      await database.write(async (tx) => {
        await tx
          .updateTable('api_tokens')
          .set({ user_id: ann.id })
          .where('token_hash', '=', hashSecret(bob.token))
          .execute()
      })
      for (const answer of [await read(bob), await read(bob)]) expect(answer).toMatch(/^200 /)
      await database.write((tx) =>
        tx
          .updateTable('api_tokens')
          .set({ revoked_at: 1 })
          .where('token_hash', '=', hashSecret(bob.token))
          .execute(),
      )
      for (const answer of [await read(bob), await read(bob)]) expect(answer).toMatch(/^401 /)
    }
  })

  test('a revoked link, and a token of a rotated key, open nothing', async () => {
    const must = async (method: string, path: string, body?: object) => {
      const answer = await api.request(ann, method, path, body)
      expect(answer.status, answer.text).toBeLessThan(300)
      return answer.body
    }
    const publish = async (visibility: string) => {
      const spaces = [spaceId]
      const { id } = await must('POST', `/orgs/${acme}/sites`, { title: visibility, visibility, spaces })
      await must('POST', `/orgs/${acme}/sites/${id}/publish`)
      return `/orgs/${acme}/sites/${id}`
    }
    const [linked, visited] = [await publish('share-link'), await publish('visitor-auth')]
    const link = await must('POST', `${linked}/share-links`, {})
    const own = new URL(link.urls.published).pathname
    for (let round = 0; round < rounds; round += 1) {
      for (const answer of [await readAt(own, {}), await readAt(own, {})]) expect(answer).toMatch(/^200 /)
      await must('PATCH', `${linked}/share-links/${link.id}`, { active: false })
      expect(await readAt(own, {})).toMatch(/^404 /)
      await must('PATCH', `${linked}/share-links/${link.id}`, { active: true })

      const { privateKey } = await must('GET', `${visited}/publishing/auth`)
      const cookie = `octavo-visitor-token=${makeVisitorToken(privateKey, { round })}`
      const visit = () => readAt('/@acme/visitor-auth/', { cookie })
      for (const answer of [await visit(), await visit()]) expect(answer).toMatch(/^200 /)
      // Beside readers who never rest.
      const beside = Array.from({ length: 4 }, visit)
      await must('POST', `${visited}/publishing/auth/regenerate`)
      for (const answer of [await visit(), await visit()]) expect(answer).toMatch(/^401 /)
      await Promise.all(beside)
    }
  })

  test.runIf(engine.engine === 'postgres')(
    'neither is missed by one whose connections were ended',
    async () => {
      for (let round = 0; round < 5; round += 1) {
        await read(ann)
        await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name in ('octavo moments', 'octavo listener')`.execute(
          database.read,
        )
        await edit(`# After end ${round}\n`)
        expect(await read(ann)).toContain(`# After end ${round}\\n`)
      }
    },
  )
})

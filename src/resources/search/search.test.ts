/** Search over HTTP: visibility of results, waiting for the index, and disconnects. */
import { rm } from 'node:fs/promises'
import { type ClientRequest, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { createPausedReads } from '../../../tests/paused-reads.js'
import { buildThread } from '../../../tests/thread-program.js'
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import { sqliteFile } from '../../store/db/sqlite-file.js'
import type { Database } from '../../store/db/database.js'
import { openDatabase } from '../../store/db/open.js'
import {
  type SearchService,
  createInlineSearch,
  createWorkerSearch,
} from '../../store/search-workers/search-service.js'
import { indexSpace } from './index-space.js'

let folder: string
let program: URL
beforeAll(async () => {
  const source = join(import.meta.dirname, '../../store/search-workers/worker.ts')
  ;({ program, folder } = await buildThread(source))
})
afterAll(() => rm(folder, { recursive: true }))

describeEngines('search', ({ open, settings }) => {
  let database: Database
  let api: TestClient
  let ann: Person
  let acme: OrganizationId
  let space: SpaceId

  beforeAll(async () => {
    database = await open()
    api = await openTestClient(database)
    ann = await api.person('ann')
  })
  beforeEach(async () => {
    acme = await api.organization(ann)
    space = await newSpace()
  })

  async function must(method: string, path: string, body?: unknown, at = api): Promise<any> {
    const answer = await at.request(ann, method, path, body)
    expect(answer.status, `${method} ${path} ${answer.text}`).toBeLessThan(300)
    return answer.body
  }

  const write = (id: SpaceId, at = api) => {
    const changes = [{ operation: 'insert_page', document: { markdown: '# One\n\nA needle.\n' } }]
    return must('POST', `/spaces/${id}/content`, { changes }, at)
  }

  const index = (spaceId: SpaceId, { services }: TestClient = api) =>
    indexSpace({ services, spaceId, now: Date.now, signal: new AbortController().signal })

  async function newSpace(at = api, organization = acme): Promise<SpaceId> {
    const body = { title: 'Space', editMode: 'live', empty: true }
    const { id } = await must('POST', `/orgs/${organization}/spaces`, body, at)
    await write(id, at)
    await index(id, at)
    return id
  }

  const searchPath = (id = space) => `/spaces/${id}/search?query=needle`

  /** A client of a server whose searches are answered only when the act is done. */
  function openBeside(act: () => Promise<unknown>): Promise<TestClient> {
    const searching = createInlineSearch(database)
    return openTestClient(database, undefined, {
      searching: {
        ...searching,
        async find(question, signal) {
          const answer = await searching.find(question, signal)
          await act()
          return answer
        },
      },
    })
  }

  test('uses cached results as of its own data version, unless it waited for the index', async () => {
    const looked: boolean[] = []
    const searching = createInlineSearch(database)
    const noting = await openTestClient(database, undefined, {
      searching: {
        ...searching,
        find: (question, signal, since) => {
          looked.push(since !== undefined)
          return searching.find(question, signal)
        },
      },
    })
    const ask = async (path: string, prefer?: string) => {
      const headers = { authorization: `Bearer ${ann.token}`, ...(prefer && { prefer }) }
      expect((await noting.server.inject({ url: `/v1${path}`, headers })).statusCode).toBe(200)
    }
    await ask(searchPath())
    await ask(`/orgs/${acme}/search?query=needle`)
    await ask(searchPath(), 'wait=1')
    expect(looked).toEqual([true, true, false])
  })

  test('scores pages and sections, and names the pages above', async () => {
    const inner = '# Inner\n\nOne needle.\n\n## Needle work\n\nOnly hay.\n'
    const changes = [
      { operation: 'insert_page', ref: 'outer', title: 'Outer', document: { markdown: 'Hay.' } },
      { operation: 'insert_page', into: 'outer', document: { markdown: inner } },
    ]
    await must('POST', `/spaces/${space}/content`, { changes })
    await index(space)
    const { items } = await must('GET', searchPath())
    const [best, last] = items
    expect(best).toMatchObject({ title: 'Inner', rank: 1, ancestors: [{ title: 'Outer' }], description: '' })
    expect(last).toMatchObject({ title: 'One', rank: 2, ancestors: [], resultType: 'section' })
    expect(best.score).toBeGreaterThan(last.score)
    expect(last.score).toBeGreaterThan(0)
    const scores = best.sections.map(({ score }: { score: number }) => score)
    expect(scores).toHaveLength(2)
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a))
    expect(best.score).toBe(scores[0])
    // Ranks go on from page to page, and are the same in results by space.
    const { next } = await must('GET', `${searchPath()}&limit=1`)
    expect((await must('GET', `${searchPath()}&limit=1&page=${next.page}`)).items).toEqual([last])
    const all = await must('GET', `/orgs/${acme}/search?query=needle`)
    expect(all.items).toEqual([{ type: 'space', id: space, title: 'Space', score: best.score, pages: items }])
  })

  test('returns a hit only while its page exists', async () => {
    const { items } = await must('GET', searchPath())
    const changes = [{ operation: 'delete_page', page: items[0].id }]
    await must('POST', `/spaces/${space}/content`, { changes })
    expect(await must('GET', searchPath())).toEqual({ count: 0, items: [] })
    expect((await must('GET', `/orgs/${acme}/search?query=needle`)).items).toEqual([])
  })

  test('says for how long it may have waited, and refuses a wait that is no number', async () => {
    const ask = (prefer: string) =>
      api.server.inject({
        url: `/v1${searchPath()}`,
        headers: { authorization: `Bearer ${ann.token}`, prefer },
      })
    expect((await ask('wait=4')).headers['preference-applied']).toBe('wait=4')
    const refused = await ask('wait=soon')
    expect([refused.statusCode, refused.json().error.message]).toEqual([
      400,
      expect.stringContaining('The header "Prefer"'),
    ])
  })

  test('returns nothing of a space that was deleted during the search', async () => {
    const beside = await openBeside(() => must('DELETE', `/spaces/${space}`))
    const eve = await api.person('eve')
    await api.join(acme, eve, 'read')
    expect((await api.request(eve, 'GET', searchPath())).body.count).toBe(1)
    expect((await beside.request(eve, 'GET', searchPath())).status).toBe(404)
  })

  test('returns nothing of a space that was hidden during the search of all', async () => {
    const other = await newSpace()
    const bob = await api.person('bob')
    await api.join(acme, bob, 'read')
    const beside = await openBeside(() =>
      database.write((tx) =>
        tx
          .updateTable('spaces')
          .set({ default_level: null })
          .where('organization_id', '=', acme)
          .where('id', '=', space)
          .execute(),
      ),
    )
    const path = `/orgs/${acme}/search?query=needle`
    const found = async (at: TestClient) => {
      const { body } = await at.request(bob, 'GET', path)
      return [body.count, body.items.map(({ id }: { id: string }) => id).toSorted()]
    }
    expect(await found(api)).toEqual([2, [space, other].toSorted()])
    expect(await found(beside)).toEqual([1, [other]])
  })

  test('waits for the index when requested, and answers immediately otherwise', async () => {
    const before = await must('GET', searchPath())
    await write(space)
    expect((await must('GET', searchPath())).count).toBe(before.count)
    const waiting = api.server.inject({
      url: `/v1${searchPath()}`,
      headers: { authorization: `Bearer ${ann.token}`, prefer: 'respond-async, wait=9' },
    })
    await index(space)
    expect((await waiting).json().count).toBe(before.count + 1)
  })

  test('of a client that disconnected stops waiting, and the next one is answered', async () => {
    const held = createPausedReads(database)
    const searching = createInlineSearch(held.database, { concurrency: 1, maxWaiting: 1 })
    const { server } = await openTestClient(database, undefined, { searching })
    await server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = server.server.address() as AddressInfo
    const statuses: (number | undefined)[] = []
    const ask = (): ClientRequest => {
      const headers = { authorization: `Bearer ${ann.token}` }
      const asking = get({ port, path: `/v1${searchPath()}`, headers, agent: false }, (answer) => {
        statuses.push(answer.statusCode)
        answer.resume()
      })
      return asking.on('error', () => {})
    }
    const becomes = (inside: number, waiting: number) =>
      expect.poll(() => searching.count(), { interval: 5 }).toEqual({ running: inside, waiting })
    const gate = held.pauseAt(0)
    ask()
    await gate.wasRead
    const leaving = ask()
    await becomes(1, 1)
    const busy = await server.inject({
      url: `/v1${searchPath()}`,
      headers: { authorization: `Bearer ${ann.token}` },
    })
    expect([busy.statusCode, busy.headers['retry-after']]).toEqual([503, '1'])
    leaving.destroy()
    await becomes(1, 0)
    ask()
    await becomes(1, 1)
    gate.release()
    await becomes(0, 0)
    await expect.poll(() => statuses).toEqual([200, 200])
    await server.close()
  })

  test('does not query the index in the main thread', async () => {
    const where = await settings()
    const own = await openDatabase(where)
    const statements: string[] = []
    const read = own.read.withPlugin({
      transformQuery: ({ node }) => (statements.push(JSON.stringify(node)), node),
      transformResult: async ({ result }) => result,
    })
    const place = where.url === undefined ? { file: join(where.dataFolder, sqliteFile) } : { url: where.url }
    const searching: SearchService = createWorkerSearch(program, 1, place)
    const apart = await openTestClient({ ...own, read }, undefined, { searching })
    ann = await apart.person('ann')
    acme = await apart.organization(ann)
    const id = await newSpace(apart, acme)
    statements.length = 0
    expect((await must('GET', searchPath(id), undefined, apart)).count).toBe(1)
    expect((await must('GET', `/orgs/${acme}/search?query=needle`, undefined, apart)).count).toBe(1)
    expect(statements.length).toBeGreaterThan(0)
    expect(statements.filter((statement) => statement.includes('search_'))).toEqual([])
    await searching.close()
    await own.close()
  })
})

/** Cached API reads over a real connection: equal to uncached ones, and never older than a commit. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { type PausedReads, createPausedReads } from '../../../tests/paused-reads.js'
import type { OrganizationId } from '../../core/ids.js'
import { hashSecret } from '../../access/signin/secrets.js'
import type { Database } from '../../store/db/database.js'
import type { Actor } from '../../access/signin/actor.js'
import { createCaches } from '../../store/cache/caches.js'
import { cacheKind } from '../../store/cache/kinds.js'
import { createServer } from '../server.js'
import { createReadCache } from './read-cache.js'

const bytes = cacheKind<Uint8Array>('bytes that make room', ({ length }) => length)

describeEngines('cached reads', (engine) => {
  let client: TestClient
  let database: Database
  let heldReads: PausedReads
  let ann: Person
  let organization: OrganizationId
  let space: string
  let page: string
  let server: Awaited<ReturnType<typeof createServer>>
  let base: string
  let clock = Date.now()

  beforeAll(async () => {
    database = await engine.open()
    heldReads = createPausedReads(database)
    client = await openTestClient(heldReads.database)
    ann = await client.person('ann')
    organization = await client.organization(ann)
    space = (
      await client.request(ann, 'POST', `/orgs/${organization}/spaces`, { title: 'S', editMode: 'live' })
    ).body.id
    page = (await client.request(ann, 'GET', `/spaces/${space}/content/pages`)).body.pages[0].id
    server = await createServer({
      services: client.services,
      now: () => clock,
      logLevel: 'error',
      isReady: () => true,
    })
    await server.listen({ host: '127.0.0.1', port: 0 })
    base = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/v1`
  })
  afterAll(() => server.close())

  const read = async (person: Person | null, query = '') => {
    const headers: Record<string, string> = person === null ? {} : { authorization: `Bearer ${person.token}` }
    const answer = await fetch(`${base}/spaces/${space}/content/page/${page}${query}`, { headers })
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      body: (await answer.json()) as any,
    }
  }
  const edit = (markdown: string) =>
    client.request(ann, 'POST', `/spaces/${space}/content`, {
      changes: [{ operation: 'update_page', page, document: { markdown } }],
    })

  test('are equal to the first answer, and new after an edit', async () => {
    const first = await read(ann)
    expect(first.status).toBe(200)
    expect(await read(ann)).toEqual(first)
    await edit('# Edited\n')
    expect((await read(ann)).body.markdown).toBe('# Edited\n')
    expect((await read(ann, '?format=document')).body.markdown).toBeUndefined()
  })

  test('are returned to the same token only', async () => {
    await read(ann)
    const eve = await client.person('eve')
    expect((await read(eve)).status).toBe(404)
    expect((await read(null)).status).toBe(401)
    expect((await read({ ...ann, token: `${ann.token}x` })).status).toBe(401)
  })

  test('stay valid while others write in the same organization, without another database read', async () => {
    const list = async () => {
      const headers = { authorization: `Bearer ${ann.token}` }
      return (await fetch(`${base}/spaces/${space}/content/pages`, { headers })).text()
    }
    const [page, pages] = [await read(ann), await list()]
    const before = heldReads.count()
    await database.write((tx) =>
      tx
        .updateTable('collections')
        .set({ title: 'none' })
        .where('organization_id', '=', organization)
        .execute(),
    )
    await client.request(ann, 'POST', `/orgs/${organization}/collections`, { title: 'Somewhere else' })
    expect(await read(ann)).toEqual(page)
    // The row of the space, once for all cached reads that depend on it.
    const readCount = heldReads.count() - before
    expect(readCount).toBeGreaterThan(0)
    expect([await list(), await read(ann)]).toEqual([pages, page])
    expect(heldReads.count() - before).toBe(readCount)
    await edit('# Other\n')
    expect((await read(ann)).body.markdown).toBe('# Other\n')
    expect(JSON.parse(await list()).pages[0].title).toBe('Other')
  })

  test('end with the token, the membership and the space', async () => {
    const bob = await client.person('bob')
    await client.join(organization, bob, 'read')
    expect([(await read(bob)).status, (await read(bob)).status]).toEqual([200, 200])
    await client.request(ann, 'DELETE', `/orgs/${organization}/members/${bob.id}`)
    expect((await read(bob)).status).toBe(404)

    expect((await read(ann)).status).toBe(200)
    await database.write((tx) =>
      tx
        .updateTable('api_tokens')
        .set({ revoked_at: 1 })
        .where('token_hash', '=', hashSecret(ann.token))
        .execute(),
    )
    expect((await read(ann)).status).toBe(401)
    await database.write((tx) =>
      tx
        .updateTable('api_tokens')
        .set({ revoked_at: null, expires_at: clock + 1000 })
        .where('token_hash', '=', hashSecret(ann.token))
        .execute(),
    )
    expect([(await read(ann)).status, (await read(ann)).status]).toEqual([200, 200])
    clock += 1001
    expect((await read(ann)).status).toBe(401)
  })

  test('cost one lookup each, but for every sixteenth', async () => {
    await database.write((tx) => tx.updateTable('api_tokens').set({ expires_at: null }).execute())
    const first = await read(ann)
    const hits = () => client.services.caches.stats().reduce((sum, kind) => sum + kind.hits, 0)
    const before = hits()
    for (let turn = 0; turn < 32; turn++) expect(await read(ann)).toEqual(first)
    expect(hits() - before).toBeLessThanOrEqual(32 + 3)
  })

  test('fall back to the router when their bytes were evicted', () => {
    const caches = createCaches(database, 100_000)
    const readCache = createReadCache(caches, () => clock)
    const put = (key: string) => {
      const json = Buffer.alloc(20_000)
      caches.put(bytes, key, json)
      return { kind: 'cached-json', json, cacheKind: bytes, key } as const
    }
    const request = {
      method: 'GET',
      url: '/v1/user',
      headers: { authorization: 'Bearer x' },
    } as IncomingMessage
    const actor = { by: 'token', expiresAt: null } as Actor
    readCache.store({ raw: request } as FastifyRequest, {
      actor,
      body: put('first'),
      contentType: 'application/json',
      dependencies: [],
    })
    const cached = readCache.find(request)!
    for (const key of ['second', 'third', 'fourth', 'fifth']) put(key)
    const unsent = { writeHead: () => expect.fail('The bytes are gone') } as unknown as ServerResponse
    expect([caches.find(bytes, 'first'), cached.send(request, unsent)]).toEqual([undefined, undefined])
  })
})

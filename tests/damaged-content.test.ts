/** Data corruption: flipped bytes on disk are reported where they are read, and everything else remains readable. */
import { beforeAll, expect, it } from 'vitest'
import type { OrganizationId, SpaceId } from '../src/core/ids.js'
import { indexSpace } from '../src/resources/search/index-space.js'
import { createCaches } from '../src/store/cache/caches.js'
import { createObjectCache } from '../src/store/content/objects.js'
import { hashOf } from '../src/store/content/encoding.js'
import type { Database } from '../src/store/db/database.js'
import { listFailedPages } from '../src/store/search/pages.js'
import { type TestClient, type Person, openTestClient } from './test-client.js'
import { describeEngines } from './engines.js'
import { acrossTestOrganizations } from './test-rows.js'

describeEngines('damaged content', ({ open }) => {
  let database: Database
  let api: TestClient
  let ann: Person
  let organizationId: OrganizationId

  beforeAll(async () => {
    database = await open()
    api = await openTestClient(database)
    ann = await api.person('ann')
    organizationId = await api.organization(ann)
  })

  async function create(texts: Readonly<Record<string, string>>): Promise<SpaceId> {
    const body = { title: 'Space', editMode: 'live', empty: true }
    const { id } = (await api.request(ann, 'POST', `/orgs/${organizationId}/spaces`, body)).body
    const changes = Object.entries(texts).map(([slug, markdown]) => {
      return { operation: 'insert_page', slug, document: { markdown } }
    })
    expect((await api.request(ann, 'POST', `/spaces/${id}/content`, { changes })).status).toBe(200)
    return id
  }

  /** Changes one byte of a text, as a disk would, and reads it in a process with cold caches. */
  async function flip(text: string): Promise<void> {
    const hash = hashOf(Buffer.from(text))
    const bytes = Buffer.from(text)
    bytes[bytes.length - 2]! ^= 1
    await database.write((tx) =>
      acrossTestOrganizations(tx).updateTable('objects').set({ bytes }).where('hash', '=', hash).execute(),
    )
    const caches = createCaches(database, 1 << 24)
    Object.assign(api.services, { caches, objects: createObjectCache(caches) })
  }

  it('is reported as such with a remedy, and affects no other page', async () => {
    const texts = { hit: '# Hit\n\nThe bytes of this one change.\n', whole: '# Whole\n\nNot of this one.\n' }
    const id = await create(texts)
    const read = (slug: string) =>
      api.request(ann, 'GET', `/spaces/${id}/content/path/${slug}?format=markdown`)
    expect((await read('hit')).status).toBe(200)
    await flip(texts.hit)
    const damaged = await read('hit')
    expect(damaged.status).toBe(503)
    expect(damaged.body.error.message).toContain('octavo doctor')
    expect((await read('whole')).body.markdown).toBe(texts.whole)
    expect((await api.request(ann, 'GET', `/spaces/${id}/content`)).body.pages).toHaveLength(2)
    expect((await api.request(ann, 'GET', `/spaces/${id}/content/archive`)).status).toBe(503)
  })

  it('does not prevent indexing of other pages', async () => {
    const texts = { lost: '# Lost title\n\nUnreadable quagga.\n', found: '# Found\n\nReadable zebra.\n' }
    const id = await create(texts)
    await flip(texts.lost)
    const { signal } = new AbortController()
    expect(await indexSpace({ services: api.services, spaceId: id, signal, now: Date.now })).toBe(1)
    const count = async (word: string) =>
      (await api.request(ann, 'GET', `/spaces/${id}/search?query=${word}&limit=0`)).body.count
    expect([await count('zebra'), await count('lost'), await count('quagga')]).toEqual([1, 1, 0])
    expect((await listFailedPages(database.read, { organizationId, spaceId: id }))[0]!.reason).toContain(
      'is not what its name says',
    )
  })
})

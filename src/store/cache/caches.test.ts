/** A cached row never survives a commit with one of its tags, whichever read was faster. Tests decide when a loader returns. */
import { EventEmitter, once } from 'node:events'
import { beforeAll, describe, expect, test } from 'vitest'
import { type TestClient, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import type { OrganizationId } from '../../core/ids.js'
import type { Database } from '../db/database.js'
import { type Caches, createCaches } from './caches.js'
import { entryWeight, cacheKind, rowCacheKind } from './kinds.js'

interface TestRow {
  readonly organizationId: OrganizationId
  readonly word: string
}

const rows = rowCacheKind<TestRow>('test row', ({ organizationId }) => [organizationId])
const texts = cacheKind<string>('test text', (text) => text.length)
const objects = cacheKind<{ readonly text: string }>('test object', ({ text }) => text.length)

describeEngines('caches', (engine) => {
  let api: TestClient
  let database: Database
  let organizationId: OrganizationId
  let otherOrganizationId: OrganizationId

  beforeAll(async () => {
    database = await engine.open()
    api = await openTestClient(database)
    const ann = await api.person('ann')
    organizationId = await api.organization(ann)
    otherOrganizationId = await api.organization(ann, 'Elsewhere')
  })

  const open = (): Caches => createCaches(database, 1 << 20)
  /** Commits a change of an organization's rows. */
  const commit = (id: OrganizationId) =>
    database.write((tx) =>
      tx.updateTable('organizations').set({ updated_at: api.now() }).where('id', '=', id).execute(),
    )
  const readContext = async (caches: Caches) => caches.readContext({})
  const loaderOf = (word: string | undefined) => {
    const loads: number[] = []
    const load = async () => {
      loads.push(1)
      return word === undefined ? undefined : { organizationId, word }
    }
    return { load, loads }
  }
  /** A loader that has read its word, and returns when it is released. */
  function delayedLoader(word: string) {
    const gate = new EventEmitter()
    const opened = once(gate, 'open')
    return {
      release: () => gate.emit('open'),
      load: async () => {
        await opened
        return { organizationId, word }
      },
    }
  }

  describe('rows', () => {
    test('are read once until a commit with one of their tags', async () => {
      const caches = open()
      const one = loaderOf('one')
      expect((await caches.readThrough(await readContext(caches), rows, 'a', one.load))?.word).toBe('one')
      await commit(otherOrganizationId)
      expect((await caches.readThrough(await readContext(caches), rows, 'a', one.load))?.word).toBe('one')
      expect(one.loads).toHaveLength(1)
      await commit(organizationId)
      const two = loaderOf('two')
      expect((await caches.readThrough(await readContext(caches), rows, 'a', two.load))?.word).toBe('two')
      expect(
        (await caches.readThrough(await readContext(caches), rows, 'a', loaderOf('three').load))?.word,
      ).toBe('two')
    })

    test('are not replaced by a read that returns late', async () => {
      const caches = open()
      const late = delayedLoader('old')
      const early = caches.readThrough(await readContext(caches), rows, 'a', late.load)
      await commit(organizationId)
      expect(
        (await caches.readThrough(await readContext(caches), rows, 'a', loaderOf('new').load))?.word,
      ).toBe('new')
      late.release()
      expect((await early)?.word).toBe('old')
      const again = loaderOf('read again')
      expect((await caches.readThrough(await readContext(caches), rows, 'a', again.load))?.word).toBe('new')
      expect(again.loads).toEqual([])
    })

    test('are not cached by a read during which a commit happened', async () => {
      const caches = open()
      const slow = delayedLoader('old')
      const reading = caches.readThrough(await readContext(caches), rows, 'a', slow.load)
      await commit(organizationId)
      slow.release()
      await reading
      expect(
        (await caches.readThrough(await readContext(caches), rows, 'a', loaderOf('new').load))?.word,
      ).toBe('new')
    })

    test('are loaded once for all read contexts of one version, and again for a later one', async () => {
      const caches = open()
      const slow = delayedLoader('old')
      const first = await readContext(caches)
      const reading = [1, 2].map(() => caches.readThrough(first, rows, 'a', slow.load))
      const other = loaderOf('other')
      reading.push(caches.readThrough(await readContext(caches), rows, 'a', other.load))
      expect(other.loads).toEqual([])
      await commit(organizationId)
      const later = caches.readThrough(await readContext(caches), rows, 'a', loaderOf('new').load)
      expect((await later)?.word).toBe('new')
      slow.release()
      expect((await Promise.all(reading)).map((value) => value?.word)).toEqual(['old', 'old', 'old'])
    })

    test('are not cached when nothing was found, or the load failed', async () => {
      const caches = open()
      const now = await readContext(caches)
      expect(await caches.readThrough(now, rows, 'a', loaderOf(undefined).load)).toBeUndefined()
      const failing = () => Promise.reject(new Error('away'))
      await expect(caches.readThrough(now, rows, 'a', failing)).rejects.toThrow('away')
      expect((await caches.readThrough(now, rows, 'a', loaderOf('there').load))?.word).toBe('there')
    })

    test('are removed when they no longer exist', async () => {
      const caches = open()
      const before = await readContext(caches)
      await caches.readThrough(before, rows, 'a', loaderOf('one').load)
      await commit(organizationId)
      expect(
        await caches.readThrough(await readContext(caches), rows, 'a', loaderOf(undefined).load),
      ).toBeUndefined()
      expect(caches.areCurrent(before.dependencies)).toBe(false)
      expect(
        (await caches.readThrough(await readContext(caches), rows, 'a', loaderOf('new').load))?.word,
      ).toBe('new')
    })

    test('are current as long as they are read again and found equal', async () => {
      const caches = open()
      const before = await readContext(caches)
      await caches.readThrough(before, rows, 'a', loaderOf('one').load)
      expect(caches.areCurrent(before.dependencies)).toBe(true)
      await commit(organizationId)
      await caches.catchUp()
      expect(caches.areCurrent(before.dependencies)).toBe(false)
      await caches.readThrough(await readContext(caches), rows, 'a', loaderOf('one').load)
      expect(caches.areCurrent(before.dependencies)).toBe(true)
      await commit(organizationId)
      await caches.readThrough(await readContext(caches), rows, 'a', loaderOf('two').load)
      expect(caches.areCurrent(before.dependencies)).toBe(false)
    })

    test('count as read only where they were loaded', async () => {
      const caches = open()
      const [first, second] = [await readContext(caches), await readContext(caches)]
      await caches.readThrough(first, rows, 'a', loaderOf('one').load)
      await caches.readThrough(second, rows, 'a', loaderOf('one').load)
      expect([first.reads, second.reads]).toEqual([2, 0])
    })

    test('have one read context per request', async () => {
      const caches = open()
      const request = {}
      const first = await caches.readContext(request)
      await commit(organizationId)
      expect(await caches.readContext(request)).toBe(first)
      expect((await readContext(caches)).version).toBeGreaterThan(first.version)
    })
  })

  describe('the budget', () => {
    const statsOf = (caches: Caches) => caches.stats().find(({ kind }) => kind === 'test text')

    test('is counted by kind, including keys and entries', () => {
      const caches = open()
      caches.put(texts, 'a', 'x'.repeat(1_000))
      expect(caches.find(texts, 'a')).toBe('x'.repeat(1_000))
      expect(caches.find(texts, 'b')).toBeUndefined()
      expect(statsOf(caches)).toEqual({
        kind: 'test text',
        bytes: 1_001 + entryWeight,
        hits: 1,
        misses: 1,
      })
      caches.put(texts, 'a', 'y')
      expect(statsOf(caches)?.bytes).toBe(2 + entryWeight)
    })

    test('keeps the first value of a key', () => {
      const caches = open()
      const namespace = caches.namespace(texts)
      namespace.set('a', 'one', 3)
      namespace.set('a', 'two', 3)
      expect([namespace.get('a'), namespace.get('b')]).toEqual(['one', undefined])
      expect(statsOf(caches)?.bytes).toBe(4 + entryWeight)
    })

    test('evicts the least recently used; a value of more than a quarter of it is not cached', () => {
      const caches = createCaches(database, 100_000)
      const text = 'x'.repeat(9_000)
      for (let at = 0; at < 20; at++) {
        caches.put(texts, String(at), text)
        caches.find(texts, '0')
      }
      expect(caches.find(texts, '0')).toBe(text)
      expect(caches.find(texts, '1')).toBeUndefined()
      expect(caches.find(texts, '19')).toBe(text)
      const { bytes } = statsOf(caches)!
      expect(bytes).toBeLessThanOrEqual(100_000)
      expect(bytes).toBeGreaterThan(80_000)
      caches.put(texts, 'large', 'x'.repeat(26_000))
      expect(caches.find(texts, 'large')).toBeUndefined()
      expect(statsOf(caches)?.bytes).toBe(bytes)
    })

    test('lets a handle return its value, look it up now and then, and end with its eviction', () => {
      const caches = createCaches(database, 100_000)
      const object = { text: 'x'.repeat(9_000) }
      const hits = () => caches.stats().find(({ kind }) => kind === 'test object')!.hits
      caches.put(objects, 'object', object)
      const handle = caches.handle(objects, 'object', object)
      for (let use = 0; use < 32; use++) expect(handle()).toBe(object)
      expect(hits()).toBe(2)
      for (let at = 0; at < 20; at++) {
        caches.put(objects, String(at), { text: object.text })
        for (let use = 0; use < 16; use++) expect(handle()).toBe(object)
      }
      for (let at = 0; at < 20; at++) caches.put(objects, String(at), { text: `${at} ${object.text}` })
      expect(handle()).toBeUndefined()
    })
  })
})

test('two kinds cannot share a name', () => {
  expect(() => cacheKind('test text')).toThrow('two kinds')
  expect(texts.prefix).toBe('test text ')
})

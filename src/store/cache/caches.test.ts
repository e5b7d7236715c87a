/**
 * What is kept never survives a commit that it follows from, whichever read was faster. Reads are held by the tests
 * themselves: a loader answers when it is told to.
 */
import { EventEmitter, once } from 'node:events'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Door, openDoor } from '../../../tests/door.js'
import { describeEngines } from '../../../tests/engines.js'
import type { OrganizationId } from '../../core/ids.js'
import type { Database } from '../db/database.js'
import { type Caches, createCaches } from './caches.js'
import { entryWeight, kindOf, rowKind } from './kinds.js'

interface Said {
  readonly organizationId: OrganizationId
  readonly word: string
}

const said = rowKind<Said>('test said', ({ organizationId }) => [organizationId])
const texts = kindOf<string>('test text', (text) => text.length)
const things = kindOf<{ readonly text: string }>('test thing', ({ text }) => text.length)

describeEngines('what is kept', (engine) => {
  let door: Door
  let database: Database
  let here: OrganizationId
  let elsewhere: OrganizationId

  beforeAll(async () => {
    database = await engine.open()
    door = await openDoor(database)
    const ann = await door.person('ann')
    here = await door.organization(ann)
    elsewhere = await door.organization(ann, 'Elsewhere')
  })

  const open = (): Caches => createCaches(database, 1 << 20)
  /** A commit that concerns the rows of an organization. */
  const touch = (id: OrganizationId) =>
    database.write((tx) =>
      tx.updateTable('organizations').set({ updated_at: door.now() }).where('id', '=', id).execute(),
    )
  const look = async (caches: Caches) => caches.look({})
  const answering = (word: string | undefined) => {
    const loads: number[] = []
    const load = async () => {
      loads.push(1)
      return word === undefined ? undefined : { organizationId: here, word }
    }
    return { load, loads }
  }
  /** A loader that has read its word, and answers when it is told to. */
  function held(word: string) {
    const gate = new EventEmitter()
    const opened = once(gate, 'open')
    return {
      let: () => gate.emit('open'),
      load: async () => {
        await opened
        return { organizationId: here, word }
      },
    }
  }

  describe('of rows', () => {
    test('is read once until something is committed that it follows from', async () => {
      const caches = open()
      const one = answering('one')
      expect((await caches.recall(await look(caches), said, 'a', one.load))?.word).toBe('one')
      await touch(elsewhere)
      expect((await caches.recall(await look(caches), said, 'a', one.load))?.word).toBe('one')
      expect(one.loads).toHaveLength(1)
      await touch(here)
      const two = answering('two')
      expect((await caches.recall(await look(caches), said, 'a', two.load))?.word).toBe('two')
      expect((await caches.recall(await look(caches), said, 'a', answering('three').load))?.word).toBe('two')
    })

    test('is not what a late read says', async () => {
      const caches = open()
      const late = held('old')
      const early = caches.recall(await look(caches), said, 'a', late.load)
      await touch(here)
      expect((await caches.recall(await look(caches), said, 'a', answering('new').load))?.word).toBe('new')
      late.let()
      expect((await early)?.word).toBe('old')
      const again = answering('read again')
      expect((await caches.recall(await look(caches), said, 'a', again.load))?.word).toBe('new')
      expect(again.loads).toEqual([])
    })

    test('is not what a read says during which something was committed', async () => {
      const caches = open()
      const slow = held('old')
      const reading = caches.recall(await look(caches), said, 'a', slow.load)
      await touch(here)
      slow.let()
      await reading
      expect((await caches.recall(await look(caches), said, 'a', answering('new').load))?.word).toBe('new')
    })

    test('is loaded once for all who look at the same moment, and again for who looks later', async () => {
      const caches = open()
      const slow = held('old')
      const first = await look(caches)
      const reading = [1, 2].map(() => caches.recall(first, said, 'a', slow.load))
      const other = answering('other')
      reading.push(caches.recall(await look(caches), said, 'a', other.load))
      expect(other.loads).toEqual([])
      await touch(here)
      const later = caches.recall(await look(caches), said, 'a', answering('new').load)
      expect((await later)?.word).toBe('new')
      slow.let()
      expect((await Promise.all(reading)).map((value) => value?.word)).toEqual(['old', 'old', 'old'])
    })

    test('is nothing where nothing was found, or reading failed', async () => {
      const caches = open()
      const now = await look(caches)
      expect(await caches.recall(now, said, 'a', answering(undefined).load)).toBeUndefined()
      const failing = () => Promise.reject(new Error('away'))
      await expect(caches.recall(now, said, 'a', failing)).rejects.toThrow('away')
      expect((await caches.recall(now, said, 'a', answering('there').load))?.word).toBe('there')
    })

    test('goes when it is gone', async () => {
      const caches = open()
      const before = await look(caches)
      await caches.recall(before, said, 'a', answering('one').load)
      await touch(here)
      expect(await caches.recall(await look(caches), said, 'a', answering(undefined).load)).toBeUndefined()
      expect(caches.stillHolds(before.seen)).toBe(false)
      expect((await caches.recall(await look(caches), said, 'a', answering('new').load))?.word).toBe('new')
    })

    test('holds as long as it is read again and found the same', async () => {
      const caches = open()
      const before = await look(caches)
      await caches.recall(before, said, 'a', answering('one').load)
      expect(caches.stillHolds(before.seen)).toBe(true)
      await touch(here)
      await caches.catchUp()
      expect(caches.stillHolds(before.seen)).toBe(false)
      await caches.recall(await look(caches), said, 'a', answering('one').load)
      expect(caches.stillHolds(before.seen)).toBe(true)
      await touch(here)
      await caches.recall(await look(caches), said, 'a', answering('two').load)
      expect(caches.stillHolds(before.seen)).toBe(false)
    })

    test('is counted as read only where it was', async () => {
      const caches = open()
      const [first, second] = [await look(caches), await look(caches)]
      await caches.recall(first, said, 'a', answering('one').load)
      await caches.recall(second, said, 'a', answering('one').load)
      expect([first.reads, second.reads]).toEqual([2, 0])
    })

    test('is looked at once for each request', async () => {
      const caches = open()
      const request = {}
      const first = await caches.look(request)
      await touch(here)
      expect(await caches.look(request)).toBe(first)
      expect((await look(caches)).moment).toBeGreaterThan(first.moment)
    })
  })

  describe('within the budget', () => {
    const figuresOf = (caches: Caches) => caches.figures().find(({ kind }) => kind === 'test text')

    test('is counted by kind, with what a key and an entry cost', () => {
      const caches = open()
      caches.keep(texts, 'a', 'x'.repeat(1_000))
      expect(caches.find(texts, 'a')).toBe('x'.repeat(1_000))
      expect(caches.find(texts, 'b')).toBeUndefined()
      expect(figuresOf(caches)).toEqual({
        kind: 'test text',
        bytes: 1_001 + entryWeight,
        hits: 1,
        misses: 1,
      })
      caches.keep(texts, 'a', 'y')
      expect(figuresOf(caches)?.bytes).toBe(2 + entryWeight)
    })

    test('is a name with one value', () => {
      const caches = open()
      const place = caches.place(texts)
      place.set('a', 'one', 3)
      place.set('a', 'two', 3)
      expect([place.get('a'), place.get('b')]).toEqual(['one', undefined])
      expect(figuresOf(caches)?.bytes).toBe(4 + entryWeight)
    })

    test('is what was asked for last; a value of a quarter of it is not kept', () => {
      const caches = createCaches(database, 100_000)
      const text = 'x'.repeat(9_000)
      for (let at = 0; at < 20; at++) {
        caches.keep(texts, String(at), text)
        caches.find(texts, '0')
      }
      expect(caches.find(texts, '0')).toBe(text)
      expect(caches.find(texts, '1')).toBeUndefined()
      expect(caches.find(texts, '19')).toBe(text)
      const { bytes } = figuresOf(caches)!
      expect(bytes).toBeLessThanOrEqual(100_000)
      expect(bytes).toBeGreaterThan(80_000)
      caches.keep(texts, 'large', 'x'.repeat(26_000))
      expect(caches.find(texts, 'large')).toBeUndefined()
      expect(figuresOf(caches)?.bytes).toBe(bytes)
    })

    test('is held without being looked for, but so often that it is not forgotten, until it made room', () => {
      const caches = createCaches(database, 100_000)
      const thing = { text: 'x'.repeat(9_000) }
      const hits = () => caches.figures().find(({ kind }) => kind === 'test thing')!.hits
      caches.keep(things, 'held', thing)
      const held = caches.hold(things, 'held', thing)
      for (let turn = 0; turn < 32; turn++) expect(held()).toBe(thing)
      expect(hits()).toBe(2)
      for (let at = 0; at < 20; at++) {
        caches.keep(things, String(at), { text: thing.text })
        for (let turn = 0; turn < 16; turn++) expect(held()).toBe(thing)
      }
      for (let at = 0; at < 20; at++) caches.keep(things, String(at), { text: `${at} ${thing.text}` })
      expect(held()).toBeUndefined()
    })
  })
})

test('two kinds have two names', () => {
  expect(() => kindOf('test text')).toThrow('two kinds')
  expect(texts.prefix).toBe('test text ')
})

import { beforeAll, describe, expect, it } from 'vitest'
import { describeLayouts } from '../../../tests/engines.js'
import { defaultConfig } from '../../core/config.js'
import { apply, build, get, range } from '../../core/merkle/map.js'
import type { Hash, OrganizationId } from '../../core/ids.js'
import type { Json, LeafNode } from '../../core/merkle/types.js'
import { emptySnapshot } from '../../core/pages/build.js'
import type { Database } from '../db/database.js'
import { ContentDamaged } from './content-damaged.js'
import { decodeNode, encodeNode, hashOf } from './encoding.js'
import { createCaches } from '../cache/caches.js'
import { createObjectCache, findBytes, getTexts, noObjectCache, run } from './objects.js'
import type { ObjectSource } from './objects.js'
import { createSink } from './sink.js'
import { findIntactBytes, repairObject } from './verify.js'

const ours = 'ours' as OrganizationId

describe('the encoding of a node', () => {
  it('is the same whatever the order of members, and leaves out what is undefined', () => {
    const one: LeafNode = { level: 0, entries: [['k', { b: [1, { z: null, y: 'ü' }], a: true }]] }
    const two: LeafNode = {
      level: 0,
      entries: [['k', { a: true, c: undefined, b: [1, { y: 'ü', z: null }] }]],
    }
    expect(Buffer.from(encodeNode(two)).toString()).toBe('[0,[["k",{"a":true,"b":[1,{"y":"ü","z":null}]}]]]')
    expect(encodeNode(one)).toEqual(encodeNode(two))
    expect(decodeNode(encodeNode(one))).toEqual(one)
  })
})

describeLayouts('stored objects', ({ open }) => {
  let database: Database
  const emptyCache = () => createObjectCache(createCaches(database, 1 << 24))
  const source = (cache = emptyCache()): ObjectSource => ({
    db: database.read,
    organizationId: ours,
    cache,
  })

  beforeAll(async () => {
    database = await open()
  })

  async function put(texts: readonly string[]): Promise<Hash[]> {
    const sink = createSink(ours, noObjectCache)
    const hashes = texts.map((text) => sink.putText(text))
    await database.write((tx) => sink.flush(tx))
    return hashes
  }

  it('are returned unchanged, in the requested order, once or repeatedly', async () => {
    const texts = ['', '\uFEFFmarked\r\n', '# Ünï 😀\n', 'x'.repeat(100_000), '\0']
    const hashes = await put(texts)
    expect(await getTexts(source(), hashes)).toEqual(texts)
    const [first, second] = hashes
    expect(await getTexts(source(), [second!, first!, second!])).toEqual([texts[1], texts[0], texts[1]])
  })

  it('are named by the SHA-256 of their bytes', async () => {
    expect(await put(['abc'])).toEqual(['ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0'])
  })

  it('may be bytes that are not text', async () => {
    const sink = createSink(ours, noObjectCache)
    const bytes = Uint8Array.from([0xff, 0xfe, 0, 0x80])
    const hash = sink.putBytes(bytes)
    await database.write((tx) => sink.flush(tx))
    expect([...(await findBytes(database.read, ours, hash))!]).toEqual([...bytes])
    expect(await findBytes(database.read, 'theirs' as OrganizationId, hash)).toBeUndefined()
  })

  it('are read in thousands, also with a cache that stores none of them', async () => {
    const texts = Array.from({ length: 1203 }, (_, at) => `text ${at}`)
    const hashes = await put(texts)
    expect(await getTexts(source(noObjectCache), hashes)).toEqual(texts)
  })

  it('are compressed where that pays, and read as they were stored before', async () => {
    const text = 'A sentence that is written again. '.repeat(40)
    const older = `${text}Before.`
    const bytes = Buffer.from(older)
    await database.write((tx) =>
      tx
        .insertInto('objects')
        .values({ organization_id: ours, hash: hashOf(bytes), bytes })
        .execute(),
    )
    const [long, short] = await put([text, 'short'])
    const rows = await database.read
      .selectFrom('objects')
      .select(['hash', 'bytes'])
      .where('organization_id', '=', ours)
      .where('hash', 'in', [long!, short!])
      .execute()
    const lengthOf = new Map(rows.map((row) => [row.hash, row.bytes.length]))
    expect(lengthOf.get(long!)).toBeLessThan(text.length / 4)
    expect(lengthOf.get(short!)).toBe(5)
    expect(await getTexts(source(), [hashOf(bytes), long!, short!])).toEqual([older, text, 'short'])
  })

  it('may be put again, also concurrently', async () => {
    const texts = Array.from({ length: 50 }, (_, at) => `shared ${at}`)
    const all = await Promise.all([put(texts), put(texts.toReversed()), put(texts)])
    expect(await getTexts(source(), all[0])).toEqual(texts)
  })

  it('of another organization are missing, even when they are cached', async () => {
    const cache = emptyCache()
    const hashes = await put(['secret'])
    expect(await getTexts(source(cache), hashes)).toEqual(['secret'])
    const theirs = { ...source(cache), organizationId: 'theirs' as OrganizationId }
    await expect(getTexts(theirs, hashes)).rejects.toThrow('is missing')
  })

  it('form a map: written in one transaction, read by steps, edited before it is flushed', async () => {
    const entries = Array.from({ length: 500 }, (_, at): [string, string | number] => [`key${at}`, at])
    entries.sort(([a], [b]) => (a < b ? -1 : 1))
    const cache = emptyCache()
    const sink = createSink(ours, cache)
    const root = build(entries, sink)
    const edited = await run(apply(root, [['key7', 'new']], sink), {
      ...source(cache),
      pending: sink,
    })
    await database.write((tx) => sink.flush(tx))
    for (const from of [source(cache), source()]) {
      expect(await run(get(root, 'key7'), from)).toBe(7)
      expect(await run(get(edited, 'key7'), from)).toBe('new')
      expect(await run(get(edited, 'key499'), from)).toBe(499)
      expect(await run(get(edited, 'nothing'), from)).toBeUndefined()
    }
  })

  describe('of a page that is saved again and again', () => {
    const lines = Array.from(
      { length: 400 },
      (_, at) => `Line ${at} of a page: ${hashOf(Buffer.from(`${at}`))}\n`,
    )
    const version = (count: number) => `${lines.join('')}${'word '.repeat(count)}\n`

    /** Writes each text as what replaces the one before; returns the hashes. */
    async function save(texts: readonly string[], cache = emptyCache()): Promise<Hash[]> {
      const hashes: Hash[] = []
      for (const text of texts) {
        const sink = createSink(ours, cache)
        hashes.push(sink.putText(text, hashes.at(-1)))
        await database.write((tx) => sink.flush(tx))
      }
      return hashes
    }

    const rowsOf = (hashes: readonly Hash[]) =>
      database.read
        .selectFrom('objects')
        .select(['hash', 'base', 'encoding', 'bytes'])
        .where('organization_id', '=', ours)
        .where('hash', 'in', hashes)
        .execute()

    it('are stored as differences, at most 32 in a row, and read whole in any order', async () => {
      const texts = Array.from({ length: 80 }, (_, at) => version(at))
      const hashes = await save(texts)
      const stored = new Map((await rowsOf(hashes)).map((row) => [row.hash, row]))
      const whole = hashes.filter((hash) => stored.get(hash)!.base === null)
      expect(whole).toEqual([hashes[0], hashes[33], hashes[66]])
      for (const hash of hashes) {
        const { bytes, base } = stored.get(hash)!
        expect(bytes.length).toBeLessThan(base === null ? version(0).length * 0.8 : 600)
      }
      for (const some of [hashes, hashes.toReversed(), [hashes[65]!], [hashes[32]!, hashes[31]!]])
        expect(await getTexts(source(), some)).toEqual(some.map((hash) => texts[hashes.indexOf(hash)]))
      expect(Buffer.from((await findBytes(database.read, ours, hashes[70]!))!).toString()).toBe(texts[70])
    })

    it('are whole again where an old text returns, which others are differences from', async () => {
      const cache = emptyCache()
      const [first, second, again] = await save([version(101), version(102), version(101)], cache)
      expect(again).toBe(first)
      expect((await rowsOf([second!]))[0]!.base).toBe(first)
      await database.write((tx) =>
        tx
          .updateTable('objects')
          .set({ put_at: 0 })
          .where('organization_id', '=', ours)
          .where('hash', '=', second!)
          .execute(),
      )
      // As a difference from `second`, `first` would refer to itself.
      await save([version(101), version(102)], cache)
      expect((await rowsOf([second!]))[0]!.base).toBeNull()
      expect(await getTexts(source(), [first!, second!])).toEqual([version(101), version(102)])
    })

    it('are not differences from texts that are not stored, not cached, or not UTF-8', async () => {
      const sink = createSink(ours, emptyCache())
      const passed = sink.putText(version(201))
      const last = sink.putText(version(202), passed)
      const snapshot = {
        ...emptySnapshot(defaultConfig),
        pages: build([['p', { text: last }]], sink) as never,
      }
      await database.write((tx) => sink.flush(tx, snapshot))
      expect(await rowsOf([passed])).toEqual([])
      const cold = createSink(ours, emptyCache())
      const next = cold.putText(version(203), last)
      await database.write((tx) => cold.flush(tx))
      const cache = emptyCache()
      const binary = createSink(ours, cache)
      const odd = binary.putBytes(Buffer.concat([Buffer.from(version(204)), Buffer.from([0xff])]))
      await database.write((tx) => binary.flush(tx))
      const [read] = await getTexts(source(cache), [odd])
      const after = createSink(ours, cache)
      const edited = after.putText(`${read!}.`, odd)
      await database.write((tx) => after.flush(tx))
      expect((await rowsOf([last, next, edited])).map(({ base }) => base)).toEqual([null, null, null])
      expect(await getTexts(source(), [last, next, edited])).toEqual([
        version(202),
        version(203),
        `${read!}.`,
      ])
    })

    it('fail alone when the base is damaged or lost, and are found by the checks of the whole store', async () => {
      const hashes = await save([version(301), version(302), version(303)])
      const [whole] = await rowsOf([hashes[0]!])
      const bytes = Buffer.from(whole!.bytes)
      bytes[100]! ^= 1
      const change = (set: object) =>
        database.write((tx) =>
          tx
            .updateTable('objects')
            .set(set)
            .where('organization_id', '=', ours)
            .where('hash', '=', hashes[0]!)
            .execute(),
        )
      await change({ bytes })
      for (const hash of hashes) await expect(getTexts(source(), [hash])).rejects.toThrow(ContentDamaged)
      expect(await findIntactBytes(database.read, hashes[2]!)).toBeUndefined()
      const repaired = database.write((tx) => repairObject(tx, ours, hashes[0]!, Buffer.from(version(301))))
      expect(await repaired).toBe(true)
      expect(await getTexts(source(), hashes)).toEqual([version(301), version(302), version(303)])
      // Rows that refer to each other.
      await change({ base: hashes[2]! })
      await expect(getTexts(source(), [hashes[1]!])).rejects.toThrow(ContentDamaged)
      await change({ base: 'lost' })
      await expect(getTexts(source(), [hashes[2]!])).rejects.toThrow('has lost the base')
    })
  })

  it('are written only where the snapshot reaches them, with its texts and files of bytes', async () => {
    const cache = emptyCache()
    const sink = createSink(ours, cache)
    const bytes = sink.putBytes(Uint8Array.from([0xff, 0]))
    const texts = ['first', 'second', 'last'].map((text) => sink.putText(text))
    const entries = Array.from({ length: 300 }, (_, at): [string, Json] => [`key${1000 + at}`, at])
    let pages = build(entries, sink)
    const former = [pages, texts[0]!, texts[1]!]
    for (const text of texts) {
      const step = apply(pages, [['key1100', { text, bytes }]], sink)
      pages = await run(step, { ...source(cache), pending: sink })
      if (text !== texts[2]) former.push(pages)
    }
    await database.write((tx) => sink.flush(tx, { ...emptySnapshot(defaultConfig), pages: pages as never }))
    expect(await run(range(pages), source(noObjectCache))).toHaveLength(300)
    expect(await getTexts(source(noObjectCache), [texts[2]!])).toEqual(['last'])
    expect(await findBytes(database.read, ours, bytes)).toBeDefined()
    for (const hash of former) expect(await findBytes(database.read, ours, hash!)).toBeUndefined()
  })

  it('that are cached are returned without a tick of the event loop', async () => {
    const cache = emptyCache()
    const sink = createSink(ours, cache)
    const root = build([['a', 1]], sink)
    await database.write((tx) => sink.flush(tx))
    let answered = false
    const step = (function* () {
      const value = yield* get(root, 'a')
      answered = true
      return value
    })()
    const result = run(step, source(cache))
    expect(answered).toBe(true)
    expect(await result).toBe(1)
  })
})

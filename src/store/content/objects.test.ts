import { beforeAll, describe, expect, it } from 'vitest'
import { describeLayouts } from '../../../tests/engines.js'
import { defaultConfig } from '../../core/config.js'
import { apply, build, get, range } from '../../core/merkle/map.js'
import type { Hash, OrganizationId } from '../../core/ids.js'
import type { Json, LeafNode } from '../../core/merkle/types.js'
import { emptySnapshot } from '../../core/pages/build.js'
import type { Database } from '../db/database.js'
import { decodeNode, encodeNode } from './encoding.js'
import { createCaches } from '../cache/caches.js'
import { createObjectCache, findBytes, getTexts, noObjectCache, run } from './objects.js'
import type { ObjectSource } from './objects.js'
import { createSink } from './sink.js'

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

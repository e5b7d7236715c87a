import { beforeEach, describe, expect, it } from 'vitest'
import { mkdtemp, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeLayouts } from '../../../tests/engines.js'
import { acrossTestOrganizations, insertOrganization, insertSpace } from '../../../tests/test-rows.js'
import type { Hash, OrganizationId, RevisionId, SpaceId, UserId } from '../../core/ids.js'
import { build } from '../../core/merkle/map.js'
import type { Snapshot } from '../../core/pages/types.js'
import type { ApiError } from '../../contract/errors.js'
import { hasRecentBlob, insertBlobs } from '../content/blobs.js'
import { hashOf } from '../content/encoding.js'
import { createCaches } from '../cache/caches.js'
import { copySnapshots } from '../content/copy.js'
import { createObjectCache, getTexts, noObjectCache } from '../content/objects.js'
import { insertRevision } from '../content/revisions.js'
import { createSink } from '../content/sink.js'
import { findMissingObjects } from '../content/verify.js'
import type { Database, Tx } from '../db/database.js'
import { openDirectory } from '../files/directory.js'
import type { FileStorage } from '../files/storage.js'
import { noLocks } from '../db/lock-scope.js'
import { recordDeparture } from './gc-triggers.js'
import { collectFiles } from './files.js'
import { grace } from '../files/gc-grace.js'
import { createHashSet } from './hash-set.js'
import { collectObjects } from './objects.js'

const { signal } = new AbortController()

describe('a hash set', () => {
  it('contains what was added, and nothing else, while it grows', () => {
    const hashes = Array.from({ length: 5_000 }, (_, at) => hashOf(Buffer.from(String(at))))
    const set = createHashSet(8)
    const [added, others] = [hashes.slice(0, 2_500), hashes.slice(2_500)]
    expect(added.every((hash) => set.add(hash))).toBe(true)
    expect(added.some((hash) => set.add(hash))).toBe(false)
    expect(added.every((hash) => set.has(hash))).toBe(true)
    expect(others.some((hash) => set.has(hash))).toBe(false)
    expect(set.size()).toBe(2_500)
  })
})

describeLayouts('garbage collection of objects', ({ open }) => {
  let database: Database
  let organizationId: OrganizationId
  let spaceId: SpaceId
  let made = 0

  beforeEach(async () => {
    database ??= await open()
    made += 1
    await database.write(async (tx) => {
      organizationId = await insertOrganization(tx, `organization${made}`)
      spaceId = await insertSpace(tx, organizationId, `space${made}`)
    })
  })

  /** Puts texts, and a map of pages that contains them; returns what a revision would reference. */
  async function put(tx: Tx, texts: readonly string[]): Promise<{ snapshot: Snapshot; hashes: Hash[] }> {
    const sink = createSink(organizationId, noObjectCache)
    const hashes = texts.map((text) => sink.putText(text))
    const entries = hashes.map((hash, at) => [String(at).padStart(5, '0'), { text: hash }] as const)
    const pages = build(entries as never, sink)
    await sink.flush(tx)
    const snapshot = { pages, order: null, paths: null, files: null, names: null, links: null } as never
    return { snapshot, hashes: [pages!, ...hashes] }
  }

  let named = 0
  const name = (tx: Tx, snapshot: Snapshot) =>
    insertRevision(tx, {
      id: `revision${Math.random()}` as RevisionId,
      organizationId,
      spaceId,
      changeRequestId: null,
      number: (named += 1),
      saves: 1,
      type: 'edits',
      snapshot,
      parents: [],
      createdBy: 'user' as UserId,
      createdAt: 0,
      mergedFrom: null,
      message: null,
      git: null,
    })

  /** Backdates the time at which all objects were put. */
  const growOld = () =>
    database.write((tx) =>
      tx.updateTable('objects').set({ put_at: 0 }).where('organization_id', '=', organizationId).execute(),
    )
  const missing = (hashes: readonly Hash[]) => findMissingObjects(database.read, organizationId, hashes)
  const collect = () => collectObjects({ database, organizationId, signal })

  const texts = (what: string, count = 40) => Array.from({ length: count }, (_, at) => `${what} ${at}`)

  it('deletes unreferenced objects, keeps reachable ones, and returns how much it deleted', async () => {
    const named = await database.write(async (tx) => {
      const found = await put(tx, texts('named'))
      await name(tx, found.snapshot)
      return found.hashes
    })
    const unnamed = await database.write((tx) => put(tx, [...texts('unnamed'), 'named 7']))
    await growOld()
    const collected = await collect()
    expect(collected!.objects).toBeGreaterThanOrEqual(41)
    expect(collected!.bytes).toBeGreaterThan(400)
    expect(await missing(named)).toEqual([])
    expect(await missing(unnamed.hashes)).toHaveLength(41)
  })

  it('keeps the bases of the deltas that it keeps, and deletes other deltas with their bases', async () => {
    const page = (word: string) =>
      `${Array.from({ length: 200 }, (_, at) => `Line ${at} of ${word}\n`).join('')}`
    /** Saves versions of a page; the last one is in a revision if `isNamed`. Returns the hashes of their texts. */
    async function save(word: string, isNamed: boolean): Promise<Hash[]> {
      const cache = createObjectCache(createCaches(database, 1 << 20))
      const hashes: Hash[] = []
      for (let count = 1; count <= 4; count += 1) {
        const sink = createSink(organizationId, cache)
        hashes.push(sink.putText(page(word) + 'word '.repeat(count), hashes.at(-1)))
        const pages = build([['page', { text: hashes.at(-1)! }]] as never, sink)
        const snapshot = { pages, order: null, paths: null, files: null, names: null, links: null } as never
        await database.write(async (tx) => {
          await sink.flush(tx)
          if (isNamed && count === 4) await name(tx, snapshot)
        })
      }
      return hashes
    }
    const [named, unnamed, recent] = [
      await save('one', true),
      await save('two', false),
      await save('three', false),
    ]
    await growOld()
    const put = (hash: Hash) =>
      database.write((tx) =>
        tx
          .updateTable('objects')
          .set({ put_at: Date.now() })
          .where('organization_id', '=', organizationId)
          .where('hash', '=', hash)
          .execute(),
      )
    await put(recent[2]!)
    await collect()
    expect(await missing([...named, ...unnamed, ...recent])).toEqual([...unnamed, recent[3]!])
    const source = { db: database.read, organizationId, cache: noObjectCache }
    expect(await getTexts(source, [named[3]!])).toEqual([page('one') + 'word '.repeat(4)])
  })

  it('leaves no delta without its base where a space is copied to another organization', async () => {
    const cache = createObjectCache(createCaches(database, 1 << 20))
    const texts = Array.from(
      { length: 3 },
      (_, at) => `${'A line of the page.\n'.repeat(200)}${'x'.repeat(at)}`,
    )
    let former: Hash | undefined
    let snapshot: Snapshot
    for (const text of texts) {
      const sink = createSink(organizationId, cache)
      former = sink.putText(text, former)
      const pages = build([['page', { text: former }]] as never, sink)
      snapshot = { pages, order: null, paths: null, files: null, names: null, links: null } as never
      await database.write((tx) => sink.flush(tx))
    }
    const to = await database.write((tx) => insertOrganization(tx, `target${made}`))
    const write = (work: (tx: Tx) => Promise<void>) => database.writeInBulk(noLocks, work)
    const copied = new Set<Hash>()
    await copySnapshots({ db: database.read, write }, [snapshot!], { from: organizationId, to }, copied)
    const source = { db: database.read, organizationId: to, cache: noObjectCache }
    expect(await getTexts(source, [former!])).toEqual([texts[2]])
  })

  it('keeps objects that were put recently, also when they existed before', async () => {
    const early = await database.write((tx) => put(tx, texts('early')))
    await growOld()
    const late = await database.write((tx) => put(tx, [...texts('late'), ...texts('early', 10)]))
    await collect()
    expect(await missing(late.hashes)).toEqual([])
    expect(await missing(early.hashes)).toHaveLength(31)
  })

  it('is repeated when revisions were removed while it read them', async () => {
    await database.write(async (tx) => name(tx, (await put(tx, texts('kept'))).snapshot))
    const unnamed = await database.write((tx) => put(tx, texts('unnamed')))
    await growOld()
    let left = false
    const read = database.read.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (!left && result.rows.some((row) => 'snapshot' in row)) {
          left = true
          await database.write((tx) => recordDeparture(tx, organizationId, 0))
        }
        return result
      },
    })
    expect(await collectObjects({ database: { ...database, read }, organizationId, signal })).toBeUndefined()
    expect(await missing(unnamed.hashes)).toEqual([])
    expect((await collect())!.objects).toBeGreaterThanOrEqual(41)
  })

  it('deletes nothing when an object is missing already', async () => {
    const [root] = await database.write(async (tx) => {
      const { snapshot, hashes } = await put(tx, texts('named'))
      await name(tx, snapshot)
      return hashes
    })
    const unnamed = await database.write((tx) => put(tx, texts('unnamed')))
    await growOld()
    await database.write((tx) =>
      acrossTestOrganizations(tx).deleteFrom('objects').where('hash', '=', root!).execute(),
    )
    await expect(collect()).rejects.toThrow('missing')
    expect(await missing(unnamed.hashes)).toEqual([])
  })

  it('deletes nothing that concurrent writers reference again', async () => {
    for (let round = 0; round < 12; round += 1) {
      await database.write((tx) => put(tx, texts(`round ${round}`)))
      await growOld()
      const writers = Array.from({ length: 6 }, (_, writer) =>
        database.write(async (tx) => {
          const found = await put(tx, [...texts(`round ${round}`, 30), `by ${writer}`])
          await name(tx, found.snapshot)
          return found.hashes
        }),
      )
      const [named] = await Promise.all([Promise.all(writers), collect(), collect()])
      expect(await missing(named.flat())).toEqual([])
    }
  })
})

describeLayouts('garbage collection of files', ({ open }) => {
  let database: Database
  let files: FileStorage
  let folder: string
  const now = Date.now
  const organizationId = 'o' as OrganizationId
  beforeEach(async () => {
    database ??= await open()
    folder = await mkdtemp(join(tmpdir(), 'octavo-files-'))
    files = await openDirectory(folder)
  })

  async function store(text: string, age: 'old' | 'young'): Promise<Hash> {
    const { hash } = await files.put(Buffer.from(text))
    const old = new Date(now() - grace - 1_000)
    if (age === 'old') await utimes(join(folder, hash.slice(0, 2), hash.slice(2)), old, old)
    return hash
  }
  /** References the bytes, as an upload does once they are stored; returns the name of the error. */
  const name = (hash: Hash): Promise<string> =>
    database
      .writeWithLocks(noLocks, (tx) => insertBlobs(tx, files, organizationId, [{ hash, size: 1 }], now()))
      .then(
        () => 'named',
        (error: ApiError) => error.errorName,
      )
  const isReferenced = async (hash: Hash): Promise<boolean> =>
    hasRecentBlob(database.read, organizationId, hash)

  it('deletes old unreferenced files, and no others', async () => {
    const referenced = await store('referenced', 'old')
    const row = { organization_id: organizationId, hash: referenced, size: 4, created_at: 0 }
    await database.write((tx) => tx.insertInto('blobs').values(row).execute())
    const young = await store('young', 'young')
    const again = await store('again', 'old')
    await files.put(Buffer.from('again'))
    const abandoned = await store('abandoned', 'old')

    expect(await collectFiles({ database, files, now, signal })).toEqual({ files: 1, bytes: 9 })
    const found = []
    for await (const { hash } of files.list()) found.push(hash)
    expect(found.toSorted()).toEqual([referenced, young, again].toSorted())
    expect(await files.find(abandoned)).toBeUndefined()
  })

  it('deletes derived files whose original is gone, and nothing else', async () => {
    const referenced = await store('an original that is referenced', 'young')
    const gone = await store('an original that nobody holds', 'old')
    // Made during the deletion of its original, or left by a killed process.
    const long = hashOf(Buffer.from('an original of long ago'))
    for (const of of [referenced, gone, long]) await files.derived.put(of, '480.webp', Buffer.from('small'))
    await collectFiles({ database, files, now, signal })
    expect(await files.derived.read(referenced, '480.webp')).toEqual(Buffer.from('small'))
    expect(await files.derived.read(gone, '480.webp')).toBeUndefined()
    expect(await files.derived.read(long, '480.webp')).toBeUndefined()
  })

  it('fails to reference deleted files', async () => {
    const hash = await store('lost', 'old')
    await collectFiles({ database, files, now, signal })
    expect(await name(hash)).toBe('upload_lost')
    expect(await isReferenced(hash)).toBe(false)
  })

  /** A point at which one side pauses until the other has had time to run. */
  function pause() {
    let [reach, resume] = [() => {}, () => {}]
    const reached = new Promise<void>((resolve) => (reach = resolve))
    const over = new Promise<void>((resolve) => (resume = resolve))
    return {
      reached,
      async arrive() {
        reach()
        await over
      },
      /** Resumes once the other is done, or has waited for long: without a lock it is done immediately. */
      async endAfter(other: Promise<unknown>) {
        await Promise.race([other, new Promise((resolve) => setTimeout(resolve, 500))])
        resume()
      },
    }
  }

  it('makes a reference wait while the file is being deleted', async () => {
    const hash = await store('removed meanwhile', 'old')
    const { reached, arrive, endAfter } = pause()
    const slow: FileStorage = {
      ...files,
      async delete(removed) {
        await arrive()
        return files.delete(removed)
      },
    }
    const removing = collectFiles({ database, files: slow, now, signal })
    await reached
    const naming = name(hash)
    await endAfter(naming)
    expect(await removing).toMatchObject({ files: 1 })
    expect(await naming).toBe('upload_lost')
    expect(await isReferenced(hash)).toBe(false)
  })

  it('deletes nothing that is being referenced', async () => {
    const hash = await store('named meanwhile', 'old')
    const { reached, arrive, endAfter } = pause()
    const naming = database.writeWithLocks(noLocks, async (tx) => {
      await insertBlobs(tx, files, organizationId, [{ hash, size: 1 }], now())
      await arrive()
    })
    await reached
    const removing = collectFiles({ database, files, now, signal })
    await endAfter(removing)
    await naming
    expect(await removing).toMatchObject({ files: 0 })
    expect(await files.find(hash)).toBeDefined()
    expect(await isReferenced(hash)).toBe(true)
  })
})

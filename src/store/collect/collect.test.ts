import { beforeEach, describe, expect, it } from 'vitest'
import { mkdtemp, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeLayouts } from '../../../tests/engines.js'
import { everywhere, insertOrganization, insertSpace } from '../../../tests/rows.js'
import type { Hash, OrganizationId, RevisionId, SpaceId, UserId } from '../../core/ids.js'
import { build } from '../../core/merkle/map.js'
import type { Snapshot } from '../../core/pages/types.js'
import type { ApiError } from '../../contract/errors.js'
import { holdsBlob, insertBlobs } from '../content/blobs.js'
import { hashOf } from '../content/encoding.js'
import { keepNoObjects } from '../content/objects.js'
import { insertRevision } from '../content/revisions.js'
import { createSink } from '../content/sink.js'
import { findMissingObjects } from '../content/verify.js'
import type { Database, Tx } from '../db/database.js'
import { openDirectory } from '../files/directory.js'
import type { FileStorage } from '../files/storage.js'
import { nothing } from '../db/hold.js'
import { noteDeparture } from './gc-triggers.js'
import { collectFiles } from './files.js'
import { grace } from '../files/gc-grace.js'
import { createHashSet } from './hash-set.js'
import { collectObjects } from './objects.js'

const { signal } = new AbortController()

describe('a set of hashes', () => {
  it('holds what was added, and nothing else, while it grows', () => {
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

describeLayouts('the collection of objects', ({ open }) => {
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

  /** Puts texts, and a map of pages that holds them; answers what a revision would name. */
  async function put(tx: Tx, texts: readonly string[]): Promise<{ snapshot: Snapshot; hashes: Hash[] }> {
    const sink = createSink(organizationId, keepNoObjects)
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
      type: 'edits',
      snapshot,
      parents: [],
      createdBy: 'user' as UserId,
      createdAt: 0,
      mergedFrom: null,
      message: null,
      git: null,
    })

  /** As if everything that is there had been put long ago. */
  const growOld = () =>
    database.write((tx) =>
      tx.updateTable('objects').set({ put_at: 0 }).where('organization_id', '=', organizationId).execute(),
    )
  const missing = (hashes: readonly Hash[]) => findMissingObjects(database.read, organizationId, hashes)
  const collect = () => collectObjects({ database, organizationId, signal })

  const texts = (what: string, count = 40) => Array.from({ length: count }, (_, at) => `${what} ${at}`)

  it('deletes what no revision names, keeps what one reaches, and tells how much it was', async () => {
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

  it('keeps what was put a short time ago, also when it was there before', async () => {
    const early = await database.write((tx) => put(tx, texts('early')))
    await growOld()
    const late = await database.write((tx) => put(tx, [...texts('late'), ...texts('early', 10)]))
    await collect()
    expect(await missing(late.hashes)).toEqual([])
    expect(await missing(early.hashes)).toHaveLength(31)
  })

  it('begins again when revisions left while it read them', async () => {
    await database.write(async (tx) => name(tx, (await put(tx, texts('kept'))).snapshot))
    const unnamed = await database.write((tx) => put(tx, texts('unnamed')))
    await growOld()
    let left = false
    const read = database.read.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (!left && result.rows.some((row) => 'snapshot' in row)) {
          left = true
          await database.write((tx) => noteDeparture(tx, organizationId, 0))
        }
        return result
      },
    })
    expect(await collectObjects({ database: { ...database, read }, organizationId, signal })).toBeUndefined()
    expect(await missing(unnamed.hashes)).toEqual([])
    expect((await collect())!.objects).toBeGreaterThanOrEqual(41)
  })

  it('deletes nothing where something is missing already', async () => {
    const [root] = await database.write(async (tx) => {
      const { snapshot, hashes } = await put(tx, texts('named'))
      await name(tx, snapshot)
      return hashes
    })
    const unnamed = await database.write((tx) => put(tx, texts('unnamed')))
    await growOld()
    await database.write((tx) => everywhere(tx).deleteFrom('objects').where('hash', '=', root!).execute())
    await expect(collect()).rejects.toThrow('missing')
    expect(await missing(unnamed.hashes)).toEqual([])
  })

  it('loses nothing that writers name again at the same moment', async () => {
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

describeLayouts('the collection of files', ({ open }) => {
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
  /** Has the organization hold the bytes, as an upload does once they are stored; answers the name of the error. */
  const name = (hash: Hash): Promise<string> =>
    database
      .writeHolding(nothing, (tx) => insertBlobs(tx, files, organizationId, [{ hash, size: 1 }], now()))
      .then(
        () => 'named',
        (error: ApiError) => error.errorName,
      )
  const isHeld = async (hash: Hash): Promise<boolean> => holdsBlob(database.read, organizationId, hash)

  it('removes old bytes that nobody holds, and no others', async () => {
    const held = await store('held', 'old')
    const row = { organization_id: organizationId, hash: held, size: 4, created_at: 0 }
    await database.write((tx) => tx.insertInto('blobs').values(row).execute())
    const young = await store('young', 'young')
    const again = await store('again', 'old')
    await files.put(Buffer.from('again'))
    const abandoned = await store('abandoned', 'old')

    expect(await collectFiles({ database, files, now, signal })).toEqual({ files: 1, bytes: 9 })
    const there = []
    for await (const { hash } of files.list()) there.push(hash)
    expect(there.toSorted()).toEqual([held, young, again].toSorted())
    expect(await files.find(abandoned)).toBeUndefined()
  })

  it('removes what was made of files that are gone, and nothing else', async () => {
    const held = await store('an original that is held', 'young')
    const gone = await store('an original that nobody holds', 'old')
    // Made while its original went, or left by a process that was killed.
    const long = hashOf(Buffer.from('an original of long ago'))
    for (const of of [held, gone, long]) await files.derived.put(of, '480.webp', Buffer.from('small'))
    await collectFiles({ database, files, now, signal })
    expect(await files.derived.read(held, '480.webp')).toEqual(Buffer.from('small'))
    expect(await files.derived.read(gone, '480.webp')).toBeUndefined()
    expect(await files.derived.read(long, '480.webp')).toBeUndefined()
  })

  it('tells whoever names bytes that were removed before', async () => {
    const hash = await store('lost', 'old')
    await collectFiles({ database, files, now, signal })
    expect(await name(hash)).toBe('upload_lost')
    expect(await isHeld(hash)).toBe(false)
  })

  /** A moment at which one side stands still until the other has had its time. */
  function pause() {
    let [reach, goOn] = [() => {}, () => {}]
    const reached = new Promise<void>((resolve) => (reach = resolve))
    const over = new Promise<void>((resolve) => (goOn = resolve))
    return {
      reached,
      async here() {
        reach()
        await over
      },
      /** Lets it go on once the other is done, or has waited for long: without a lock it is done at once. */
      async endAfter(other: Promise<unknown>) {
        await Promise.race([other, new Promise((resolve) => setTimeout(resolve, 500))])
        goOn()
      },
    }
  }

  it('has whoever names bytes wait while they are being removed', async () => {
    const hash = await store('removed meanwhile', 'old')
    const { reached, here, endAfter } = pause()
    const slow: FileStorage = {
      ...files,
      async delete(removed) {
        await here()
        return files.delete(removed)
      },
    }
    const removing = collectFiles({ database, files: slow, now, signal })
    await reached
    const naming = name(hash)
    await endAfter(naming)
    expect(await removing).toMatchObject({ files: 1 })
    expect(await naming).toBe('upload_lost')
    expect(await isHeld(hash)).toBe(false)
  })

  it('removes nothing that is being named', async () => {
    const hash = await store('named meanwhile', 'old')
    const { reached, here, endAfter } = pause()
    const naming = database.writeHolding(nothing, async (tx) => {
      await insertBlobs(tx, files, organizationId, [{ hash, size: 1 }], now())
      await here()
    })
    await reached
    const removing = collectFiles({ database, files, now, signal })
    await endAfter(removing)
    await naming
    expect(await removing).toMatchObject({ files: 0 })
    expect(await files.find(hash)).toBeDefined()
    expect(await isHeld(hash)).toBe(true)
  })
})

import { beforeAll, expect, it } from 'vitest'
import { describeEngines } from '../../../tests/engines.js'
import { createPausedReads } from '../../../tests/paused-reads.js'
import type { Hash, OrganizationId } from '../../core/ids.js'
import { createCaches } from '../cache/caches.js'
import type { Database } from '../db/database.js'
import { createObjectCache, getTexts, noObjectCache } from './objects.js'
import { createSink } from './sink.js'
import { acrossTestOrganizations } from '../../../tests/test-rows.js'

const ours = 'ours' as OrganizationId
const theirs = 'theirs' as OrganizationId

describeEngines('batched reads of objects', ({ open, engine }) => {
  let database: Database
  beforeAll(async () => {
    database = await open()
  })

  async function put(organization: OrganizationId, texts: readonly string[]): Promise<Hash[]> {
    const sink = createSink(organization, noObjectCache)
    const hashes = texts.map((text) => sink.putText(text))
    await database.write((tx) => sink.flush(tx))
    return hashes
  }

  function reader(source = database) {
    const cache = createObjectCache(createCaches(database, 1 << 24))
    return (hashes: readonly Hash[], organizationId = ours) =>
      getTexts({ db: source.read, organizationId, cache }, hashes)
  }

  it('take one query, where a query is a round trip', async () => {
    const texts = Array.from({ length: 20 }, (_, at) => `together ${at}`)
    const hashes = await put(ours, texts)
    const paused = createPausedReads(database)
    const read = reader(paused.database)
    const found = await Promise.all(hashes.map((hash) => read([hash])))
    expect(found.flat()).toEqual(texts)
    expect(paused.count()).toBe(engine === 'postgres' ? 1 : 20)
  })

  it('return complete objects, however many are requested while others are running', async () => {
    const texts = Array.from({ length: 300 }, (_, at) => `many ${at}`)
    const hashes = await put(ours, texts)
    const read = reader()
    const found = await Promise.all(
      hashes.map(async (hash, at) => {
        for (let turn = 0; turn < at % 7; turn += 1) await new Promise((resolve) => setImmediate(resolve))
        return (await read([hash]))[0]
      }),
    )
    expect(found).toEqual(texts)
  })

  it('see objects as soon as they are written, whatever query is running', async () => {
    const [first] = await put(ours, ['before'])
    const paused = createPausedReads(database)
    const read = reader(paused.database)
    const holding = paused.pauseAt(0)
    const early = read([first!])
    await holding.wasRead
    const [second] = await put(ours, ['after'])
    expect(await read([second!])).toEqual(['after'])
    holding.release()
    expect(await early).toEqual(['before'])
  })

  it('return objects of one organization', async () => {
    const [mine] = await put(ours, ['only ours'])
    const [other] = await put(theirs, ['only theirs'])
    const read = reader()
    const [own, foreign, crossed] = await Promise.allSettled([
      read([mine!]),
      read([other!], theirs),
      read([other!], ours),
    ])
    expect(own).toMatchObject({ value: ['only ours'] })
    expect(foreign).toMatchObject({ value: ['only theirs'] })
    expect(crossed.status === 'rejected' && String(crossed.reason)).toMatch(/is missing/)
  })

  it('fail only for callers that request a damaged object', async () => {
    const [whole, damaged] = await put(ours, ['sound', 'unsound'])
    await database.write((tx) =>
      acrossTestOrganizations(tx)
        .updateTable('objects')
        .set({ bytes: Buffer.from('otherwise') })
        .where('hash', '=', damaged!)
        .execute(),
    )
    const read = reader()
    const [sound, unsound] = await Promise.allSettled([read([whole!]), read([damaged!])])
    expect(sound).toMatchObject({ value: ['sound'] })
    expect(unsound.status === 'rejected' && String(unsound.reason)).toMatch(/is not what its name says/)
  })
})

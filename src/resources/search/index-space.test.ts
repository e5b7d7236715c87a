import { beforeAll, expect, it } from 'vitest'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import type { Database, Db } from '../../store/db/database.js'
import { drainJobs } from '../../store/jobs/testing.js'
import type { TextReader } from '../../store/reading/reader.js'
import { failedFolding } from '../../store/reading/reader.js'
import { listFailedPages, mergeParts, replacePages } from '../../store/search/pages.js'
import { acquireIndexLease, findIndexState } from '../../store/search/index-state.js'
import { indexSpaceJob } from '../content/content-jobs.js'
import { type IndexRequest, catchUpIndexes, indexSpace, indexSpaceHandler } from './index-space.js'
import { awaitIndex } from './await-index.js'
import { findSpace } from '../spaces/store.js'
import { acrossTestOrganizations } from '../../../tests/test-rows.js'

describeEngines('the index of a space', ({ open }) => {
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

  async function create(pages: readonly string[] = []): Promise<SpaceId> {
    const body = { title: 'Space', editMode: 'live', empty: true }
    const { id } = (await api.request(ann, 'POST', `/orgs/${organizationId}/spaces`, body)).body
    for (let at = 0; at < pages.length; at += 50) await insert(id, pages.slice(at, at + 50))
    return id
  }
  async function insert(id: SpaceId, texts: readonly string[]): Promise<void> {
    const changes = texts.map((markdown) => ({ operation: 'insert_page', document: { markdown } }))
    expect((await api.request(ann, 'POST', `/spaces/${id}/content`, { changes })).status).toBe(200)
  }
  const texts = (count: number, word: string) =>
    Array.from({ length: count }, (_, index) => `# ${word} ${index}\n\nbody of ${word}\n`)
  const found = async (id: SpaceId, word: string): Promise<number> =>
    (await api.request(ann, 'GET', `/spaces/${id}/search?query=${word}&limit=0`)).body.count
  const request = (spaceId: SpaceId, more: Partial<IndexRequest> = {}): IndexRequest => ({
    services: api.services,
    spaceId,
    signal: new AbortController().signal,
    now: Date.now,
    ...more,
  })
  const withFold = (fold: TextReader['fold']): IndexRequest['services'] => ({
    ...api.services,
    reader: { ...api.services.reader, fold },
  })

  it('finishes the revision that it started while the head moves with every step, then takes the rest', async () => {
    const id = await create(texts(150, 'older'))
    let folded = 0
    const services = withFold(async (page) => {
      // Each batch of the old pages meets new heads.
      if (folded++ % 40 === 0) await insert(id, texts(1, 'newer'))
      return api.services.reader.fold(page)
    })
    expect(await indexSpace(request(id, { services }))).toBe(0)
    expect(await found(id, 'older')).toBe(150)
    const newer = Math.ceil(folded / 40)
    expect(newer).toBeGreaterThan(2)
    await indexSpace(request(id))
    expect(await found(id, 'newer')).toBe(newer)
    expect(await found(id, 'older')).toBe(150)
  })

  it('takes a small difference though the head moved on', async () => {
    const id = await create(texts(1, 'first'))
    await indexSpace(request(id))
    await insert(id, texts(1, 'second'))
    const services = withFold(async (page) => {
      await insert(id, texts(1, 'third'))
      return api.services.reader.fold(page)
    })
    await indexSpace(request(id, { services }))
    expect([await found(id, 'second'), await found(id, 'third')]).toEqual([1, 0])
  })

  it('has reached a head by its number, so that no one waits for a superseded one', async () => {
    const id = await create(texts(1, 'one'))
    const older = (await findSpace(database.read, organizationId, id))!
    await insert(id, texts(1, 'two'))
    await indexSpace(request(id))
    let looks = 0
    const count = (db: Db) =>
      db.withPlugin({
        transformQuery: ({ node }) => ((looks += 1), node),
        transformResult: async ({ result }) => result,
      })
    const counting = count(database.read)
    const { signal } = new AbortController()
    await awaitIndex(counting, older, { seconds: 1, isAsynchronous: false, signal })
    expect(looks).toBe(1)
    await insert(id, texts(1, 'three'))
    const newer = (await findSpace(database.read, organizationId, id))!
    expect(newer.head_number).toBeGreaterThan(older.head_number)
    await awaitIndex(counting, newer, { seconds: 0.1, isAsynchronous: false, signal })
    expect(looks).toBeGreaterThan(2)
    const before = looks
    await awaitIndex(counting, newer, { seconds: 0, isAsynchronous: false, signal })
    await awaitIndex(counting, newer, { seconds: 9, isAsynchronous: false, signal: AbortSignal.abort() })
    expect(looks, 'no one waits without asking for it, or after disconnecting').toBe(before)
  })

  it('is changed by one process at a time, and a waiting one finds it done', async () => {
    const id = await create(texts(150, 'shared'))
    await Promise.all([indexSpace(request(id)), indexSpace(request(id))])
    expect(await found(id, 'shared')).toBe(150)
    // Left half-way by a process that was killed: no other takes over before its lease expires.
    let now = 1_000_000
    await insert(id, texts(1, 'after'))
    await database.write((tx) => acquireIndexLease(tx, { organizationId, spaceId: id }, 'killed', now))
    const stopping = new AbortController()
    const waiting = indexSpace(request(id, { now: () => now, signal: stopping.signal }))
    setTimeout(() => stopping.abort(new Error('waited')), 250)
    await expect(waiting).rejects.toThrow()
    now += 20_000
    await indexSpace(request(id, { now: () => now }))
    expect([await found(id, 'after'), await found(id, 'shared')]).toEqual([1, 150])
  })

  it('reports a text that cannot be folded, retries it with backoff, and gives up in the end', async () => {
    await database.write((tx) => tx.deleteFrom('jobs').execute())
    let isPoisonous = true
    const services = withFold((page) =>
      isPoisonous && page.markdown.includes('poison')
        ? Promise.resolve(failedFolding(page, 'The thread that did it ended'))
        : api.services.reader.fold(page),
    )
    let now = Date.now()
    const reports: string[] = []
    const options = {
      database,
      handlers: { [indexSpaceJob]: indexSpaceHandler(services, () => now) },
      now: () => now,
      random: () => 1,
      report: (error: unknown, _: unknown, hasGivenUp?: boolean) =>
        reports.push(`${hasGivenUp} ${(error as Error).message}`),
      signal: new AbortController().signal,
      maxAttempts: 3,
    }
    const id = await create(['# Alpha\n\npoison inside\n', '# Beta\n\nharmless\n'])
    await drainJobs({ ...options, now: () => (now += 10) })
    expect([await found(id, 'alpha'), await found(id, 'inside'), await found(id, 'harmless')]).toEqual([
      1, 0, 1,
    ])
    expect(await listFailedPages(database.read, { organizationId, spaceId: id })).toMatchObject([
      { spaceId: id, reason: 'The thread that did it ended' },
    ])
    expect(reports).toEqual([expect.stringMatching(/^false 1 pages .* titles alone/)])
    // The next try takes it up, though the index is at the head.
    isPoisonous = false
    now += 60_000
    await drainJobs(options)
    expect([await found(id, 'inside'), reports.length]).toEqual([1, 1])
    expect(await listFailedPages(database.read, { organizationId, spaceId: id })).toEqual([])

    isPoisonous = true
    await insert(id, ['# Gamma\n\npoison again\n'])
    for (let attempt = 0; attempt < 4; attempt += 1) {
      now += 3_600_000
      await drainJobs(options)
    }
    expect(reports.map((report) => report.split(' ')[0])).toEqual(['false', 'false', 'false', 'true'])
    const jobs = await database.read
      .selectFrom('jobs')
      .select(['due_at', 'type'])
      .where('type', '=', indexSpaceJob)
      .execute()
    expect(jobs).toEqual([{ due_at: null, type: indexSpaceJob }])
    // A new text of the page is a new beginning.
    expect(await listFailedPages(database.read, { organizationId, spaceId: id })).toHaveLength(1)
  })

  it('has nothing left to merge once many pages are indexed', async () => {
    while (await database.write(mergeParts));
    await indexSpace(request(await create(texts(1, 'little'))))
    const id = await create(texts(150, 'apart'))
    await indexSpace(request(id))
    expect(await database.write(mergeParts)).toBe(false)
    expect(await found(id, 'apart')).toBe(150)
  })

  it('of another format version is rebuilt when a server starts, and so is one that is behind', async () => {
    const id = await create(texts(3, 'lost'))
    await indexSpace(request(id))
    await database.write(async (tx) => {
      await tx.deleteFrom('jobs').execute()
      // As left by an earlier version: pages without their sections, which look complete.
      const pages = await acrossTestOrganizations(tx)
        .selectFrom('search_pages')
        .selectAll()
        .where('space_id', '=', id)
        .execute()
      const emptied = pages.map(({ page_id: pageId, title, path, text_hash: text }) => {
        return { page: { pageId, title, path, text, sections: [] }, words: [], guards: [], distinct: '' }
      })
      await replacePages(tx, { organizationId, spaceId: id }, emptied)
      await acrossTestOrganizations(tx)
        .updateTable('search_spaces')
        .set({ version: 0 })
        .where('space_id', '=', id)
        .execute()
      await acrossTestOrganizations(tx)
        .updateTable('search_pages')
        .set({ version: 0 })
        .where('space_id', '=', id)
        .execute()
    })
    expect(await found(id, 'lost')).toBe(0)
    await catchUpIndexes(database, Date.now())
    await drainJobs({
      database,
      handlers: { [indexSpaceJob]: indexSpaceHandler(api.services, Date.now) },
      now: Date.now,
      random: () => 1,
      report: (error) => {
        throw error
      },
      signal: new AbortController().signal,
    })
    expect(await found(id, 'lost')).toBe(3)
    expect((await findIndexState(database.read, { organizationId, spaceId: id }))!.isExact).toBe(true)
    await database.write((tx) => tx.deleteFrom('jobs').execute())
    await catchUpIndexes(database, Date.now())
    const jobs = await database.read.selectFrom('jobs').select('key').execute()
    expect(jobs.map(({ key }) => key)).not.toContain(id)
    await insert(id, texts(1, 'more'))
    await database.write((tx) => tx.deleteFrom('jobs').execute())
    await catchUpIndexes(database, Date.now())
    const behind = await database.read.selectFrom('jobs').select('key').execute()
    expect(behind.map(({ key }) => key)).toContain(id)
  })
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEngines } from '../../../tests/engines.js'
import { insertOrganization, insertSpace } from '../../../tests/test-rows.js'
import type { OrganizationId, PageId, SpaceId } from '../../core/ids.js'
import { createCaches } from '../cache/caches.js'
import type { DataVersion } from '../db/commits.js'
import type { Database } from '../db/database.js'
import { openDatabase } from '../db/open.js'
import type { SectionScope } from '../search/engine.js'
import { foldPages } from '../search/fold.js'
import { replacePages } from '../search/pages.js'
import { withSearchCache } from './search-cache.js'
import { type SearchQuery, executeSearch } from './execute-search.js'
import { type SearchService, createInlineSearch } from './search-service.js'

const [organizationId, otherId] = ['organization', 'other'] as OrganizationId[]
const [spaceId, otherSpaceId] = ['space', 'otherSpace'] as SpaceId[]
const { signal } = new AbortController()

describeEngines('cached search results', ({ settings }) => {
  let database: Database
  /** Opened as by another process. */
  let otherProcess: Database
  beforeAll(async () => {
    const where = await settings()
    database = await openDatabase(where)
    otherProcess = await openDatabase(where)
    await database.write(async (tx) => {
      await insertOrganization(tx, organizationId!)
      await insertOrganization(tx, otherId!)
      await insertSpace(tx, organizationId!, spaceId!)
      await insertSpace(tx, otherId!, otherSpaceId!)
    })
  })
  afterAll(async () => {
    await otherProcess.close()
    await database.close()
  })

  const index = (
    title: string,
    through = database,
    [ofOrganization, ofSpace] = [organizationId!, spaceId!],
  ) =>
    through.write((tx) => {
      const sections = [{ anchor: 'part', heading: 'Part', body: `Words of the ${title}` }]
      const page = { pageId: title as PageId, title, path: title, text: '', sections }
      return replacePages(tx, { organizationId: ofOrganization, spaceId: ofSpace }, foldPages([page]))
    })

  const byName: SectionScope = { organizationId: organizationId!, spaceIds: [spaceId!] }
  const queryOf = (query: string, scope: SectionScope = byName): SearchQuery => {
    return { scope, query, by: 'page', offset: 0, limit: 10, excerptLength: 50 }
  }

  /** A caching search service, and the queries that were executed; awaits `pass` before each result. */
  function counting(
    pass: () => Promise<void> = async () => {},
  ): SearchService & { readonly executed: string[] } {
    const executed: string[] = []
    const inline = createInlineSearch(database)
    const counted: SearchService = {
      ...inline,
      async find(question, left) {
        executed.push(question.query)
        const answer = await executeSearch(database.read, question)
        await pass()
        left.throwIfAborted()
        return answer
      },
    }
    return { ...withSearchCache(counted, { database, caches: createCaches(database, 1 << 20) }), executed }
  }

  const titles = async (searching: SearchService, question: SearchQuery, whose = signal) =>
    (await searching.find(question, whose)).pages.map(({ title }) => title.text).toSorted()

  test('are valid until a commit of their organization, by any process', async () => {
    const searching = counting()
    await index('Kept needle')
    expect(await titles(searching, queryOf('needle'))).toEqual(['Kept needle'])
    await index('Foreign needle', database, [otherId!, otherSpaceId!])
    expect(await titles(searching, queryOf('needle'))).toEqual(['Kept needle'])
    expect(searching.executed).toEqual(['needle'])
    await index('Later needle', otherProcess)
    expect(await titles(searching, queryOf('needle'))).toEqual(['Kept needle', 'Later needle'])
    expect(searching.executed).toEqual(['needle', 'needle'])
  })

  test('differ by words, spaces, rule and window', async () => {
    const searching = counting()
    await index('Apart thread')
    const nowhere: SectionScope = { organizationId: organizationId!, spaceIds: [otherSpaceId!] }
    const rule = (id: SpaceId): SectionScope => ({
      organizationId: organizationId!,
      isInScope: (space) => space('spaces.id', '=', id),
    })
    const executed = [byName, nowhere, rule(spaceId!), rule(otherSpaceId!)]
    for (const round of [1, 2]) {
      const found = await Promise.all(
        executed.map((searched) => titles(searching, queryOf('thread', searched))),
      )
      expect(found, `round ${round}`).toEqual([['Apart thread'], [], ['Apart thread'], []])
    }
    expect(await titles(searching, { ...queryOf('thread'), offset: 1 })).toEqual([])
    expect(await titles(searching, queryOf('threads'))).toEqual(['Apart thread'])
    expect(searching.executed).toHaveLength(executed.length + 2)
  })

  test('that were read before a commit are not returned after it', async () => {
    let pass = () => {}
    let isBlocked = true
    const searching = counting(() =>
      isBlocked ? new Promise((resolve) => (pass = resolve)) : Promise.resolve(),
    )
    await index('Early pin')
    const early = titles(searching, queryOf('pin'))
    await expect.poll(() => searching.executed).toEqual(['pin'])
    await index('Late pin')
    isBlocked = false
    expect(await titles(searching, queryOf('pin'))).toEqual(['Early pin', 'Late pin'])
    pass()
    expect(await early).toEqual(['Early pin'])
    expect(await titles(searching, queryOf('pin'))).toEqual(['Early pin', 'Late pin'])
  })

  test('are validated at the data version that the caller passes, without a further query', async () => {
    let looks = 0
    const executed: string[] = []
    const inline = createInlineSearch(database)
    const counted: SearchService = {
      ...inline,
      find: (question, left) => (executed.push(question.query), inline.find(question, left)),
    }
    const dataVersion = () => ((looks += 1), database.dataVersion())
    const caches = createCaches(database, 1 << 20)
    const searching = withSearchCache(counted, { database: { dataVersion }, caches })
    const find = async (since?: DataVersion) =>
      (await searching.find(queryOf('cork'), signal, since)).pages.map(({ title }) => title.text).toSorted()
    const before = await database.dataVersion()
    await index('Early cork', otherProcess)
    expect(await find(before)).toEqual(['Early cork'])
    // It was read later than that version, but is not known to be.
    const since = await database.dataVersion()
    expect(await find(since)).toEqual(['Early cork'])
    expect(await find(since)).toEqual(['Early cork'])
    expect(executed).toHaveLength(2)
    await index('Late cork', otherProcess)
    expect(await find(await database.dataVersion())).toEqual(['Early cork', 'Late cork'])
    expect([executed.length, looks]).toEqual([3, 0])
    await index('Last cork', otherProcess)
    expect(await find()).toEqual(['Early cork', 'Last cork', 'Late cork'])
    expect(looks).toBe(1)
  })

  test('are shared by concurrent callers, also when the first of them aborts', async () => {
    let pass = () => {}
    let isBlocked = true
    const searching = counting(() =>
      isBlocked ? new Promise((resolve) => (pass = resolve)) : Promise.resolve(),
    )
    await index('Shared button')
    const leaving = new AbortController()
    const first = titles(searching, queryOf('button'), leaving.signal)
    const others = [1, 2, 3].map(() => titles(searching, queryOf('button')))
    await expect.poll(() => searching.executed).toEqual(['button'])
    leaving.abort()
    isBlocked = false
    pass()
    await expect(first).rejects.toThrow(/abort/i)
    expect(await Promise.all(others)).toEqual([['Shared button'], ['Shared button'], ['Shared button']])
  })
})

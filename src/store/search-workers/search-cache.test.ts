import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEngines } from '../../../tests/engines.js'
import { insertOrganization, insertSpace } from '../../../tests/rows.js'
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

describeEngines('the answer of a search', ({ settings }) => {
  let database: Database
  /** As another process has it open. */
  let elsewhere: Database
  beforeAll(async () => {
    const where = await settings()
    database = await openDatabase(where)
    elsewhere = await openDatabase(where)
    await database.write(async (tx) => {
      await insertOrganization(tx, organizationId!)
      await insertOrganization(tx, otherId!)
      await insertSpace(tx, organizationId!, spaceId!)
      await insertSpace(tx, otherId!, otherSpaceId!)
    })
  })
  afterAll(async () => {
    await elsewhere.close()
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
  const questionOf = (query: string, scope: SectionScope = byName): SearchQuery => {
    return { scope, query, by: 'page', offset: 0, limit: 10, excerptLength: 50 }
  }

  /** Searching that keeps answers, and the questions that came to be asked; `pass` is waited for before each answer. */
  function counting(
    pass: () => Promise<void> = async () => {},
  ): SearchService & { readonly asked: string[] } {
    const asked: string[] = []
    const inline = createInlineSearch(database)
    const counted: SearchService = {
      ...inline,
      async find(question, left) {
        asked.push(question.query)
        const answer = await executeSearch(database.read, question)
        await pass()
        left.throwIfAborted()
        return answer
      },
    }
    return { ...withSearchCache(counted, { database, caches: createCaches(database, 1 << 20) }), asked }
  }

  const titles = async (searching: SearchService, question: SearchQuery, whose = signal) =>
    (await searching.find(question, whose)).pages.map(({ title }) => title.text).toSorted()

  test('is kept until something of its organization is committed, by whatever process', async () => {
    const searching = counting()
    await index('Kept needle')
    expect(await titles(searching, questionOf('needle'))).toEqual(['Kept needle'])
    await index('Foreign needle', database, [otherId!, otherSpaceId!])
    expect(await titles(searching, questionOf('needle'))).toEqual(['Kept needle'])
    expect(searching.asked).toEqual(['needle'])
    await index('Later needle', elsewhere)
    expect(await titles(searching, questionOf('needle'))).toEqual(['Kept needle', 'Later needle'])
    expect(searching.asked).toEqual(['needle', 'needle'])
  })

  test('is another for other words, other spaces, another rule and another part of the list', async () => {
    const searching = counting()
    await index('Apart thread')
    const nowhere: SectionScope = { organizationId: organizationId!, spaceIds: [otherSpaceId!] }
    const rule = (id: SpaceId): SectionScope => ({
      organizationId: organizationId!,
      isInScope: (space) => space('spaces.id', '=', id),
    })
    const asked = [byName, nowhere, rule(spaceId!), rule(otherSpaceId!)]
    for (const round of [1, 2]) {
      const found = await Promise.all(
        asked.map((searched) => titles(searching, questionOf('thread', searched))),
      )
      expect(found, `round ${round}`).toEqual([['Apart thread'], [], ['Apart thread'], []])
    }
    expect(await titles(searching, { ...questionOf('thread'), offset: 1 })).toEqual([])
    expect(await titles(searching, questionOf('threads'))).toEqual(['Apart thread'])
    expect(searching.asked).toHaveLength(asked.length + 2)
  })

  test('that was read before a commit is not kept for those who ask after it', async () => {
    let pass = () => {}
    let isHeld = true
    const searching = counting(() =>
      isHeld ? new Promise((resolve) => (pass = resolve)) : Promise.resolve(),
    )
    await index('Early pin')
    const early = titles(searching, questionOf('pin'))
    await expect.poll(() => searching.asked).toEqual(['pin'])
    await index('Late pin')
    isHeld = false
    expect(await titles(searching, questionOf('pin'))).toEqual(['Early pin', 'Late pin'])
    pass()
    expect(await early).toEqual(['Early pin'])
    expect(await titles(searching, questionOf('pin'))).toEqual(['Early pin', 'Late pin'])
  })

  test('is believed as far as whoever asks has looked, without another look', async () => {
    let looks = 0
    const asked: string[] = []
    const inline = createInlineSearch(database)
    const counted: SearchService = {
      ...inline,
      find: (question, left) => (asked.push(question.query), inline.find(question, left)),
    }
    const dataVersion = () => ((looks += 1), database.dataVersion())
    const caches = createCaches(database, 1 << 20)
    const searching = withSearchCache(counted, { database: { dataVersion }, caches })
    const find = async (since?: DataVersion) =>
      (await searching.find(questionOf('cork'), signal, since)).pages
        .map(({ title }) => title.text)
        .toSorted()
    const before = await database.dataVersion()
    await index('Early cork', elsewhere)
    expect(await find(before)).toEqual(['Early cork'])
    // It was read later than that look, but is not known to be.
    const since = await database.dataVersion()
    expect(await find(since)).toEqual(['Early cork'])
    expect(await find(since)).toEqual(['Early cork'])
    expect(asked).toHaveLength(2)
    await index('Late cork', elsewhere)
    expect(await find(await database.dataVersion())).toEqual(['Early cork', 'Late cork'])
    expect([asked.length, looks]).toEqual([3, 0])
    await index('Last cork', elsewhere)
    expect(await find()).toEqual(['Early cork', 'Last cork', 'Late cork'])
    expect(looks).toBe(1)
  })

  test('comes to all who ask at once, also when the first of them leaves', async () => {
    let pass = () => {}
    let isHeld = true
    const searching = counting(() =>
      isHeld ? new Promise((resolve) => (pass = resolve)) : Promise.resolve(),
    )
    await index('Shared button')
    const leaving = new AbortController()
    const first = titles(searching, questionOf('button'), leaving.signal)
    const others = [1, 2, 3].map(() => titles(searching, questionOf('button')))
    await expect.poll(() => searching.asked).toEqual(['button'])
    leaving.abort()
    isHeld = false
    pass()
    await expect(first).rejects.toThrow(/abort/i)
    expect(await Promise.all(others)).toEqual([['Shared button'], ['Shared button'], ['Shared button']])
  })
})

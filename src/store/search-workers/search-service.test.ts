import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEngines } from '../../../tests/engines.js'
import { insertOrganization, insertSpace } from '../../../tests/test-rows.js'
import { buildThread } from '../../../tests/thread-program.js'
import { ApiError } from '../../contract/errors.js'
import type { OrganizationId, PageId, SpaceId } from '../../core/ids.js'
import { sqliteFile } from '../db/sqlite-file.js'
import type { Database } from '../db/database.js'
import { openDatabase } from '../db/open.js'
import type { ReaderSettings } from '../db/open-reader.js'
import type { SectionScope } from '../search/engine.js'
import { foldPages } from '../search/fold.js'
import type { SearchQuery } from './execute-search.js'
import { replacePages } from '../search/pages.js'
import { type SearchService, createInlineSearch, createWorkerSearch } from './search-service.js'

const { signal } = new AbortController()
const organizationId = 'organization' as OrganizationId
const [open, closed] = ['open', 'closed'] as SpaceId[]

let folder: string
let program: URL
beforeAll(async () => {
  ;({ program, folder } = await buildThread(join(import.meta.dirname, 'worker.ts')))
})
afterAll(() => rm(folder, { recursive: true }))

/** The same program; the query `dies` kills it always, `once` only the first time. */
async function mortalProgram(): Promise<URL> {
  const mortal = join(folder, `mortal-${randomUUID()}.mjs`)
  await writeFile(
    mortal,
    `import ${JSON.stringify(program.href)}
     import { parentPort } from 'node:worker_threads'
     import { existsSync, writeFileSync } from 'node:fs'
     const seen = ${JSON.stringify(`${mortal}.seen`)}
     parentPort.on('message', ({ query }) => {
       if (query === 'dies') process.exit(7)
       if (query === 'once' && !existsSync(seen)) process.exit(writeFileSync(seen, ''))
     })`,
  )
  return pathToFileURL(mortal)
}

function queryOf(query: string, scope: SectionScope): SearchQuery {
  return { scope, query, by: 'page', offset: 0, limit: 10, excerptLength: 50 }
}

const errorOf = (executed: Promise<unknown>) =>
  executed.then(
    () => undefined,
    (error: unknown) => (error instanceof ApiError ? error.errorName : error),
  )

describeEngines('search in worker threads', ({ settings }) => {
  let database: Database
  let place: ReaderSettings
  let threads: SearchService

  beforeAll(async () => {
    const where = await settings()
    database = await openDatabase(where)
    place = where.url === undefined ? { file: join(where.dataFolder, sqliteFile) } : { url: where.url }
    await database.write(async (tx) => {
      await insertOrganization(tx, organizationId)
      for (const spaceId of [open!, closed!]) await insertSpace(tx, organizationId, spaceId)
    })
    for (const spaceId of [open!, closed!]) await index(spaceId, 'Once needle')
    threads = createWorkerSearch(program, 1, place)
    return async () => {
      await threads.close()
      await database.close()
    }
  })

  const index = (spaceId: SpaceId, title: string) =>
    database.write((tx) => {
      const sections = [{ anchor: 'part', heading: 'Part', body: `Words of the ${title}` }]
      const page = { pageId: `${spaceId} ${title}` as PageId, title, path: title, text: '', sections }
      return replacePages(tx, { organizationId, spaceId }, foldPages([page]))
    })

  const byName = (...spaceIds: SpaceId[]): SectionScope => ({ organizationId, spaceIds })
  const byRule: SectionScope = {
    organizationId,
    isInScope: (space) => space.and([space('spaces.title', '=', 'open'), sql<boolean>`${1} = 1` as never]),
  }

  test('returns the same as in this thread, for listed spaces and by rule, counted by page and by space', async () => {
    const inline = createInlineSearch(database)
    for (const searched of [byName(open!), byName(open!, closed!), byName(), byRule])
      for (const by of ['page', 'space'] as const) {
        const question = { ...queryOf('needle', searched), by }
        const answer = await threads.find(question, signal)
        expect(answer).toEqual(await inline.find(question, signal))
        const count = 'spaceIds' in searched ? searched.spaceIds.length : 1
        expect([answer.count, answer.pages.length]).toEqual([count, count])
      }
  })

  test('never finds what the rule excludes', async () => {
    const { pages } = await threads.find(queryOf('needle', byRule), signal)
    expect(pages.map(({ spaceId }) => spaceId)).toEqual([open])
  })

  test('finds what another connection has committed, and nothing that it removed', async () => {
    await index(open!, 'Haystack')
    const question = queryOf('haystack', byName(open!))
    expect((await threads.find(question, signal)).count).toBe(1)
    await database.write((tx) =>
      replacePages(tx, { organizationId, spaceId: open! }, [
        ...foldPages([
          { pageId: 'open Haystack' as PageId, title: 'Gone', path: 'gone', text: '', sections: [] },
        ]),
      ]),
    )
    expect((await threads.find(question, signal)).count).toBe(0)
  })

  test('a worker that dies is restarted: its search is retried, and no other is lost', async () => {
    const mortal = createWorkerSearch(await mortalProgram(), 1, place)
    const ask = (query: string) => mortal.find(queryOf(query, byName(open!)), signal)
    const [once, behind] = [ask('once'), ask('needle')]
    expect((await once).count).toBe(1)
    expect((await behind).count).toBe(1)
    const [dies, last] = [errorOf(ask('dies')), ask('needle')]
    expect(await dies).toBe('search_failed')
    expect((await last).count).toBe(1)
    await mortal.close()
  })

  test('the number of waiting searches is bounded, and an aborted one frees its place', async () => {
    const narrow = createWorkerSearch(program, 1, place, { maxWaiting: 1 })
    const ask = (asking: AbortSignal = signal) => narrow.find(queryOf('needle', byName(open!)), asking)
    const leaving = new AbortController()
    const inside = [ask(), ask()]
    const left = errorOf(ask(leaving.signal))
    expect(await errorOf(ask())).toBe('search_busy')
    leaving.abort()
    expect(await left).toBe('search_busy')
    const next = ask()
    expect((await Promise.all([...inside, next])).map(({ count }) => count)).toEqual([1, 1, 1])
    await narrow.close()
  })

  test('close completes running searches and rejects waiting ones', async () => {
    const closing = createWorkerSearch(program, 1, place)
    const executed = Array.from({ length: 5 }, () => closing.find(queryOf('needle', byName(open!)), signal))
    const outcomes = Promise.allSettled(executed)
    await closing.close()
    expect((await outcomes).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
    ])
    expect(await errorOf(closing.find(queryOf('needle', byName(open!)), signal))).toBe('search_busy')
  })
})

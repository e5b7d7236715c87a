/**
 * Simulation of writers in one text through the API: connections are cut, processes share a database and are killed, and
 * every acknowledged word is in the text once. `OCTAVO_EDIT_ROUNDS` makes longer runs of other seeds.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createRandom } from '../dev/bench/corpus.js'
import { require2xx, startServer } from '../dev/server-process.js'
import { describeConcurrency } from './engines.js'
import { type Person, type TestClient, openTestClient } from './test-client.js'
import { type SaveRequest, TextWriter, findMiscounted, hashOf } from './text-writers.js'

const longRounds = Number(process.env['OCTAVO_EDIT_ROUNDS'] ?? 0)
const seed = longRounds > 0 ? Date.now() : 5
/** Saves of each writer; fewer of many, so that the suite takes as long. */
const roundsOf = (writers: number): number => longRounds || Math.max(2, Math.floor(14 / writers))

const text = `# Text\n\n${Array.from({ length: 30 }, (_, line) => `- line ${line} of the text\n`).join('')}\n> quoted words here\n`

/** Lets all writers type and save at the same time, and then agree. */
async function write(writers: readonly TextWriter[], random: () => number): Promise<void> {
  await Promise.all(
    writers.map(async (writer) => {
      for (let round = roundsOf(writers.length); round > 0; round--) {
        for (let words = 1 + random() * 3; words > 0; words--) writer.edit()
        await writer.save(true)
      }
    }),
  )
  await settle(writers)
}

/** Saves what was typed while others saved, and reads what they did, until all have the same. */
async function settle(writers: readonly TextWriter[]): Promise<void> {
  for (let pass = 0; pass < 6 && (pass < 1 || new Set(writers.map((one) => one.text)).size > 1); pass++)
    for (const writer of writers) await writer.save()
}

function expectAgreement(stored: { text: string; hash: string }, writers: readonly TextWriter[]): void {
  expect(stored.hash).toBe(hashOf(stored.text))
  expect(findMiscounted(stored.text, writers)).toEqual([])
  for (const writer of writers) {
    expect(writer.text).toBe(stored.text)
    expect(writer.words.filter((word) => !writer.acknowledged.has(word))).toEqual([])
  }
}

describeConcurrency('writers in one text', (engine) => {
  let clients: TestClient[]
  let ann: Person
  let organization: string

  beforeAll(async () => {
    clients = [await openTestClient(await engine.open())]
    // One process writes to a file of SQLite in these tests; PostgreSQL has two.
    if (engine.engine === 'postgres') clients.push(await openTestClient(await engine.openAgain()))
    ann = await clients[0]!.person('ann')
    organization = await clients[0]!.organization(ann)
  })

  const send = (method: string, path: string, body?: object, client = 0) =>
    clients[client]!.request(ann, method, path, body)

  async function createPage() {
    const { body } = await send('POST', `/orgs/${organization}/spaces`, { editMode: 'live', empty: true })
    const request = await send('POST', `/spaces/${body.id}/change-requests`, {})
    const place = `/spaces/${body.id}/change-requests/${request.body.number}/content`
    const changes = [{ operation: 'insert_page', document: { markdown: text } }]
    const written = await send('POST', `${place}?compat=false`, { changes })
    return { space: body.id, place, page: written.body.changes[0].page.id as string }
  }

  test.each([2, 5, 20])('%i writers, connections cut: every word is there once', async (count) => {
    const { place, page } = await createPage()
    const random = createRandom(seed + count)
    const path = `${place}/page/${page}/text`
    const writers = Array.from(
      { length: count },
      (_, index) =>
        new TextWriter({
          name: `a${index}`,
          text,
          random,
          cuts: 0.3,
          send: (request) => send('PATCH', path, request, Math.floor(random() * clients.length)),
        }),
    )
    await write(writers, random)
    expectAgreement((await send('GET', path)).body, writers)
    expect(writers.reduce((sum, { retries }) => sum + retries, 0)).toBeGreaterThan(0)
  })

  test('beside writers of whole texts, and while the page moves, no acknowledged word is lost', async () => {
    const { place, page } = await createPage()
    const random = createRandom(seed)
    const path = `${place}/page/${page}/text`
    const writers = Array.from(
      { length: 4 },
      (_, index) =>
        new TextWriter({
          name: `b${index}`,
          text,
          random,
          cuts: 0.2,
          send: (request) => send('PATCH', path, request, index % clients.length),
        }),
    )
    const over = new AbortController()
    const others = (async () => {
      for (let round = 0; !over.signal.aborted; round++) {
        const { body } = await send('GET', path)
        const markdown = `${body.text}\nBatch ${round}.\n`
        const change = { operation: 'update_page', page, base: body.hash, document: { markdown } }
        const move = { operation: 'update_page', page, slug: `moved-${round}` }
        for (const changes of [[change], [move]]) {
          const { status, text: answer } = await send('POST', place, { changes })
          if (status !== 200 && status !== 409) throw new Error(`A batch got ${status}: ${answer}`)
        }
      }
    })()
    await write(writers, random)
    over.abort()
    await others
    await settle(writers)
    expectAgreement((await send('GET', path)).body, writers)
  })

  test('deletion of the page, a merge and deletion of the space refuse edits, and nothing answers 500', async () => {
    const removals = [
      async (place: string, page: string) =>
        send('POST', place, { changes: [{ operation: 'delete_page', page }] }),
      async (place: string) => send('POST', `${place.replace('/content', '')}/merge`, {}),
      async (place: string) => send('PATCH', place.replace('/content', ''), { status: 'archived' }),
      async (_place: string, _page: string, space: string) => send('DELETE', `/spaces/${space}`),
    ]
    for (const [index, remove] of removals.entries()) {
      const { place, page, space } = await createPage()
      const path = `${place}/page/${page}/text`
      let base = text
      const statuses: number[] = []
      const removed = (async () => {
        for (let turns = 0; turns < 5 + index; turns++) await new Promise((resolve) => setImmediate(resolve))
        return (await remove(place, page, space)).status
      })()
      for (let seq = 0; seq < 12; seq++) {
        const splices = [{ start: 2, end: 2, text: `w${seq} ` }]
        const request: SaveRequest = { base: hashOf(base), splices, client: 'c', seq }
        const answer = await send('PATCH', path, request, seq % clients.length)
        statuses.push(answer.status)
        if (answer.status === 200) base = `${base.slice(0, 2)}w${seq} ${base.slice(2)}`
      }
      expect(await removed).toBeLessThan(300)
      expect(statuses.filter((status) => ![200, 403, 404, 409].includes(status))).toEqual([])
      expect(statuses.at(-1)).toBeGreaterThanOrEqual(403)
    }
  })
})

test('writers whose server is killed lose no acknowledged word, and repeat none', async () => {
  const data = await mkdtemp(join(tmpdir(), 'octavo-editing-'))
  let server = await startServer({ data })
  try {
    const { items } = await require2xx(server.request('GET', '/orgs'))
    const body = { title: 'Edited', editMode: 'live', empty: true }
    const space = await require2xx(server.request('POST', `/orgs/${items[0].id}/spaces`, body))
    const changes = [{ operation: 'insert_page', document: { markdown: text } }]
    const place = `/spaces/${space.id}/content`
    const written = await require2xx(server.request('POST', `${place}?compat=false`, { changes }))
    const path = `${place}/page/${written.changes[0].page.id}/text`
    const random = createRandom(seed)
    const send = async (request: SaveRequest) => {
      try {
        return await server.request('PATCH', path, request)
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 20))
        return undefined
      }
    }
    const writers = Array.from(
      { length: 5 },
      (_, index) => new TextWriter({ name: `k${index}`, text, random, cuts: 0.1, send }),
    )
    const writing = write(writers, random)
    for (let kills = longRounds > 0 ? 10 : 1; kills > 0; kills--) {
      await new Promise((resolve) => setTimeout(resolve, 40 + random() * 100))
      await server.kill()
      server = await startServer({ data })
    }
    await writing
    expectAgreement(await require2xx(server.request('GET', path)), writers)
  } finally {
    await server.stop()
    await rm(data, { recursive: true, force: true })
  }
})

describeConcurrency('two servers on one database', (engine) => {
  test.skipIf(engine.engine === 'sqlite')(
    'ten writers at each, connections cut: every word of a page is there once',
    async () => {
      const { dataFolder: data, url } = await engine.settings()
      const environment = { OCTAVO_DATABASE_URL: url! }
      const first = await startServer({ data, environment })
      const second = await startServer({ data, environment })
      try {
        const { items } = await require2xx(first.request('GET', '/orgs'))
        const body = { title: 'Edited', editMode: 'live', empty: true }
        const space = await require2xx(first.request('POST', `/orgs/${items[0].id}/spaces`, body))
        const request = await require2xx(first.request('POST', `/spaces/${space.id}/change-requests`, {}))
        const place = `/spaces/${space.id}/change-requests/${request.id}/content`
        const changes = [{ operation: 'insert_page', document: { markdown: text } }]
        const written = await require2xx(first.request('POST', `${place}?compat=false`, { changes }))
        const path = `${place}/page/${written.changes[0].page.id}/text`
        const random = createRandom(seed + 22)
        const writers = [first, second].flatMap((server, side) =>
          Array.from(
            { length: 10 },
            (_, index) =>
              new TextWriter({
                name: `s${side}n${index}`,
                text,
                random,
                cuts: 0.3,
                send: (save) => server.request('PATCH', path, save),
              }),
          ),
        )
        await write(writers, random)
        for (const server of [first, second])
          expectAgreement(await require2xx(server.request('GET', path)), writers)
        expect(writers.reduce((sum, { retries }) => sum + retries, 0)).toBeGreaterThan(0)
      } finally {
        await Promise.all([first.stop(), second.stop()])
      }
    },
  )
})

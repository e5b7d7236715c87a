/**
 * Cold cache: random pages of a large space, each requested once, over 16 connections, from a server that was just
 * started, PostgreSQL beside SQLite. Then the same pages cached, from two servers on one PostgreSQL beside one server
 * on SQLite.
 */
import { startPostgres } from '../postgres-process.js'
import { type ServerProcess, token } from '../server-process.js'
import { type CorpusFile, createRandom } from './corpus.js'
import { type Figure, median } from './figure.js'
import { runImport } from './imports.js'
import { connections, requestsFor, startClient } from './throughput.js'
import { type ListedPage, type World, listPages, publishSpace } from './world.js'

interface TestSite {
  /** Another after every restart. */
  world: World
  readonly space: string
  readonly pages: readonly ListedPage[]
  /** The path of the published site. */
  readonly base: string
}

interface PageFormat {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  path(testSite: TestSite, page: ListedPage): string
}

const headers = { authorization: `Bearer ${token}` }
const formats: readonly PageFormat[] = [
  { name: 'of a published site', headers: {}, path: ({ base }, { path }) => base + path },
  {
    name: 'as a document',
    headers,
    path: ({ space }, { id }) => `/v1/spaces/${space}/content/page/${id}?format=document`,
  },
  {
    name: 'as Markdown',
    headers,
    path: ({ space }, { id }) => `/v1/spaces/${space}/content/page/${id}?format=markdown`,
  },
]

/** Pages that are requested before anything counts: hot code is compiled, and the upper nodes are cached. */
const warmUp = 300
const maxPages = 2_000

/** Returns no figure where PostgreSQL is not installed. The large space is on SQLite, and stays as it was. */
export async function measureColdPages(
  large: { readonly world: World; readonly space: string; readonly files: readonly CorpusFile[] },
  { turns, milliseconds }: { readonly turns: number; readonly milliseconds: number },
  keep: (world: World) => void,
): Promise<Figure[]> {
  const postgres = await startPostgres()
  if (postgres === undefined) return []
  const client = startClient()
  const postgresWorld: { other?: World } = {}
  try {
    const imported: { space?: string } = {}
    await runImport(
      large.files,
      (world, space) => {
        postgresWorld.other = world
        imported.space = space
      },
      postgres.url,
    )
    const sqlite = await createTestSite(large.world, large.space)
    const other = await createTestSite(postgresWorld.other!, imported.space!)
    const figures: Figure[] = []
    for (const format of formats) {
      sqlite.world = await sqlite.world.restart()
      keep(sqlite.world)
      other.world = postgresWorld.other = await other.world.restart()
      const baseline = await measureCold(sqlite, format)
      const value = await measureCold(other, format)
      figures.push({
        name: `first sight of ${measuredPages(sqlite)} pages ${format.name}, PostgreSQL`,
        value,
        unit: 'req/s',
        baseline: { name: 'SQLite', value: baseline, unit: 'req/s' },
        ratio: value / baseline,
        target: { of: 'ratio', kind: 'at least', limit: 0.4 },
      })
    }
    figures.push(await measureTwoServers(sqlite, other))
    return figures
  } finally {
    await client.close()
    await postgresWorld.other?.close()
    await postgres.remove()
  }

  async function measureCold(testSite: TestSite, format: PageFormat): Promise<number> {
    const requests = requestsTo(testSite.world.server, testSite, format)
    const load = { port: portOf(testSite.world.server), connections, milliseconds: undefined }
    await client.run({ ...load, requests: requests.slice(-warmUp) })
    return client.run({ ...load, requests: requests.slice(0, measuredPages(testSite)) })
  }

  /** Cached pages: two servers on one PostgreSQL beside one on SQLite. */
  async function measureTwoServers(sqlite: TestSite, other: TestSite): Promise<Figure> {
    const format = formats.at(-1)!
    const second = await other.world.startAnother()
    const secondClient = startClient()
    try {
      const loadOf = (server: ServerProcess, testSite: TestSite) => ({
        port: portOf(server),
        requests: requestsTo(server, testSite, format).slice(0, warmUp),
        connections,
        milliseconds,
      })
      const one = loadOf(sqlite.world.server, sqlite)
      const pair = [loadOf(other.world.server, other), loadOf(second, other)] as const
      const runPair = async () => {
        const [a, b] = await Promise.all([client.run(pair[0]), secondClient.run(pair[1])])
        return a + b
      }
      await client.run(one)
      await runPair()
      const rates: { two: number; one: number }[] = []
      for (let turn = 0; turn < turns; turn += 1)
        rates.push({ two: await runPair(), one: await client.run(one) })
      return {
        name: `kept pages ${format.name}, two servers on PostgreSQL`,
        value: median(rates.map(({ two }) => two)),
        unit: 'req/s',
        baseline: { name: 'one on SQLite', value: median(rates.map(({ one }) => one)), unit: 'req/s' },
        ratio: median(rates.map(({ two, one }) => two / one)),
        target: { of: 'ratio', kind: 'at least', limit: 0.6 },
      }
    } finally {
      await secondClient.close()
      await second.stop()
    }
  }
}

/** Publishes the space and lists its pages in an order of chance, the same for every engine. */
async function createTestSite(world: World, space: string): Promise<TestSite> {
  const random = createRandom(23)
  // The first page is at the root of the site, and its path redirects there.
  const drawn = (await listPages(world, space)).slice(1).map((page) => ({ page, place: random() }))
  const pages = drawn.toSorted((a, b) => a.place - b.place).map(({ page }) => page)
  return { world, space, pages, base: new URL(await publishSpace(world, space, 'First sight')).pathname }
}

function measuredPages({ pages }: TestSite): number {
  return Math.min(maxPages, pages.length - warmUp)
}

function requestsTo(server: ServerProcess, testSite: TestSite, format: PageFormat): readonly string[] {
  const urls = testSite.pages.map((page) => new URL(format.path(testSite, page), server.url))
  return requestsFor(urls, format.headers)
}

function portOf({ url }: ServerProcess): number {
  return Number(new URL(url).port)
}

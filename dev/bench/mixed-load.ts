/**
 * Mixed load: reads during writes. Random pages of a large space, as JSON, as Markdown and as HTML, and its whole list
 * of pages, beside a bare server that sends the same bytes. Ten commits a second go into another space of the same
 * organization. The latency of a small read is measured at two thirds of the throughput, since a saturated server
 * delays every request; and while pages are imported.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { require2xx, token } from '../server-process.js'
import { createRandom } from './corpus.js'
import { type Figure, percentile } from './figure.js'
import { compareThroughput, connections, requestsFor, startClient } from './throughput.js'
import { type ListedPage, type World, createSpace, importArchive, listPages } from './world.js'

interface MixedLoadOptions {
  readonly large: string
  readonly published: string
  /** A zip of 1,000 pages. */
  readonly archive: Uint8Array
  readonly turns: number
  readonly milliseconds: number
}

const pageCount = 2_000
const pauseBetweenCommits = 100

export async function measureMixedLoad(
  world: World,
  { large, published, archive, turns, milliseconds }: MixedLoadOptions,
): Promise<Figure[]> {
  const { server } = world
  const pages = draw(await listPages(world, large))
  const headers = { authorization: `Bearer ${token}` }
  const base = `${server.url}/v1/spaces/${large}/content`
  const cases = [
    {
      name: 'pages as Markdown',
      paths: pages.map(({ id }) => `${base}/page/${id}?format=markdown`),
      headers,
      limit: 0.5,
    },
    {
      name: 'pages as a document',
      paths: pages.map(({ id }) => `${base}/page/${id}?format=document`),
      headers,
      limit: 0.4,
    },
    {
      name: 'published pages',
      paths: pages.map(({ path }) => new URL(path, published).href),
      headers: {},
      limit: 0.45,
    },
    { name: 'list of all pages', paths: [`${base}/pages`], headers, limit: 0.3 },
  ]
  const figures: Figure[] = []
  const others = await startBackgroundLoad(world)
  try {
    for (const { name, paths, headers: sent, limit } of cases) {
      for (const path of paths) await (await fetch(path, { headers: sent })).arrayBuffer()
      const urls = paths.map((path) => new URL(path))
      const { product, bare, ratio } = await compareThroughput({ urls, headers: sent, turns, milliseconds })
      figures.push({
        name: `${name}, ${paths.length} of them, while others write`,
        value: product,
        unit: 'req/s',
        baseline: { name: 'bare node:http', value: bare, unit: 'req/s' },
        ratio,
        target: { of: 'ratio', kind: 'at least', limit },
      })
      figures.push({
        name: `a small read beside two thirds of that (${name}), p99`,
        value: await slowestBeside(
          others,
          { urls, headers: sent },
          { perSecond: (product * 2) / 3, milliseconds: turns * milliseconds },
        ),
        unit: 'ms',
        target: { of: 'value', kind: 'at most', limit: 25 },
      })
    }
    const space = await createSpace(world, 'Imported meanwhile')
    others.forget()
    await importArchive(world, space, archive)
    figures.push({
      name: 'a small read while 1,000 pages are imported, p99',
      value: others.slowest(),
      unit: 'ms',
      target: { of: 'value', kind: 'at most', limit: 25 },
    })
  } finally {
    await others.stop()
  }
  return figures
}

/** Returns the p99 latency of small reads beside reads at a fixed rate, in milliseconds. */
async function slowestBeside(
  others: BackgroundLoad,
  { urls, headers }: { readonly urls: readonly URL[]; readonly headers: Readonly<Record<string, string>> },
  { perSecond, milliseconds }: { readonly perSecond: number; readonly milliseconds: number },
): Promise<number> {
  const client = startClient()
  try {
    const load = { port: Number(urls[0]!.port), requests: requestsFor(urls, headers), connections }
    others.forget()
    await client.run({ ...load, milliseconds, perSecond })
    return others.slowest()
  } finally {
    await client.close()
  }
}

type BackgroundLoad = Awaited<ReturnType<typeof startBackgroundLoad>>

function draw(pages: readonly ListedPage[]): readonly ListedPage[] {
  const random = createRandom(17)
  return Array.from({ length: pageCount }, () => pages[Math.floor(random() * pages.length)]!)
}

/** Commits and reads in another space, until it is stopped. */
async function startBackgroundLoad(world: World) {
  const { server } = world
  const space = await createSpace(world, 'Busy')
  const insert = { operation: 'insert_page', title: 'Busy', document: { markdown: '# Busy\n' } }
  await require2xx(server.request('POST', `/spaces/${space}/content`, { changes: [insert] }))
  const [page] = await listPages(world, space)
  let times: number[] = []
  const stopping = new AbortController()

  async function write(): Promise<void> {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const changes = [
        { operation: 'update_page', page: page!.id, document: { markdown: `# Busy ${turn}\n` } },
      ]
      await require2xx(server.request('POST', `/spaces/${space}/content`, { changes }))
      await wait(pauseBetweenCommits)
    }
  }
  async function read(): Promise<void> {
    while (!stopping.signal.aborted) {
      const begun = performance.now()
      await require2xx(server.request('GET', `/spaces/${space}`))
      times.push(performance.now() - begun)
      await wait(5)
    }
  }
  const working = Promise.all([write(), read()])
  return {
    forget: () => void (times = []),
    slowest: () => percentile(times, 0.99),
    async stop() {
      stopping.abort()
      await working
    },
  }
}

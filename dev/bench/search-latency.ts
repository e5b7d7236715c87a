/**
 * Search latency in a large space, common words included, and the latency of page reads during continuous searches: on both
 * engines, the second where it is installed.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { startPostgres } from '../postgres-process.js'
import { token } from '../server-process.js'
import { type CorpusFile, type Vocabulary, countPages, createCorpus, createRandom } from './corpus.js'
import { type Figure, percentile } from './figure.js'
import { runImport } from './imports.js'
import { openReader } from './reader.js'
import { connections, requestsFor, startClient } from './throughput.js'
import { type World, listPages } from './world.js'

interface SearchCorpus {
  readonly files: readonly CorpusFile[]
  readonly vocabulary: Vocabulary
}

const warmUp = 20
/** Milliseconds between two reads of a page. */
const readPause = 3
/** Of reading alone. */
const readSeconds = 3
/** Queries of 16 concurrent clients, each once, because responses are cached: some seconds of searching. */
const queriesBeside = 1_200
/** About nine sections of a page of 5 KB. */
const blocksPerSection = 3

/** Figures of a space of so many pages on SQLite, and on PostgreSQL where that is installed. */
export async function measureSearchLatency(
  pages: number,
  vocabulary: Vocabulary,
  queries: number,
): Promise<Figure[]> {
  const files = createCorpus({ pages, bytes: 5_000, vocabulary, blocksPerSection })
  const figures = await measureSearchLatencyOn(undefined, { files, vocabulary }, queries)
  const postgres = await startPostgres()
  if (postgres === undefined) return figures
  try {
    return [...figures, ...(await measureSearchLatencyOn(postgres.url, { files, vocabulary }, queries))]
  } finally {
    await postgres.remove()
  }
}

async function measureSearchLatencyOn(
  url: string | undefined,
  searched: SearchCorpus,
  queries: number,
): Promise<Figure[]> {
  const imported: { world?: World; space?: string } = {}
  try {
    await runImport(searched.files, (world, space) => Object.assign(imported, { world, space }), url)
    return await measureSearch(imported.world!, imported.space!, searched, queries)
  } finally {
    await imported.world?.close()
  }
}

/** Two words each, drawn by their frequency in the pages, none in fewer than three pages. */
async function measureSearch(
  world: World,
  space: string,
  searched: SearchCorpus,
  queries: number,
): Promise<Figure[]> {
  const { files } = searched
  const all = drawQueries(searched, queries + warmUp + queriesBeside)
  const [drawn, others] = [all.slice(0, queries + warmUp), all.slice(queries + warmUp)]
  const path = (words: readonly string[]) =>
    `/spaces/${space}/search?${new URLSearchParams({ query: words.join(' ') })}`
  const urlOf = (words: readonly string[]) => new URL(`${world.server.url}/v1${path(words)}`)
  const times: number[] = []
  const reader = openReader({ authorization: `Bearer ${token}` })
  try {
    for (const words of drawn) times.push(await reader.time(urlOf(words)))
  } finally {
    reader.close()
  }
  const engine = world.database.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  const where = `${files.length - 1} pages and ${await countSections(world)} sections, ${engine}`
  const scan = scanTexts(files, drawn)
  const figure = (share: number, limit: number): Figure => {
    const value = percentile(times.slice(warmUp), share)
    return {
      name: `search for two words in ${where}, p${share * 100}`,
      value,
      unit: 'ms',
      baseline: { name: 'scan of the texts in memory', value: scan, unit: 'ms' },
      ratio: value / scan,
      target: { of: 'value', kind: 'at most', limit },
    }
  }
  return [
    figure(0.5, 5),
    figure(0.95, 15),
    ...(await measureReadsDuringSearches(world, space, others.map(urlOf), engine)),
  ]
}

/** No query twice. */
function drawQueries({ files, vocabulary }: SearchCorpus, count: number): readonly (readonly string[])[] {
  const random = createRandom(99)
  const pages = countPages(files)
  function draw(): string {
    const word = vocabulary.draw(random)
    return (pages.get(word) ?? 0) >= 3 ? word : draw()
  }
  const drawn = new Map<string, readonly string[]>()
  while (drawn.size < count) {
    const words = [draw(), draw()]
    drawn.set(words.join(' '), words)
  }
  return [...drawn.values()]
}

async function countSections({ database }: World): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from search_sections`.execute(
    database.read,
  )
  return Number(rows[0]!.count)
}

/** A scan costs the same for any words, so a few are enough. */
function scanTexts(files: readonly CorpusFile[], queries: readonly (readonly string[])[]): number {
  const texts = files.map(({ bytes }) => bytes.toString())
  const scans = queries.slice(0, 20).map((words) => {
    const begun = performance.now()
    texts.filter((text) => words.every((word) => text.includes(word)))
    return performance.now() - begun
  })
  return percentile(scans, 0.5)
}

/** A page, read repeatedly, alone and during searches; and the rate of uncached searches meanwhile. */
async function measureReadsDuringSearches(
  world: World,
  space: string,
  urls: readonly URL[],
  engine: string,
): Promise<Figure[]> {
  const headers = { authorization: `Bearer ${token}` }
  const pages = (await listPages(world, space)).slice(0, 200)
  const addresses = pages.map(({ id }) => `${world.server.url}/v1/spaces/${space}/content/page/${id}`)
  const slowest = async (end: Promise<unknown>): Promise<number> => {
    const ending = new AbortController()
    const over = end.finally(() => ending.abort())
    const times: number[] = []
    for (let turn = 0; !ending.signal.aborted; turn += 1) {
      const begun = performance.now()
      await (await fetch(addresses[turn % addresses.length]!, { headers })).arrayBuffer()
      times.push(performance.now() - begun)
      await wait(readPause)
    }
    await over
    return percentile(times, 0.99)
  }
  for (const address of addresses) await (await fetch(address, { headers })).arrayBuffer()
  const alone = await slowest(wait(readSeconds * 1000))
  const client = startClient()
  try {
    const load = { port: Number(urls[0]!.port), requests: requestsFor(urls, headers), connections }
    let perSecond = 0
    const searching = client.run({ ...load, milliseconds: undefined }).then((rate) => {
      perSecond = rate
    })
    const beside = await slowest(searching)
    return [
      {
        name: `reading a page while ${connections} clients search, p99, ${engine}`,
        value: beside,
        unit: 'ms',
        baseline: { name: 'with nothing else', value: alone, unit: 'ms' },
        ratio: beside / alone,
        target: { of: 'value', kind: 'at most', limit: 15 },
      },
      { name: `searches of these clients, ${engine}`, value: perSecond, unit: '/s' },
    ]
  } finally {
    await client.close()
  }
}

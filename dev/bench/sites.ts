/**
 * Published sites: uncached pages, static export, and pages after a change; a page in a small and in a large site; adaptive
 * pages; and the memory of a server with many sites.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readMemory, readProcessor, require2xx, root } from '../server-process.js'
import { makeVisitorToken } from '../../tests/visitor-token.js'
import { type CorpusFile, type Vocabulary, createCorpus } from './corpus.js'
import { type Figure, median, percentile } from './figure.js'
import { openReader } from './reader.js'
import { compareThroughput, connections, requestsFor, startBare, startClient } from './throughput.js'
import {
  type ListedPage,
  type World,
  createSpace,
  importArchive,
  listPages,
  openWorld,
  publishSpace,
  untilIndexed,
  zipOf,
} from './world.js'

interface Size {
  /** Pages of the largest site. */
  readonly large: number
  /** Of one that is rendered as a whole, and written as files. */
  readonly middling: number
  /** Of each of ten sites that one server has. */
  readonly each: number
  readonly queries: number
  readonly turns: number
  readonly milliseconds: number
}

const megabyte = 1 << 20
/** One page in so many of the middling site is of 20 KB. */
const longOneIn = 12
const manySites = 10

export async function measureSites(vocabulary: Vocabulary, size: Size): Promise<Figure[]> {
  return [
    ...(await inWorld((world) => measureAdaptivePage(world, vocabulary, size))),
    ...(await measureMidsizedSite(vocabulary, size.middling)),
    ...(await inWorld((world) => measureSiteSize(world, vocabulary, size))),
    ...(await measureManySites(vocabulary, size.each)),
  ]
}

async function inWorld<Result>(work: (world: World) => Promise<Result>): Promise<Result> {
  const world = await openWorld()
  try {
    return await work(world)
  } finally {
    await world.close()
  }
}

interface Published {
  readonly space: string
  readonly url: string
  readonly pages: readonly ListedPage[]
}

async function publishFiles(world: World, title: string, files: readonly CorpusFile[]): Promise<Published> {
  const space = await createSpace(world, title)
  await importArchive(world, space, await zipOf(files))
  const url = await publishSpace(world, space, title)
  return { space, url, pages: (await listPages(world, space)).slice(1) }
}

const schema = {
  type: 'object',
  properties: { plan: { type: 'string', enum: ['free', 'pro'], description: 'The plan' } },
  additionalProperties: false,
}
const closing = '\n{% if visitor.claims.plan == "pro" %}\nFor some.\n{% endif %}\n'

/** A page with conditions on the claims of the visitor, beside a bare server that sends the same bytes. */
async function measureAdaptivePage(world: World, vocabulary: Vocabulary, turns: Size): Promise<Figure[]> {
  const { server, organization } = world
  const files = createCorpus({ pages: 100, bytes: 5_000, vocabulary }).map(({ path, bytes }) =>
    path.endsWith('SUMMARY.md') ? { path, bytes } : { path, bytes: Buffer.from(bytes + closing) },
  )
  const { url, pages } = await publishFiles(world, 'Adaptive', files)
  const { items } = await require2xx(server.request('GET', `/orgs/${organization}/sites?title=Adaptive`))
  const site = `/orgs/${organization}/sites/${items[0].id}`
  await require2xx(server.request('PUT', `${site}/adaptive-schema`, { jsonSchema: schema }))
  await require2xx(server.request('PATCH', site, { adaptiveContent: { enabled: true } }))
  const { privateKey } = await require2xx(server.request('GET', `${site}/publishing/auth`))
  const now = Math.floor(Date.now() / 1000)
  const token = makeVisitorToken(privateKey, { plan: 'pro', iat: now, exp: now + 7200 })
  const headers = { cookie: `gitbook-visitor-token=${token}` }
  const page = new URL(pages[0]!.path, url)
  const [permitted, hidden] = await Promise.all([fetch(page, { headers }), fetch(page)])
  if (!(await permitted.text()).includes('For some.') || (await hidden.text()).includes('For some.'))
    throw new Error(`${page.href} is not worked out for who comes`)
  const { product, bare, ratio } = await compareThroughput({ urls: [page], headers, ...turns })
  return [
    {
      name: 'page with conditions and claims',
      value: product,
      unit: 'req/s',
      baseline: { name: 'bare node:http', value: bare, unit: 'req/s' },
      ratio,
      target: { of: 'ratio', kind: 'at least', limit: 0.45 },
    },
  ]
}

/** A site on a server that was just started: single large pages, then all of them, then as files. */
async function measureMidsizedSite(vocabulary: Vocabulary, middling: number): Promise<Figure[]> {
  let world = await openWorld()
  const client = startClient()
  try {
    const coldPages = Math.ceil(middling / longOneIn)
    const long = createCorpus({ pages: coldPages, bytes: 20_000, vocabulary, seed: 11 })
    const short = createCorpus({ pages: middling - coldPages, bytes: 5_000, vocabulary })
    const { url, pages } = await publishFiles(world, 'Middling', joined(short, long))
    world = await world.restart()
    const site = new URL(new URL(url).pathname, world.server.url)
    const isLong = ({ path }: ListedPage) => path.startsWith('long/')
    const cold = await timeCold(site, pages.filter(isLong), middling)
    const rest = pages.filter((page) => !isLong(page))
    const requests = requestsFor(
      rest.map(({ path }) => new URL(path, site)),
      {},
    )
    const load = { port: Number(site.port), requests, connections, milliseconds: undefined }
    const perSecond = await client.run(load)
    return [
      cold,
      {
        name: `all of ${rest.length} pages rendered once`,
        value: rest.length / perSecond,
        unit: 's',
        baseline: { name: 'again', value: rest.length / (await client.run(load)), unit: 's' },
        target: { of: 'value', kind: 'at most', limit: rest.length / 500 },
      },
      ...(await measureStaticExport(world, pages.length + 1)),
    ]
  } finally {
    await client.close()
    await world.close()
  }
}

/** One corpus, followed by the other in a separate folder. */
function joined(short: readonly CorpusFile[], long: readonly CorpusFile[]): CorpusFile[] {
  const [contents, ...pages] = short as [CorpusFile, ...CorpusFile[]]
  const [others, ...below] = long as [CorpusFile, ...CorpusFile[]]
  const lines = others.bytes
    .toString()
    .split('\n')
    .filter((line) => line.includes(']('))
    .map((line) => line.replace('](', '](long/'))
  return [
    { path: contents.path, bytes: Buffer.from(`${contents.bytes.toString()}${lines.join('\n')}\n`) },
    ...pages,
    ...below.map(({ path, bytes }) => ({ path: `long/${path}`, bytes })),
  ]
}

async function timeCold(site: URL, pages: readonly ListedPage[], middling: number): Promise<Figure> {
  const times: number[] = []
  const bareTimes: number[] = []
  const reader = openReader()
  try {
    for (const { path } of pages) times.push(await reader.time(new URL(path, site)))
    const body = await read(new URL(pages.at(-1)!.path, site))
    const bare = await startBare({ status: 200, type: 'text/html; charset=utf-8', body })
    try {
      for (const _ of pages) bareTimes.push(await reader.time(new URL(`http://127.0.0.1:${bare.port}/`)))
    } finally {
      await bare.close()
    }
  } finally {
    reader.close()
  }
  const [value, baseline] = [times, bareTimes].map((all) => percentile(all.slice(all.length / 6), 0.95))
  return {
    name: `cold page of 20 KB in a site of ${middling} pages, p95`,
    value: value!,
    unit: 'ms',
    baseline: { name: 'bare node:http', value: baseline!, unit: 'ms' },
    ratio: value! / baseline!,
    target: { of: 'value', kind: 'at most', limit: 15 },
  }
}

/** The site as files, by the command beside the server that runs. */
async function measureStaticExport(world: World, pages: number): Promise<Figure[]> {
  const { server, organization } = world
  const { items } = await require2xx(server.request('GET', `/orgs/${organization}/sites?title=Middling`))
  const target = await mkdtemp(join(tmpdir(), 'octavo-bench-twin-'))
  const begun = performance.now()
  const child = spawn(
    process.execPath,
    [join(root, 'bin/octavo.js'), 'export', '--static', items[0].id, target, '--data', world.data, '--force'],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, NODE_OPTIONS: '' } },
  )
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  let peak = 0
  const looking = setInterval(() => {
    void readMemory(child.pid!).then((memory) => (peak = Math.max(peak, memory?.peak ?? 0)))
  }, 50)
  const code = await ended
  clearInterval(looking)
  const seconds = (performance.now() - begun) / 1000
  await rm(target, { recursive: true, force: true })
  if (code !== 0) throw new Error(`The export ended with ${code}`)
  return [
    {
      name: `static twin of ${pages} pages`,
      value: seconds,
      unit: 's',
      target: { of: 'value', kind: 'at most', limit: 15 },
    },
    {
      name: `static twin of ${pages} pages, memory`,
      value: peak / megabyte,
      unit: 'MB',
      target: { of: 'value', kind: 'at most', limit: 500 },
    },
  ]
}

/** What may grow with a site and what must not: the cost of a page, and the time until a change is visible. */
async function measureSiteSize(world: World, vocabulary: Vocabulary, size: Size): Promise<Figure[]> {
  const options = { bytes: 5_000, vocabulary }
  const small = await publishFiles(world, 'Small', createCorpus({ ...options, pages: 100 }))
  const large = await publishFiles(world, 'Large', createCorpus({ ...options, pages: size.large }))
  await untilIndexed(world, large.space)
  const found = await timeSearches(large, vocabulary, size.queries)
  const publishTimes = await timePublishing(world, large)
  const [inLarge, inSmall] = await costOfPages(world, [large, small])
  return [
    {
      name: `search of a site of ${size.large} pages, p95`,
      value: percentile(found, 0.95),
      unit: 'ms',
      target: { of: 'value', kind: 'at most', limit: 15 },
    },
    {
      name: `a change shows on a site of ${size.large} pages, median`,
      value: median(publishTimes),
      unit: 'ms',
      target: { of: 'value', kind: 'at most', limit: 1_000 },
    },
    {
      name: `a page of ${size.large} for the first time, of the server's processor`,
      value: inLarge!,
      unit: 'ms',
      baseline: { name: 'a page of 100', value: inSmall!, unit: 'ms' },
      ratio: inLarge! / inSmall!,
      target: { of: 'ratio', kind: 'at most', limit: 1.15 },
    },
  ]
}

async function timeSearches({ url }: Published, vocabulary: Vocabulary, queries: number): Promise<number[]> {
  const times: number[] = []
  const reader = openReader()
  try {
    for (let index = 0; index < queries + 10; index += 1) {
      const query = `${vocabulary.words[(index * 7) % 500]!} ${vocabulary.words[(index * 13) % 2_000]!}`
      times.push(await reader.time(new URL(`~octavo/search?${new URLSearchParams({ q: query })}`, url)))
    }
  } finally {
    reader.close()
  }
  return times.slice(10)
}

/** From the merge of a change request to the first response with it. */
async function timePublishing({ server }: World, { space, url, pages }: Published): Promise<number[]> {
  const page = pages[42]!
  const times: number[] = []
  for (let turn = 0; turn < 10; turn += 1) {
    const word = `shown${turn}`
    const made = await require2xx(server.request('POST', `/spaces/${space}/change-requests`, {}))
    const at = `/spaces/${space}/change-requests/${made.id}`
    const changes = [{ operation: 'update_page', page: page.id, document: { markdown: `# ${word}\n` } }]
    await require2xx(server.request('POST', `${at}/content`, { changes }))
    const begun = performance.now()
    await require2xx(server.request('POST', `${at}/merge`, {}))
    while (!(await read(new URL(page.path, url))).includes(word)) await wait(1)
    times.push(performance.now() - begun)
  }
  return times
}

/** Milliseconds of processor time of the server for an uncached page of each site, in alternation. */
async function costOfPages(world: World, sites: readonly Published[]): Promise<number[]> {
  const perTurn = 11
  const turns = 8
  const spent = sites.map((): number[] => [])
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [index, { url, pages }] of sites.entries()) {
      const before = await processorOf(world)
      for (const { path } of pages.slice(turn * perTurn, (turn + 1) * perTurn)) await read(new URL(path, url))
      spent[index]!.push(((await processorOf(world)) - before) / perTurn)
    }
  }
  // Warm-up: the first rounds compile hot code, and read the upper nodes of each.
  return spent.map((all) => median(all.slice(2)))
}

/** Milliseconds of the processor that the server took. */
async function processorOf({ server }: World): Promise<number> {
  const processor = await readProcessor(server.pid)
  if (processor === undefined) throw new Error('This system does not count the processor by process')
  return processor.own
}

/** A server with ten sites, after a page in ten of each was read, and ten quiet seconds. */
async function measureManySites(vocabulary: Vocabulary, each: number): Promise<Figure[]> {
  let world = await openWorld()
  try {
    const sites: Published[] = []
    for (let seed = 1; seed <= manySites; seed += 1) {
      const files = createCorpus({ pages: each, bytes: 5_000, vocabulary, seed })
      sites.push(await publishFiles(world, `Site ${seed}`, files))
    }
    world = await world.restart()
    for (const { url, pages } of sites) {
      const site = new URL(new URL(url).pathname, world.server.url)
      for (let at = 0; at < pages.length; at += 10) await read(new URL(pages[at]!.path, site))
    }
    await wait(10_000)
    const memory = await readMemory(world.server.pid)
    if (memory === undefined) return []
    return [
      {
        name: `memory with ${manySites} sites of ${each} pages`,
        value: memory.now / megabyte,
        unit: 'MB',
        target: { of: 'value', kind: 'at most', limit: 300 },
      },
    ]
  } finally {
    await world.close()
  }
}

async function read(url: URL): Promise<string> {
  const answer = await fetch(url)
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${url.href} answered ${answer.status}`)
  return text
}

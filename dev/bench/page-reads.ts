/** Page reads: pages over the API and as HTML, cached and uncached, and idle memory. */
import { setTimeout as wait } from 'node:timers/promises'
import { readMemory, require2xx, token } from '../server-process.js'
import { type Figure, percentile } from './figure.js'
import { compareThroughput, requestsFor, startBare, alternate, unaltered } from './throughput.js'
import { type ListedPage, type World, listPages } from './world.js'

interface MeasurementOptions {
  readonly turns: number
  readonly milliseconds: number
}

const bareHttp = 'bare node:http'

/** Cached pages: JSON with a token, HTML, and "not modified". */
export async function measureThroughput(
  { server }: World,
  {
    space,
    page,
    published,
  }: { readonly space: string; readonly page: ListedPage; readonly published: string },
  turns: MeasurementOptions,
): Promise<Figure[]> {
  const authorized = { authorization: `Bearer ${token}` }
  const html = new URL(page.path, published)
  const etag = (await fetch(html, { headers: unaltered })).headers.get('etag')
  if (etag === null) throw new Error(`${html.href} has no ETag`)
  const json = new URL(`${server.url}/v1/spaces/${space}/content/page/${page.id}?format=markdown`)
  const cases = [
    { name: 'page as JSON, with token', url: json, headers: authorized, limit: 0.45 },
    { name: 'published page, warm', url: html, headers: {}, limit: 0.75 },
    { name: 'published page, not modified', url: html, headers: { 'if-none-match': etag }, limit: 0.8 },
  ]
  const figures: Figure[] = []
  for (const { name, url, headers, limit } of cases) {
    const { product, bare, ratio } = await compareThroughput({ urls: [url], headers, ...turns })
    figures.push({
      name,
      value: product,
      unit: 'req/s',
      baseline: { name: bareHttp, value: bare, unit: 'req/s' },
      ratio,
      target: { of: 'ratio', kind: 'at least', limit },
    })
  }
  return figures
}

/** Rounds for each of the others: differences are a few hundredths. */
const turnsOfLimits = 3

/** What counting the requests of a token costs a small read: two fresh servers on the same data, of which one counts none. */
export async function measureLimits(
  world: World,
  { space, page }: { readonly space: string; readonly page: ListedPage },
  turns: MeasurementOptions,
): Promise<Figure[]> {
  const authorized = { authorization: `Bearer ${token}` }
  const servers = [
    await world.startAnother(),
    await world.startAnother({ OCTAVO_REQUESTS_PER_TOKEN: '0' }),
  ] as const
  try {
    const loadOf = async ({ url }: { readonly url: string }) => {
      // Cached responses take so little that the cost of counting is most visible.
      const small = new URL(`${url}/v1/spaces/${space}/content/page/${page.id}?format=markdown`)
      const answer = await fetch(small, { headers: authorized })
      await answer.text()
      const isLimited = answer.headers.has('x-ratelimit-limit')
      return {
        isLimited,
        load: { port: Number(small.port), requests: requestsFor([small], authorized), status: 200 },
      }
    }
    const [limited, unlimited] = [await loadOf(servers[0]), await loadOf(servers[1])]
    if (!limited.isLimited || unlimited.isLimited) throw new Error('The servers count requests otherwise')
    const { one, other, ratio } = await alternate(
      { one: limited.load, other: unlimited.load },
      { ...turns, turns: turns.turns * turnsOfLimits },
    )
    return [
      {
        name: 'small read, with limits of requests',
        value: one,
        unit: 'req/s',
        baseline: { name: 'without limits', value: other, unit: 'req/s' },
        ratio,
        target: { of: 'ratio', kind: 'at least', limit: 0.97 },
      },
    ]
  } finally {
    for (const server of servers) await server.stop()
  }
}

/** Uncached pages, one after the other, after `warmUp` others. */
export async function measureFirstRenders(
  published: string,
  pages: readonly ListedPage[],
  warmUp: number,
): Promise<Figure[]> {
  const times: number[] = []
  let body = ''
  for (const { path } of pages) {
    const begun = performance.now()
    const answer = await fetch(new URL(path, published))
    body = await answer.text()
    times.push(performance.now() - begun)
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
  }
  const bare = await startBare({ status: 200, type: 'text/html; charset=utf-8', body })
  const bareTimes: number[] = []
  try {
    for (const _ of pages) {
      const begun = performance.now()
      await (await fetch(`http://127.0.0.1:${bare.port}/`)).text()
      bareTimes.push(performance.now() - begun)
    }
  } finally {
    await bare.close()
  }
  const [value, baseline] = [times, bareTimes].map((measured) =>
    percentile(measured.slice(warmUp), 0.95),
  ) as [number, number]
  return [
    {
      name: `first sight of a page of 20 KB, p95 of ${pages.length - warmUp}`,
      value,
      unit: 'ms',
      baseline: { name: bareHttp, value: baseline, unit: 'ms' },
      ratio: value / baseline,
      target: { of: 'value', kind: 'at most', limit: 25 },
    },
  ]
}

/** Memory of a server that has just been started on the data, after some requests and ten quiet seconds. */
export async function measureIdleMemory(world: World, space: string, published: string): Promise<Figure[]> {
  const pages = await listPages(world, space)
  for (const { id, path } of pages.slice(0, 100)) {
    await require2xx(world.server.request('GET', `/spaces/${space}/content/page/${id}`))
    await (await fetch(new URL(path, published))).text()
  }
  await wait(10_000)
  const bare = await startBare({ status: 200, type: 'text/plain', body: '' })
  const [product, baseline] = await Promise.all([readMemory(world.server.pid), readMemory(bare.pid)])
  await bare.close()
  if (product === undefined || baseline === undefined) return []
  const megabyte = 1 << 20
  return [
    {
      name: `idle memory with ${pages.length} pages`,
      value: product.now / megabyte,
      unit: 'MB',
      baseline: { name: bareHttp, value: baseline.now / megabyte, unit: 'MB' },
      ratio: product.now / baseline.now,
      target: { of: 'value', kind: 'at most', limit: 250 },
    },
  ]
}

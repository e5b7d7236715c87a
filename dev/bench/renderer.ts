/**
 * External renderer: latency of the API calls of one page, with the token of its reader, five concurrently, from warm caches;
 * beside a bare server that sends the same bytes.
 */
import { type Vocabulary, createCorpus } from './corpus.js'
import { type Figure, median, percentile } from './figure.js'
import { startBare } from './throughput.js'
import { type World, createSpace, importArchive, publishSpace, untilIndexed, zipOf } from './world.js'
import { require2xx } from '../server-process.js'

/** Milliseconds of warm-up, and of the measurement of one call at most. */
const warmUp = 500
const longestTurns = 2_500
/** Milliseconds that a call may take from warm caches. */
const longest = 5

interface Call {
  readonly name: string
  readonly url: string
  readonly method?: 'GET' | 'POST'
  readonly body?: object
  /** True for calls before there is a token. */
  readonly isFirst?: true
  /** Of the answer, where that is not 200. */
  readonly status?: number
}

export async function measureRenderer(
  world: World,
  { vocabulary, turns }: { readonly vocabulary: Vocabulary; readonly turns: number },
): Promise<Figure[]> {
  const { server, organization } = world
  const text = JSON.stringify(specificationOf(200))
  await require2xx(server.request('PUT', `/orgs/${organization}/openapi/bench`, { source: { text } }))
  const files = createCorpus({ pages: 200, bytes: 5_000, vocabulary })
  const space = await createSpace(world, 'Rendered')
  await importArchive(world, space, await zipOf(files))
  const computed = {
    type: 'builtin:openapi',
    dependencies: { spec: { ref: { kind: 'openapi', spec: 'bench' } } },
  }
  const changes = [{ operation: 'insert_page', title: 'Reference', computed }]
  await require2xx(server.request('POST', `/spaces/${space}/content`, { changes }))
  const site = await publishSpace(world, space, 'Rendered')
  await untilIndexed(world, space)

  const api = `${server.url}/v1`
  const lookup = { url: site, visitor: {} }
  const found = (await (
    await send({ name: '', url: `${api}/urls/published`, method: 'POST', body: lookup })
  ).json()) as {
    apiToken: string
    site: string
  }
  const ask = (call: Call) => send(call, call.isFirst ? undefined : found.apiToken)
  const read = async (path: string) => (await ask({ name: path, url: api + path })).json() as Promise<any>
  const { revision } = await read(`/spaces/${space}`)
  const at = `/spaces/${space}/revisions/${revision}`
  const { pages } = await read(`${at}/pages`)
  const page = pages.find(({ type, documentId }: any) => type === 'document' && documentId !== undefined)
  const form = 'evaluated=true&dereferenced=true'
  const sites = `/orgs/${organization}/sites/${found.site}`
  const pageCalls: readonly Call[] = [
    {
      name: 'what stands at an address',
      url: '/urls/published',
      method: 'POST',
      body: lookup,
      isFirst: true,
    },
    { name: 'the published site', url: `${sites}/published` },
    { name: 'the space', url: `/spaces/${space}` },
    { name: 'the revision', url: `${at}?metadata=false` },
    { name: 'the document of a page', url: `${at}/page/${page.id}/document?${form}` },
    { name: 'a path without a page', url: `${at}/path/nowhere`, status: 404 },
    {
      name: 'a search',
      url: `${sites}/search`,
      method: 'POST',
      body: { query: vocabulary.words[7], scope: { mode: 'default' } },
    },
    {
      name: 'the content of a specification',
      url: `/orgs/${organization}/openapi/bench/versions/latest/content`,
    },
  ]
  const calls = pageCalls.map((call) => ({ ...call, url: api + call.url }))

  const bytes = (await (await ask(calls[3]!)).text()).length
  const bare = await startBare({ status: 200, type: 'application/json', body: 'x'.repeat(bytes) })
  try {
    const baseline = median(
      await timeAtOnce(
        Array.from({ length: 5 }, () => ({ name: '', url: `http://127.0.0.1:${bare.port}/` })),
        turns,
        send,
      ),
    )
    const figures: Figure[] = []
    for (const call of calls) {
      const times = await timeAtOnce(
        Array.from({ length: 5 }, () => call),
        turns,
        ask,
      )
      figures.push({
        name: `${call.name}, five at a time, each, median`,
        value: median(times),
        unit: 'ms',
        baseline: { name: `${Math.round(bytes / 1_000)} KB from a bare server`, value: baseline, unit: 'ms' },
        target: { of: 'value', kind: 'at most', limit: longest },
      })
    }
    const mixed = await timeAtOnce(calls.slice(1, 6), turns, ask)
    figures.push({
      name: 'the five calls of a page at once, each, p95',
      value: percentile(mixed, 0.95),
      unit: 'ms',
    })
    return figures
  } finally {
    await bare.close()
  }
}

function specificationOf(operations: number): object {
  const paths = Array.from({ length: operations }, (_, index) => {
    const operation = {
      operationId: `operation${index}`,
      tags: [`tag${index % 10}`],
      summary: `Does the thing of number ${index}`,
      parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
      responses: { 200: { description: 'Done.' } },
    }
    return [`/things/${index}`, { get: operation }]
  })
  return { openapi: '3.1.0', info: { title: 'Bench', version: '1' }, paths: Object.fromEntries(paths) }
}

/** Milliseconds of each call, all concurrently, round after round, as long as there is time. */
async function timeAtOnce(
  calls: readonly Call[],
  turns: number,
  ask: (call: Call) => Promise<Response>,
): Promise<number[]> {
  const times: number[] = []
  const start = performance.now()
  for (let counted = 0; counted < turns && performance.now() - start < warmUp + longestTurns;) {
    const isWarm = performance.now() - start >= warmUp
    const some = await Promise.all(
      calls.map(async (call) => {
        const begun = performance.now()
        const answer = await ask(call)
        await answer.arrayBuffer()
        if (answer.status !== (call.status ?? 200)) throw new Error(`${call.url} answered ${answer.status}`)
        return performance.now() - begun
      }),
    )
    if (!isWarm) continue
    counted += 1
    times.push(...some)
  }
  return times
}

function send({ url, method = 'GET', body }: Call, token?: string): Promise<Response> {
  return fetch(url, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

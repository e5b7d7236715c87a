/**
 * Site outputs for programs: search over MCP, beside the same search of the dialog; the social image of a page, rendered and
 * cached; a part of the full text, and the list of pages, of a large site.
 */
import { createCorpus, type Vocabulary } from './corpus.js'
import { type Figure, median, percentile } from './figure.js'
import {
  type World,
  createSpace,
  importArchive,
  listPages,
  publishSpace,
  untilIndexed,
  zipOf,
} from './world.js'

const warmUp = 10
const pictures = 20

/** Opens a site of so many pages of 5 KB. */
export async function measureOutputs(
  world: World,
  {
    pages,
    vocabulary,
    queries,
  }: { readonly pages: number; readonly vocabulary: Vocabulary; readonly queries: number },
): Promise<Figure[]> {
  const files = createCorpus({ pages, bytes: 5_000, vocabulary })
  const space = await createSpace(world, 'Outputs')
  await importArchive(world, space, await zipOf(files))
  const site = await publishSpace(world, space, 'Outputs')
  await untilIndexed(world, space)
  const words = Array.from({ length: queries + warmUp }, (_, index) => vocabulary.words[(index * 7) % 500]!)
  const [toolTimes, dialogTimes]: [number[], number[]] = [[], []]
  for (const [index, query] of words.entries()) {
    const ask = () => timeEach([query], () => callTool(site, 'searchDocumentation', { query }))
    const search = () =>
      timeEach([new URL(`~octavo/search?${new URLSearchParams({ q: query })}`, site)], read)
    // The second request finds more in caches.
    if (index % 2 === 0) toolTimes.push(...(await ask()))
    dialogTimes.push(...(await search()))
    if (index % 2 === 1) toolTimes.push(...(await ask()))
  }
  const listed = (await listPages(world, space)).slice(0, pictures)
  const drawn = listed.map(({ id }) => new URL(`~octavo/ogimage/${id}`, site))
  const first = await timeEach(drawn, read)
  const again = await timeEach([...drawn, ...drawn, ...drawn], read)
  const [part] = await timeEach([new URL('llms-full.txt/2', site)], read)
  const [list] = await timeEach([new URL('llms.txt', site)], read)
  const beside = (name: string, value: number) => ({ baseline: { name, value, unit: 'ms' } })
  const [tool, readers] = [toolTimes, dialogTimes].map((times) => percentile(times.slice(warmUp), 0.95)) as [
    number,
    number,
  ]
  return [
    {
      name: `search by a language model in ${pages} pages, p95`,
      value: tool,
      unit: 'ms',
      ...beside('the same by a reader', readers),
      ratio: tool / readers,
      target: { of: 'ratio', kind: 'at most', limit: 1.5 },
    },
    {
      name: 'picture of a page, again, p95',
      value: percentile(again, 0.95),
      unit: 'ms',
      ...beside('drawn, median', median(first)),
      target: { of: 'value', kind: 'at most', limit: 10 },
    },
    { name: `a hundred of ${pages} pages as one text, first`, value: part!, unit: 'ms' },
    { name: `the list of ${pages} pages, first`, value: list!, unit: 'ms' },
  ]
}

/** Milliseconds of each, one after another. */
async function timeEach<Item>(items: readonly Item[], ask: (item: Item) => Promise<void>): Promise<number[]> {
  const times: number[] = []
  for (const item of items) {
    const begun = performance.now()
    await ask(item)
    times.push(performance.now() - begun)
  }
  return times
}

async function read(url: URL): Promise<void> {
  const answer = await fetch(url)
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`${url.href} answered ${answer.status}`)
}

async function callTool(site: string, name: string, parameters: object): Promise<void> {
  const params = { name, arguments: parameters }
  const answer = await fetch(new URL('~octavo/mcp', site), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const text = await answer.text()
  if (answer.status !== 200 || text.includes('"isError":true')) throw new Error(`${name} answered ${text}`)
}

/**
 * Link index of a large space: the cost of the first build after a start, from the database alone, and after each kind of
 * edit; and the delay of concurrent requests.
 */
import { require2xx } from '../server-process.js'
import { type Vocabulary, createCorpus } from './corpus.js'
import { type Figure, median, percentile } from './figure.js'
import { type ListedPage, type World, createSpace, importArchive, listPages, zipOf } from './world.js'

const pages = 3_000
const list = 'links?limit=50&status=broken'

/** Figures of a space of 3,000 pages; `hand` receives the restarted server. */
export async function measureLinks(
  world: World,
  vocabulary: Vocabulary,
  turns: number,
  hand: (world: World) => void,
): Promise<Figure[]> {
  const space = await createSpace(world, 'Linked')
  await importArchive(world, space, await zipOf(createCorpus({ pages, bytes: 5_000, vocabulary })))
  const listed = await listPages(world, space)
  const restarted = await world.restart()
  hand(restarted)
  const { server } = restarted
  const links = () => require2xx(server.request('GET', `/spaces/${space}/${list}`))

  await require2xx(server.request('GET', '/user'))
  const alone = await besideReads(restarted, () => new Promise((resolve) => setTimeout(resolve, 1_000)))
  const { took: first, waits } = await besideReads(restarted, links)
  const [again, page] = [await timed(links), listed[1]!]
  const figures: Figure[] = [
    {
      name: `links of ${pages} pages, the first time after a start`,
      value: first,
      unit: 'ms',
      baseline: { name: 'again', value: again, unit: 'ms' },
      target: { of: 'value', kind: 'at most', limit: 600 },
    },
    {
      name: 'small reads meanwhile, of a hundred the slowest',
      value: percentile(waits, 0.99),
      unit: 'ms',
      baseline: { name: 'alone', value: percentile(alone.waits, 0.99), unit: 'ms' },
      target: { of: 'value', kind: 'at most', limit: 25 },
    },
  ]
  for (const { name, edit } of edits(listed)) {
    const times: number[] = []
    for (let turn = 0; turn < turns; turn += 1) {
      await require2xx(server.request('POST', `/spaces/${space}/content`, { changes: [edit(turn)] }))
      times.push(await timed(links))
    }
    figures.push({
      name: `links of ${pages} pages after ${name}`,
      value: median(times),
      unit: 'ms',
      target: { of: 'value', kind: 'at most', limit: 30 },
    })
  }
  const backlinks = () =>
    require2xx(server.request('GET', `/spaces/${space}/content/page/${page.id}/backlinks`))
  const times: number[] = []
  for (let turn = 0; turn < turns; turn += 1) times.push(await timed(backlinks))
  figures.push({ name: `where a page of ${pages} is linked`, value: median(times), unit: 'ms' })
  return figures
}

function edits(listed: readonly ListedPage[]) {
  // A stride that shares no factor with round numbers walks through all of the space.
  const page = (turn: number) => listed[(turn * 37 + 11) % listed.length]!.id
  const text = (turn: number) => `# Edited\n\n## Part ${turn}\n\n[one](start.md) [two](gone-${turn}.md)\n`
  return [
    {
      name: 'an edit of one page',
      edit: (turn: number) => {
        return { operation: 'update_page', page: page(turn), document: { markdown: text(turn) } }
      },
    },
    {
      name: 'a new page',
      edit: (turn: number) => ({ operation: 'insert_page', document: { markdown: text(turn) } }),
    },
    {
      name: 'a page that is renamed',
      edit: (turn: number) => ({
        operation: 'update_page',
        page: page(turn + 1_000),
        slug: `renamed-${turn}`,
      }),
    },
  ]
}

async function timed(ask: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await ask()
  return performance.now() - begun
}

/** How long something takes, and what small reads wait until it is done. */
async function besideReads(
  { server }: World,
  ask: () => Promise<unknown>,
): Promise<{ took: number; waits: readonly number[] }> {
  const waits: number[] = []
  let isDone = false
  const pendingRequest = timed(ask).finally(() => (isDone = true))
  const read = async (): Promise<void> => {
    for (;;) {
      waits.push(await timed(() => require2xx(server.request('GET', '/user'))))
      if (isDone) return
    }
  }
  const [took] = await Promise.all([pendingRequest, read()])
  return { took, waits }
}

/** Stalls during a large merge: the latency of other requests while many pages, changed on both sides, are merged. */
import { require2xx } from '../server-process.js'
import { createCorpus, type Vocabulary } from './corpus.js'
import type { Figure } from './figure.js'
import { type ListedPage, type World, createSpace, importArchive, listPages, zipOf } from './world.js'

const pages = 5_000
/** Changes of one request. */
const batch = 50
const target = { of: 'value', kind: 'at most', limit: 250 } as const

/** Writes into another space, and reads of the current user, one after the other until the merge completes. */
export async function measureStall(world: World, vocabulary: Vocabulary): Promise<Figure[]> {
  const { server } = world
  const space = await createSpace(world, 'Merged')
  await importArchive(world, space, await zipOf(createCorpus({ pages, bytes: 2_000, vocabulary })))
  const other = await createSpace(world, 'Beside')
  await importArchive(world, other, await zipOf(createCorpus({ pages: 100, bytes: 2_000, vocabulary })))
  const [beside] = await listPages(world, other)

  const { id } = await require2xx(server.request('POST', `/spaces/${space}/change-requests`, {}))
  const request = `/spaces/${space}/change-requests/${id}`
  const listed = await listPages(world, space)
  await changeAll(world, `${request}/content`, listed, 'theirs')
  await changeAll(world, `/spaces/${space}/content`, listed, 'ours')

  const alone = await slowest(world, other, beside!, new Promise((resolve) => setTimeout(resolve, 3_000)))
  const begun = performance.now()
  let took = 0
  const merge = require2xx(server.request('POST', `${request}/merge`)).then(() => {
    took = performance.now() - begun
  })
  const during = await slowest(world, other, beside!, merge)
  const of = (what: 'write' | 'read', name: string): Figure => ({
    name: `longest ${name} while ${pages} pages merge`,
    value: during[what],
    unit: 'ms',
    baseline: { name: 'with nothing else', value: alone[what], unit: 'ms' },
    target,
  })
  return [
    of('write', "wait of another space's write"),
    of('read', 'wait of a small read'),
    { name: `merge of ${pages} pages, both sides changed`, value: took, unit: 'ms' },
  ]
}

/** Both sides change every page, each another block. */
async function changeAll(
  { server }: World,
  at: string,
  listed: readonly ListedPage[],
  side: 'ours' | 'theirs',
): Promise<void> {
  const words = (own: string) => (own === side ? `Words of ${side}.` : 'Words of nobody.')
  for (let from = 0; from < listed.length; from += batch) {
    const changes = listed.slice(from, from + batch).map(({ id }, index) => ({
      operation: 'update_page',
      page: id,
      document: {
        markdown: `# Page ${from + index}\n\n${words('ours')}\n\nBetween.\n\n${words('theirs')}\n`,
      },
    }))
    await require2xx(server.request('POST', at, { changes }))
  }
}

/** Milliseconds of the slowest write and of the slowest read until the end. */
async function slowest(
  { server }: World,
  space: string,
  page: ListedPage,
  end: Promise<unknown>,
): Promise<{ write: number; read: number }> {
  const ending = new AbortController()
  const over = end.finally(() => ending.abort())
  const longest = async (ask: (turn: number) => Promise<unknown>): Promise<number> => {
    let most = 0
    for (let turn = 0; !ending.signal.aborted; turn += 1) {
      const begun = performance.now()
      await ask(turn)
      most = Math.max(most, performance.now() - begun)
    }
    return most
  }
  const [write, read] = await Promise.all([
    longest((turn) => {
      const document = { markdown: `# Beside\n\nTurn ${turn}.\n` }
      const changes = [{ operation: 'update_page', page: page.id, document }]
      return require2xx(server.request('POST', `/spaces/${space}/content`, { changes }))
    }),
    longest(() => require2xx(server.request('GET', '/user'))),
    over,
  ])
  return { write, read }
}

/**
 * Cost of collaboration in a large space: the changes of a change request, a page of comments, locating the block of a
 * comment after many revisions, and a copy of the whole space.
 */
import { require2xx, token } from '../server-process.js'
import { type Figure, median } from './figure.js'
import { openReader } from './reader.js'
import { type World, createSpace, listPages } from './world.js'

const changedPages = 10
const comments = 200

export interface Collaboration {
  readonly large: string
  readonly turns: number
  /** Revisions between a comment and the search for its block. */
  readonly revisions: number
}

export async function measureCollaboration(
  world: World,
  { large, turns, revisions }: Collaboration,
): Promise<Figure[]> {
  return [
    ...(await measureChanges(world, large, turns)),
    await measureComments(world, turns),
    await measureCommentTracking(world, revisions),
    await measureDuplicate(world, large),
  ]
}

const changesBound = 15
const commentsBound = 10
const followingBound = 50
const duplicateBound = 1_000

const atMost = (limit: number) => ({ of: 'value', kind: 'at most', limit }) as const

async function measureChanges(world: World, large: string, turns: number): Promise<Figure[]> {
  const { server } = world
  const pages = await listPages(world, large)
  const { number } = await require2xx(server.request('POST', `/spaces/${large}/change-requests`, {}))
  const request = `/spaces/${large}/change-requests/${number}`
  const changes = Array.from({ length: changedPages }, (_, at) => ({
    operation: 'update_page',
    page: pages[(at * 97 + 13) % pages.length]!.id,
    document: { markdown: `# Changed ${at}\n\nWords of the change request.\n` },
  }))
  await require2xx(server.request('POST', `${request}/content`, { changes }))
  const figures: Figure[] = []
  for (const [inWords, query] of [
    ['', ''],
    [', with the words', '&blocks=true'],
  ] as const) {
    const ask = () => require2xx(server.request('GET', `${request}/changes?limit=100${query}`))
    const first = await timed(ask)
    figures.push({
      name: `what a change request of ${changedPages} pages changes in ${pages.length}${inWords}`,
      value: await medianOf(turns, ask),
      unit: 'ms',
      baseline: { name: 'the first time', value: first, unit: 'ms' },
      target: atMost(changesBound),
    })
  }
  return figures
}

async function measureComments(world: World, turns: number): Promise<Figure> {
  const { server } = world
  const { place, page } = await newPage(world, 'Talked about', text(20, ''))
  for (let at = 0; at < comments; at += 1) {
    const commentBody = { body: { markdown: `Comment **${at}** of many.` }, page, node: String(at % 20) }
    const { id } = await require2xx(server.request('POST', `${place}/comments`, commentBody))
    await require2xx(
      server.request('POST', `${place}/comments/${id}/replies`, { body: { markdown: 'A reply.' } }),
    )
    await require2xx(server.request('PUT', `${place}/comments/${id}`, { addedReactions: ['1f44d'] }))
  }
  const reader = openReader({ authorization: `Bearer ${token}` })
  const ask = (path: string) => () => reader.time(new URL(`${server.url}/v1${path}`))
  try {
    const list = ask(`${place}/comments?limit=${comments}`)
    await medianOf(turns, list)
    return {
      name: `list of ${comments} comments with replies and reactions`,
      value: await medianOf(turns, list),
      unit: 'ms',
      baseline: { name: 'who asks', value: await medianOf(turns, ask('/user')), unit: 'ms' },
      target: atMost(commentsBound),
    }
  } finally {
    reader.close()
  }
}

async function measureCommentTracking(world: World, revisions: number): Promise<Figure> {
  const { server } = world
  const { place, page } = await newPage(world, 'Followed', text(40, ''))
  const commentBody = { body: { markdown: 'Where am I?' }, page, node: '30' }
  const { id } = await require2xx(server.request('POST', `${place}/comments`, commentBody))
  for (let turn = 0; turn < revisions; turn += 1) {
    const document = { markdown: text(40, `Turn ${turn}.\n\n`) }
    const changes = [{ operation: 'update_page', page, document }]
    await require2xx(server.request('POST', `${place}/content`, { changes }))
  }
  const ask = () => require2xx(server.request('GET', `${place}/comments/${id}`))
  const { target } = await ask()
  if (target.page.outdated || target.node?.id !== '31') throw new Error('The block was not found again')
  const times: number[] = []
  for (let turn = 0; turn < 9; turn += 1) {
    // Another text each time: no step to it is cached.
    const changes = [
      { operation: 'update_page', page, document: { markdown: text(40, `Last ${turn}.\n\n`) } },
    ]
    await require2xx(server.request('POST', `${place}/content`, { changes }))
    times.push(await timed(ask))
  }
  return {
    name: `block of a comment found again after ${revisions} revisions`,
    value: median(times),
    unit: 'ms',
    baseline: { name: 'again', value: await timed(ask), unit: 'ms' },
    target: atMost(followingBound),
  }
}

async function measureDuplicate({ server }: World, large: string): Promise<Figure> {
  const times: number[] = []
  for (let turn = 0; turn < 3; turn += 1) {
    times.push(await timed(() => require2xx(server.request('POST', `/spaces/${large}/duplicate`))))
  }
  return { name: 'copy of the large space', value: median(times), unit: 'ms', target: atMost(duplicateBound) }
}

async function newPage(world: World, title: string, markdown: string) {
  const place = `/spaces/${await createSpace(world, title)}`
  const changes = [{ operation: 'insert_page', document: { markdown } }]
  await require2xx(world.server.request('POST', `${place}/content`, { changes }))
  const { pages } = await require2xx(world.server.request('GET', `${place}/content/pages`))
  return { place, page: pages[0].id as string }
}

function text(paragraphs: number, before: string): string {
  const body = Array.from({ length: paragraphs }, (_, line) => `Paragraph ${line}, which stays as it is.`)
  return `# Page\n\n${before}${body.join('\n\n')}\n`
}

async function medianOf(turns: number, ask: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < turns; turn += 1) times.push(await timed(ask))
  return median(times)
}

async function timed(ask: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await ask()
  return performance.now() - begun
}

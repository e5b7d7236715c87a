/** Cost of an edit in a large space and in a small one: it should depend on the edit, not on the space. */
import { require2xx } from '../server-process.js'
import { type Figure, median } from './figure.js'
import { type ListedPage, type World, listPages, untilIndexed } from './world.js'

const pagesPerMerge = 10

/** Spaces are measured in alternation, because the speed of a busy machine drifts. */
export async function measureEdits(
  world: World,
  { large, small, turns }: { readonly large: string; readonly small: string; readonly turns: number },
): Promise<Figure[]> {
  const pages = { large: await listPages(world, large), small: await listPages(world, small) }
  const sizes = { large: pages.large.length, small: pages.small.length }
  const figures: Figure[] = []
  for (const { name, change } of [
    { name: 'edit of one page', change: editLive },
    { name: `merge of ${pagesPerMerge} pages`, change: mergePages },
    { name: `merge of ${pagesPerMerge} pages, both sides changed,`, change: mergeBothChanged },
  ]) {
    const times: { large: number; small: number }[] = []
    // Warm-up: the first rounds fill caches and let the JIT compile hot code.
    const warmUp = 5
    for (let turn = 0; turn < turns + warmUp; turn += 1) {
      const pair = {
        small: await change(world, small, pages.small, turn),
        large: await change(world, large, pages.large, turn),
      }
      if (turn >= warmUp) times.push(pair)
      await untilIndexed(world, small)
      await untilIndexed(world, large)
    }
    const [inLarge, inSmall] = [
      median(times.map((pair) => pair.large)),
      median(times.map((pair) => pair.small)),
    ]
    figures.push({
      name: `${name} in a space of ${sizes.large}`,
      value: inLarge,
      unit: 'ms',
      baseline: { name: `in a space of ${sizes.small}`, value: inSmall, unit: 'ms' },
      ratio: inLarge / inSmall,
      target: { of: 'ratio', kind: 'at most', limit: 2 },
    })
  }
  return figures
}

/** Answers milliseconds. */
async function editLive(
  world: World,
  space: string,
  pages: readonly ListedPage[],
  turn: number,
): Promise<number> {
  const changes = [update(pages, turn, 'edited')]
  return timed(world.server.request('POST', `/spaces/${space}/content`, { changes }))
}

/** Answers the milliseconds of the merge alone. */
async function mergePages(
  world: World,
  space: string,
  pages: readonly ListedPage[],
  turn: number,
  meanwhile = async () => {},
): Promise<number> {
  const { id } = await require2xx(world.server.request('POST', `/spaces/${space}/change-requests`, {}))
  const request = `/spaces/${space}/change-requests/${id}`
  const changes = Array.from({ length: pagesPerMerge }, (_, index) =>
    update(pages, turn * pagesPerMerge + index, 'merged'),
  )
  await require2xx(world.server.request('POST', `${request}/content`, { changes }))
  await meanwhile()
  return timed(world.server.request('POST', `${request}/merge`))
}

/** The same into a space that moved on meanwhile. */
function mergeBothChanged(
  world: World,
  space: string,
  pages: readonly ListedPage[],
  turn: number,
): Promise<number> {
  return mergePages(world, space, pages, turn, async () => {
    await editLive(world, space, pages, turn * pagesPerMerge + pagesPerMerge)
  })
}

function update(pages: readonly ListedPage[], index: number, word: string) {
  // A stride that shares no factor with round numbers walks through all of the space.
  const page = pages[(index * 37 + 11) % pages.length]!
  const paragraphs = Array.from(
    { length: 40 },
    (_, line) => `Line ${line} of a page that was ${word} in turn ${index}.`,
  )
  return {
    operation: 'update_page',
    page: page.id,
    document: { markdown: `# ${word} ${index}\n\n${paragraphs.join('\n\n')}\n` },
  }
}

async function timed(answer: ReturnType<World['server']['request']>): Promise<number> {
  const begun = performance.now()
  await require2xx(answer)
  return performance.now() - begun
}

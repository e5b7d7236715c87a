/** Resized images: the first request, the next ones, and memory, beside the original. */
import sharp from 'sharp'
import { readMemory } from '../server-process.js'
import { type Vocabulary, createRandom } from './corpus.js'
import { type Figure, median } from './figure.js'
import { type World, createSpace, importArchive, publishSpace, zipOf } from './world.js'

const megabyte = 1 << 20
const count = 24

/** Opens a page of pictures such as documentation has: 1,600 × 1,000 pixels of words, as PNG. */
export async function measureImages(world: World, vocabulary: Vocabulary): Promise<Figure[]> {
  const space = await createSpace(world, 'Pictures')
  const names = Array.from({ length: count }, (_, index) => `picture-${index}.png`)
  const pictures = await Promise.all(
    names.map(async (path, index) => ({ path, bytes: await drawWords(vocabulary, index) })),
  )
  const page = Buffer.from(`# Pictures\n\n${names.map((name) => `![](${name})`).join('\n\n')}\n`)
  await importArchive(world, space, await zipOf([{ path: 'README.md', bytes: page }, ...pictures]))
  const site = await publishSpace(world, space, 'Pictures')
  const html = (await (await fetch(site)).text()).replaceAll('&amp;', '&')
  const sizes = [...html.matchAll(/srcset="[^"]*?(\/[^ "]+&w=960) /g)].map(
    ([, path]) => new URL(path!, site).href,
  )

  const before = await readMemory(world.server.pid)
  const first = await fetchEach(sizes)
  // Requests past the deadline received the original.
  await fetchEach(sizes)
  const again = await fetchEach(sizes)
  const original = await fetchEach(sizes.map((size) => size.replace('&w=960', '')))
  const after = await readMemory(world.server.pid)
  const beside = { name: 'the original', value: original.milliseconds, unit: 'ms' }
  return [
    { name: `a picture in 960 pixels, first`, value: first.milliseconds, unit: 'ms', baseline: beside },
    {
      name: 'a picture in 960 pixels, again',
      value: again.milliseconds,
      unit: 'ms',
      baseline: beside,
      ratio: again.milliseconds / original.milliseconds,
    },
    {
      name: `${count} pictures in 960 pixels`,
      value: again.bytes / 1_000,
      unit: 'kB',
      baseline: { name: 'the originals', value: original.bytes / 1_000, unit: 'kB' },
      ratio: again.bytes / original.bytes,
    },
    ...(before && after
      ? [
          {
            name: `memory that ${count} sizes took at most`,
            value: (after.peak - before.now) / megabyte,
            unit: 'MB',
            target: { of: 'value', kind: 'at most', limit: 150 } as const,
          },
        ]
      : []),
  ]
}

/** One after another: the median time, and the bytes of all. */
async function fetchEach(urls: readonly string[]): Promise<{ milliseconds: number; bytes: number }> {
  const times: number[] = []
  let bytes = 0
  for (const url of urls) {
    const begun = performance.now()
    bytes += (await (await fetch(url)).arrayBuffer()).byteLength
    times.push(performance.now() - begun)
  }
  return { milliseconds: median(times), bytes }
}

/** Returns a picture of 1,600 × 1,000 pixels, full of words. */
export function drawWords(vocabulary: Vocabulary, seed: number): Promise<Buffer> {
  const random = createRandom(seed + 1)
  const line = () => Array.from({ length: 24 }, () => vocabulary.draw(random)).join(' ')
  const lines = Array.from(
    { length: 40 },
    (_, index) =>
      `<text x="20" y="${24 + index * 24}" font-size="18" fill="hsl(${(index * 37) % 360},40%,30%)">${line()}</text>`,
  )
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1000"><rect width="1600" height="1000" fill="#fff"/>${lines.join('')}</svg>`
  return sharp(Buffer.from(drawing)).png().toBuffer()
}

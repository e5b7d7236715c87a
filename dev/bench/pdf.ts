/** PDF export of ordinary documentation: time and memory from the request to the finished file. */
import { readFile, readdir } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { type Processor, readMemory, readProcessor, require2xx } from '../server-process.js'
import { type CorpusFile, type Vocabulary, createCorpus, createRandom } from './corpus.js'
import { type Figure } from './figure.js'
import { drawWords } from './images.js'
import { type World, createSpace, importArchive, zipOf } from './world.js'

const pages = 300
const pictures = 12
const megabyte = 1 << 20
/** Milliseconds between two polls of its status, and of the process that makes it. */
const lookEvery = 20

/** Exports a space whose pages are in no cache. */
export async function measurePdf(world: World, vocabulary: Vocabulary): Promise<Figure[]> {
  const { server } = world
  const space = await createSpace(world, 'Printed')
  await importArchive(world, space, await zipOf(await createDocumentation(vocabulary)))

  const before = await readProcessor(server.pid)
  const begun = performance.now()
  const { url } = await require2xx(server.request('GET', `/spaces/${space}/pdf`))
  let peak: number | undefined
  for (;;) {
    const answer = await fetch(url, { headers: { accept: 'application/json' } })
    const { state, error } = (await answer.json()) as { state?: string; error?: { message: string } }
    if (state === 'complete') break
    if (answer.status !== 202) throw new Error(`The PDF was not made: ${error?.message ?? state}`)
    peak = Math.max(peak ?? 0, (await readPrinterMemory(server.pid)) ?? 0) || undefined
    await wait(lookEvery)
  }
  const seconds = (performance.now() - begun) / 1_000
  const after = await readProcessor(server.pid)
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
  const target = (limit: number) => ({ target: { of: 'value', kind: 'at most', limit } as const })
  return [
    { name: `a PDF of ${pages} pages`, value: seconds, unit: 's', ...target(15) },
    ...(before === undefined || after === undefined
      ? []
      : [{ name: 'processor time of that PDF', value: (whole(after) - whole(before)) / 1_000, unit: 's' }]),
    ...(peak === undefined
      ? []
      : [{ name: 'peak memory of the process that makes it', value: peak / megabyte, unit: 'MB' }]),
    { name: 'sheets of that PDF', value: countSheets(bytes), unit: 'sheets' },
    { name: 'size of that PDF', value: bytes.length / 1_000, unit: 'kB' },
  ]
}

/** Pages of 2 to 7 kB: the texts of a corpus with tables, listings, and pictures on some of them. */
async function createDocumentation(vocabulary: Vocabulary): Promise<CorpusFile[]> {
  const random = createRandom(11)
  const words = (count: number) => Array.from({ length: count }, () => vocabulary.draw(random))
  const table = (rows: number) =>
    [
      `| ${words(4).join(' | ')} |`,
      '| --- | --- | ---: | --- |',
      ...Array.from(
        { length: rows },
        (_, at) => `| \`${words(1)[0]}\` | ${words(3).join(' ')} | ${at * 17} | ${words(6).join(' ')} |`,
      ),
    ].join('\n')
  const listing = (lines: number) => {
    const statements = Array.from(
      { length: lines },
      (_, at) =>
        `  const ${words(1)[0]}${at} = await ${words(2).join('.')}('${words(2).join(' ')}', ${at}) // ${words(3).join(' ')}`,
    )
    return ['```ts', `export async function ${words(1)[0]}() {`, ...statements, '}', '```'].join('\n')
  }
  const steps = (count: number) =>
    Array.from(
      { length: count },
      (_, at) => `${at + 1}. ${words(9).join(' ')}\n   * ${words(7).join(' ')}`,
    ).join('\n')
  const named = createCorpus({ pages, bytes: 2_000, vocabulary }).map(({ path, bytes }, index) => {
    // The first is the table of contents.
    if (index === 0) return { path, bytes }
    const parts = [bytes.toString()]
    if (index % 2 === 0) parts.push(`## ${words(2).join(' ')}\n`, table(4 + (index % 12)))
    if (index % 3 !== 0) parts.push(`## ${words(3).join(' ')}\n`, listing(5 + (index % 14)))
    if (index % 5 === 0) parts.push(`### ${words(2).join(' ')}\n`, steps(6))
    if (index % 25 === 1) {
      const up = path.includes('/') ? '../' : ''
      parts.push(`![${words(4).join(' ')}](${up}picture-${Math.floor(index / 25)}.png)`)
    }
    return { path, bytes: Buffer.from(`${parts.join('\n\n')}\n`) }
  })
  const drawn = Array.from({ length: pictures }, async (_, index) => ({
    path: `picture-${index}.png`,
    bytes: await drawWords(vocabulary, index),
  }))
  return [...named, ...(await Promise.all(drawn))]
}

/** Milliseconds of the server and of the processes that printed for it. */
function whole({ own, children }: Processor): number {
  return own + children
}

/** Answers the most memory that the process took which prints for the server, in bytes; undefined when there is none. */
async function readPrinterMemory(server: number): Promise<number | undefined> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number)
  for (const pid of pids) {
    if ((await readProcessor(pid))?.parent !== server) continue
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('print-program.js')) return (await readMemory(pid))?.peak
  }
  return undefined
}

function countSheets(pdf: Buffer): number {
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
}

/**
 * `npm run bench`: benchmarks of speed and memory of the built product, each figure beside a baseline of the same run.
 *
 * `--quick` measures smaller spaces for a shorter time, `--only part` one part, `--json file` is where the figures are
 * written besides the terminal, `--specs folder` the OpenAPI specifications that `reference` renders: they are too
 * large for the repository, and without a folder that part is skipped. Servers listen on loopback and end with the program.
 */
import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../server-process.js'
import { browserPath } from '../../tests/browser.js'
import { measureAccess } from './access.js'
import { measureApp } from './app.js'
import { createCorpus, createVocabulary } from './corpus.js'
import { measureCollaboration } from './collaboration.js'
import { measureEdits } from './edits.js'
import { measureEditRate } from './edit-rate.js'
import { measureMixedLoad } from './mixed-load.js'
import { measureSearchRelevance } from './search-relevance.js'
import { measureColdPages } from './cold-pages.js'
import { type Figure, formatTable, isMet } from './figure.js'
import { compareImports, measureCorpora, measureSmallImport, runImport } from './imports.js'
import { measureLinks } from './links.js'
import { measureLists } from './lists.js'
import { measureFirstRenders, measureIdleMemory, measureLimits, measureThroughput } from './page-reads.js'
import { measureOutputs } from './outputs.js'
import { measurePdf } from './pdf.js'
import { measureImages } from './images.js'
import { measureSites } from './sites.js'
import { measureReference } from './reference.js'
import { measureRenderer } from './renderer.js'
import { measureSearchLatency } from './search-latency.js'
import { measureStall } from './stall.js'
import { measureWebsite } from './website.js'
import {
  type World,
  createSpace,
  importArchive,
  listPages,
  openWorld,
  publishSpace,
  untilIndexed,
  zipOf,
} from './world.js'
import { measureVisitorTokens } from './visitor-tokens.js'

const parts = [
  'import',
  'website',
  'edit',
  'collaboration',
  'stall',
  'throughput',
  'busy',
  'first',
  'search',
  'idle',
  'corpora',
  'finding',
  'access',
  'lists',
  'links',
  'pictures',
  'outputs',
  'pdf',
  'sites',
  'reference',
  'renderer',
  'app',
] as const

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    specs: { type: 'string' },
    json: { type: 'string', default: join(root, 'bench-results.json') },
  },
})
const unknown = flags.only?.find((name) => !parts.includes(name as never))
if (unknown !== undefined) {
  process.stderr.write(`There is no part "${unknown}": --only takes ${parts.join(', ')}.\n`)
  process.exit(2)
}
const wants = (part: (typeof parts)[number]) => flags.only === undefined || flags.only.includes(part)

const size = flags.quick
  ? {
      large: 3_000,
      middling: 600,
      each: 200,
      importTurns: 1,
      editTurns: 15,
      revisions: 200,
      renders: 120,
      warmUp: 20,
      queries: 100,
      keys: 30,
      saves: 10,
      questions: 50,
      turns: 3,
      milliseconds: 500,
    }
  : {
      large: 10_000,
      middling: 3_000,
      each: 1_000,
      importTurns: 3,
      editTurns: 40,
      revisions: 1_000,
      renders: 240,
      warmUp: 40,
      queries: 400,
      keys: 80,
      saves: 20,
      questions: 200,
      turns: 7,
      milliseconds: 1_000,
    }

const figures: Figure[] = []
function report(found: readonly Figure[]): void {
  for (const figure of found)
    process.stderr.write(`  ${figure.name}: ${figure.value.toFixed(1)} ${figure.unit}\n`)
  figures.push(...found)
}

const begun = performance.now()
const vocabulary = createVocabulary()
let smallSpeed: number | undefined
if (wants('import')) {
  const small = createCorpus({ pages: 1_000, bytes: 5_000, vocabulary })
  const { figures: found, pagesPerSecond } = await measureSmallImport(small, size.importTurns)
  smallSpeed = pagesPerSecond
  report(found)
}
if (wants('website')) report(await measureWebsite(vocabulary, size.importTurns))
if (wants('access')) {
  report(await measureAccess({ ...size, lists: size.queries, checks: size.queries }))
}
if (wants('stall')) {
  const world = await openWorld()
  try {
    report(await measureStall(world, vocabulary))
  } finally {
    await world.close()
  }
}
if (wants('reference') && flags.specs !== undefined)
  report(await measureReference(flags.specs, flags.quick ? 200 : Infinity))
if (wants('links')) {
  let world = await openWorld()
  try {
    report(await measureLinks(world, vocabulary, size.editTurns, (opened) => (world = opened)))
  } finally {
    await world.close()
  }
}
if (wants('pictures')) {
  const world = await openWorld()
  try {
    report(await measureImages(world, vocabulary))
  } finally {
    await world.close()
  }
}
if (wants('outputs')) {
  const world = await openWorld()
  try {
    report(await measureOutputs(world, { pages: size.large, vocabulary, queries: size.queries }))
  } finally {
    await world.close()
  }
}
if (wants('pdf')) {
  const world = await openWorld()
  try {
    report(await measurePdf(world, vocabulary))
  } finally {
    await world.close()
  }
}
if (wants('sites')) report(await measureSites(vocabulary, size))
if (wants('renderer')) {
  const world = await openWorld()
  try {
    report(await measureRenderer(world, { vocabulary, turns: size.queries }))
  } finally {
    await world.close()
  }
}
// In Chromium: skipped where there is none.
if (wants('app') && existsSync(browserPath)) {
  const world = await openWorld()
  try {
    report(await measureApp(world, vocabulary, { ...size, pages: size.large }))
  } finally {
    await world.close()
  }
}
if (wants('edit')) report(await measureEditRate(size.milliseconds * 3))
if (wants('search')) report(await measureSearchLatency(size.large, vocabulary, size.queries))
if (wants('lists')) report(await measureLists(size.queries))
if (wants('corpora')) report(await measureCorpora(await findCorpora()))
if (wants('finding')) report(await measureSearchRelevance(await findCorpora(), size.questions))
if ((['import', 'edit', 'collaboration', 'throughput', 'busy', 'first', 'idle'] as const).some(wants))
  await measureLarge()

process.stdout.write(`\n${formatTable(figures)}\n\n`)
const results = figures.map((figure) => ({ ...figure, met: isMet(figure) ?? null }))
const machine = { node: process.version, cores: cpus().length, processor: cpus()[0]?.model ?? 'unknown' }
const seconds = Math.round((performance.now() - begun) / 1000)
await writeFile(
  flags.json,
  `${JSON.stringify({ machine, quick: flags.quick, seconds, figures: results }, null, 2)}\n`,
)
process.stdout.write(`${seconds} s; written to ${flags.json}\n`)

/** Everything that happens in one data folder, with one large space in it. */
async function measureLarge(): Promise<void> {
  const files = createCorpus({ pages: size.large, bytes: 5_000, vocabulary })
  const target: { world?: World; large?: string } = {}
  const run = await runImport(files, (opened, space) =>
    Object.assign(target, { world: opened, large: space }),
  )
  let world = target.world!
  const large = target.large!
  try {
    if (wants('import')) report(compareImports(size.large, run, smallSpeed!))
    if (wants('edit')) {
      const small = await filledSpace(world, 100, 5_000)
      report(await measureEdits(world, { large, small, turns: size.editTurns }))
    }
    if (wants('collaboration')) {
      const { editTurns: turns, revisions } = size
      report(await measureCollaboration(world, { large, turns, revisions }))
    }
    if (wants('throughput')) {
      const space = await filledSpace(world, 100, 5_000)
      const published = await publishSpace(world, space, 'Throughput')
      const [, page] = await listPages(world, space)
      report(await measureThroughput(world, { space, page: page!, published }, size))
      report(await measureVisitorTokens(world, { space, page: page! }, size))
      report(await measureLimits(world, { space, page: page! }, size))
    }
    if (wants('busy')) {
      const published = await publishSpace(world, large, 'Busy')
      const archive = await zipOf(createCorpus({ pages: 1_000, bytes: 5_000, vocabulary, seed: 1 }))
      report(await measureMixedLoad(world, { ...size, large, published, archive }))
    }
    if (wants('first')) {
      const space = await filledSpace(world, size.renders + 1, 20_000)
      const published = await publishSpace(world, space, 'First sight')
      const pages = (await listPages(world, space)).slice(1)
      report(await measureFirstRenders(published, pages, size.warmUp))
      report(await measureColdPages({ world, space: large, files }, size, (opened) => (world = opened)))
    }
    if (wants('idle')) {
      await publishSpace(world, large, 'Large')
      await untilIndexed(world, large)
      world = await world.restart()
      const { body } = await world.server.request('GET', `/orgs/${world.organization}/sites?limit=100`)
      const site = body.items.find(({ title }: { title: string }) => title === 'Large')
      report(await measureIdleMemory(world, large, site.urls.published))
    }
  } finally {
    await world.close()
  }
}

async function filledSpace(world: World, pages: number, bytes: number): Promise<string> {
  const space = await createSpace(world, `${pages} pages`)
  await importArchive(world, space, await zipOf(createCorpus({ pages, bytes, vocabulary, seed: pages })))
  return space
}

/** Real documentation is not part of the repository: it is measured where a sibling folder contains `corpora`. */
async function findCorpora(): Promise<readonly string[]> {
  const beside = dirname(root)
  const holders = (await readdir(beside)).map((name) => join(beside, name, 'corpora')).filter(existsSync)
  const found = await Promise.all(
    holders.map(async (holder) => {
      const entries = await readdir(holder, { withFileTypes: true })
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(holder, name))
    }),
  )
  return found.flat().toSorted()
}

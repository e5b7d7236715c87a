/** Import speed: time and memory until the pages of a folder can be read and searched. */
import { createHash } from 'node:crypto'
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readFolder } from '../../src/resources/imports/read-folder.js'
import { readMemory } from '../server-process.js'
import type { CorpusFile } from './corpus.js'
import { type Figure, median } from './figure.js'
import { type World, createSpace, importArchive, openWorld, zipOf } from './world.js'

const megabyte = 1 << 20

export interface ImportRun {
  readonly pagesPerSecond: number
  /** Megabytes; undefined where the system does not count it. */
  readonly peak: number | undefined
}

/** Imports into a server that has just been started; `keep` receives it instead of its end. */
export async function runImport(
  files: readonly CorpusFile[],
  keep?: (world: World, space: string) => void,
  url?: string,
): Promise<ImportRun> {
  const zip = await zipOf(files)
  const world = await openWorld(url)
  const space = await createSpace(world, 'Imported')
  const milliseconds = await importArchive(world, space, zip).catch(async (error: unknown) => {
    await world.close()
    throw error
  })
  const memory = await readMemory(world.server.pid)
  if (keep === undefined) await world.close()
  else keep(world, space)
  return {
    pagesPerSecond: ((files.length - 1) * 1000) / milliseconds,
    peak: memory && memory.peak / megabyte,
  }
}

/** Reads, hashes and writes the same bytes: what an import costs when it does nothing with them. */
async function runBareImport(files: readonly CorpusFile[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-bare-'))
  try {
    const paths = files.map((_, index) => join(folder, String(index)))
    for (const [index, { bytes }] of files.entries()) await writeFile(paths[index]!, bytes)
    const begun = performance.now()
    const target = await open(join(folder, 'all'), 'w')
    for (const path of paths) {
      const bytes = await readFile(path)
      await target.write(createHash('sha256').update(bytes).digest('hex'))
      await target.write(bytes)
    }
    await target.sync()
    await target.close()
    return ((files.length - 1) * 1000) / (performance.now() - begun)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const bareName = 'read, sha256, write'

/** Figures of the small import, run several times in alternation with its baseline. */
export async function measureSmallImport(
  files: readonly CorpusFile[],
  turns: number,
): Promise<{ figures: Figure[]; pagesPerSecond: number }> {
  const runs: ImportRun[] = []
  const bares: number[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    bares.push(await runBareImport(files))
    runs.push(await runImport(files))
  }
  const pagesPerSecond = median(runs.map((run) => run.pagesPerSecond))
  const bare = median(bares)
  return {
    pagesPerSecond,
    figures: [
      {
        name: `import of ${files.length - 1} pages of 5 KB, searchable`,
        value: pagesPerSecond,
        unit: 'pages/s',
        baseline: { name: bareName, value: bare, unit: 'pages/s' },
        ratio: pagesPerSecond / bare,
        target: { of: 'value', kind: 'at least', limit: 500 },
      },
      ...peakFigure(
        `peak memory of that import`,
        runs.map(({ peak }) => peak),
      ),
    ],
  }
}

/** Figures of the large import; `small` is the speed of the small one in this run. */
export function compareImports(pages: number, run: ImportRun, small: number): Figure[] {
  return [
    {
      name: `time for a page, of ${pages} pages`,
      value: 1000 / run.pagesPerSecond,
      unit: 'ms',
      baseline: { name: 'small import', value: 1000 / small, unit: 'ms' },
      ratio: small / run.pagesPerSecond,
      target: { of: 'ratio', kind: 'at most', limit: 1.2 },
    },
    ...peakFigure(`peak memory of ${pages} pages`, [run.peak]).map(({ name, value, unit }) => ({
      name,
      value,
      unit,
    })),
  ]
}

function peakFigure(name: string, peaks: readonly (number | undefined)[]): Figure[] {
  const known = peaks.filter((peak) => peak !== undefined)
  if (known.length === 0) return []
  const target = { of: 'value', kind: 'at most', limit: 400 } as const
  return [{ name, value: Math.max(...known), unit: 'MB', target }]
}

/** Answers the files of a folder of documentation. */
export async function readCorpus(folder: string): Promise<readonly CorpusFile[]> {
  const files: CorpusFile[] = []
  for await (const entry of readFolder(folder)) {
    if ('open' in entry) files.push({ path: entry.path, bytes: Buffer.from(await entry.open()) })
  }
  return files
}

/** One figure for each folder: real documentation, where it is available. */
export async function measureCorpora(folders: readonly string[]): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const folder of folders) {
    const files = await readCorpus(folder)
    const bare = (files.length - 1) / (await runBareImport(files))
    const seconds = (files.length - 1) / (await runImport(files)).pagesPerSecond
    figures.push({
      name: `import of ${folder.split('/').at(-1)} (${files.length} files)`,
      value: seconds,
      unit: 's',
      baseline: { name: bareName, value: bare, unit: 's' },
      ratio: seconds / bare,
    })
  }
  return figures
}

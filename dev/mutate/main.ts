/**
 * `npm run mutate -- --files src/core/merge`: mutation testing: changes one expression at a time and runs tests to see whether one fails.
 *
 * Prints surviving mutations, and how many were killed. `--sample` limits their number (150), `--seed` chooses them;
 * `--tests` selects test files (src), `--seconds` limits the tests of one mutation together (60), nearest and shortest
 * first. `--line` tries every mutation of one line. On SQLite, unless OCTAVO_TEST_DATABASE_URL is set.
 */
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Mutation, mutationsOf } from './mutations.js'
import { type Source, nameOfSpot, openRuns, readSource } from './runs.js'

const { values } = parseArgs({
  options: {
    files: { type: 'string', multiple: true, default: [] },
    tests: { type: 'string', multiple: true, default: ['src'] },
    sample: { type: 'string', default: '150' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '60' },
    line: { type: 'string' },
  },
})
const seconds = Number(values.seconds)
const root = resolve(import.meta.dirname, '../..')
const folder = await mkdtemp(join(tmpdir(), 'octavo-mutate-'))
process.env.OCTAVO_MUTATE_REACHED = join(folder, 'reached')
process.env.OCTAVO_MUTATE_SECONDS = '600'

const sources = await readSources(values.files)
const runs = await openRuns(sources)
try {
  const { durations, reached } = await markTests()
  process.env.OCTAVO_MUTATE_SECONDS = String(seconds * 2)
  process.env.OCTAVO_MUTATE_REACHED = ''
  await tryMutations(durations, reached)
} finally {
  await runs.close()
  await rm(folder, { recursive: true })
}

async function readSources(paths: readonly string[]): Promise<Source[]> {
  const files: string[] = []
  for (const path of paths.map((one) => resolve(root, one))) {
    if (path.endsWith('.ts')) files.push(path)
    else for (const name of await readdir(path, { recursive: true })) files.push(join(path, name))
  }
  return files
    .filter((path) => path.endsWith('.ts') && !/(\.test|testing)\.ts$/.test(path))
    .toSorted()
    .map((path) => ({ path, text: readSource(path), ...mutationsOf(readSource(path)) }))
}

/** What each test file takes, and which test files reach a spot. */
async function markTests(): Promise<{ durations: Map<string, number>; reached: Map<string, string[]> }> {
  const durations = await runs.mark(await runs.find(values.tests))
  const reached = new Map<string, string[]>()
  for (const line of (await readFile(join(folder, 'reached'), 'utf8')).trim().split('\n')) {
    const { test, spots } = JSON.parse(line) as { test: string; spots: string[] }
    if (durations.has(test)) for (const spot of spots) reached.set(spot, [...(reached.get(spot) ?? []), test])
  }
  console.log(`${durations.size} test files`)
  return { durations, reached }
}

async function tryMutations(durations: ReadonlyMap<string, number>, reached: ReadonlyMap<string, string[]>) {
  const all = sources.flatMap((source) => source.mutations.map((mutation) => ({ source, mutation })))
  const chosen = values.line
    ? all.filter(({ mutation }) => mutation.line === Number(values.line))
    : shuffle(all, Number(values.seed)).slice(0, Number(values.sample))
  const kills = new Map<string, number>()
  let survived = 0
  for (const [index, { source, mutation }] of chosen.entries()) {
    if (index % 25 === 0) process.stderr.write(`${index} of ${chosen.length} tried, ${survived} live\n`)
    const tests = chooseTests(source.path, durations, reached.get(nameOfSpot(source, mutation.spot)) ?? [])
    // Test files that killed most run first.
    tests.sort((one, other) => (kills.get(other) ?? 0) - (kills.get(one) ?? 0))
    const killer = await findNoticing(tests, source, mutation)
    if (killer) {
      kills.set(killer, (kills.get(killer) ?? 0) + 1)
      continue
    }
    survived++
    const { start, end, line, replacement } = mutation
    const place = `${relative(root, source.path)}:${line}`
    console.log(
      `${place}  ${formatSource(source.text.slice(start, end))}  →  ${formatSource(replacement)}  (${tests.length} test files)`,
    )
  }
  const killed = chosen.length - survived
  console.log(
    `${chosen.length} of ${all.length} mistakes, ${killed} noticed, ${survived} not: ${Math.round((100 * killed) / chosen.length)} %`,
  )
}

async function findNoticing(
  tests: readonly string[],
  source: Source,
  mutation: Mutation,
): Promise<string | undefined> {
  for (const test of tests) if (await runs.notice(test, source, mutation)) return test
}

/** Test files of the same folder first, then the shortest, as many as fit into the time; one at least. */
function chooseTests(
  path: string,
  durations: ReadonlyMap<string, number>,
  tests: readonly string[],
): string[] {
  const cost = (test: string): number => durations.get(test)! - (dirname(test) === dirname(path) ? 1e6 : 0)
  let left = seconds
  return tests
    .toSorted((one, other) => cost(one) - cost(other))
    .filter((test, at) => (left -= durations.get(test)!) >= 0 || at === 0)
}

function shuffle<Item>(items: readonly Item[], seed: number): Item[] {
  const shuffled = [...items]
  let state = seed
  for (let at = shuffled.length - 1; at > 0; at--) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    const other = (state >> 8) % (at + 1)
    ;[shuffled[at], shuffled[other]] = [shuffled[other]!, shuffled[at]!]
  }
  return shuffled
}

function formatSource(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

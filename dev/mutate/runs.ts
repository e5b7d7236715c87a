/**
 * Test runner for mutations: runs test files repeatedly in one Vitest, which loads the mutated files from memory: with marks
 * at every spot, or with one mutation. Nothing is written into the tree.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type TestModule, createVitest } from 'vitest/node'
import type { Mutation, Spot } from './mutations.js'

export interface Source {
  readonly path: string
  readonly text: string
  readonly spots: readonly Spot[]
  readonly mutations: readonly Mutation[]
}

export interface Runs {
  /** Runs the test files with marks in the sources; returns the seconds that each took, without failing ones. */
  mark(tests: readonly string[]): Promise<Map<string, number>>
  /** True when the test file fails while a source is changed. */
  notice(test: string, source: Source, mutation: Mutation): Promise<boolean>
  /** All test files of the project below one of the paths. */
  find(paths: string[]): Promise<string[]>
  close(): Promise<void>
}

/** How often a test file runs that skips some of its tests: a mutation may well leave fewer. */
const mostAttempts = 3

/** Opens Vitest without its reports; `sources` are what may be changed. */
export async function openRuns(sources: readonly Source[]): Promise<Runs> {
  const passing = new Map<string, number>()
  let change: { source: Source; mutation: Mutation } | 'marks' = 'marks'
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const vitest = await createVitest(
    'test',
    {
      watch: false,
      silent: true,
      reporters: [{}],
      setupFiles: [fileURLToPath(new URL('coverage.ts', import.meta.url))],
    },
    {
      plugins: [
        {
          name: 'mutate',
          enforce: 'pre',
          load(id) {
            const source = byPath.get(id)
            if (!source) return null
            if (change === 'marks') return withMarks(source)
            return change.source === source ? withChange(source, change.mutation) : source.text
          },
        },
      ],
    },
  )
  await vitest.standalone()

  async function run(tests: readonly string[], next: typeof change) {
    change = next
    for (const { path } of sources) vitest.invalidateFile(path)
    const specifications = tests.flatMap((test) => vitest.getModuleSpecifications(test))
    vitest.state.filesMap.clear()
    return vitest.runTestSpecifications(specifications)
  }

  return {
    async mark(tests) {
      const { testModules } = await run(tests, 'marks')
      const passed = testModules.filter((module) => module.ok())
      for (const module of passed) passing.set(module.moduleId, countPassed([module]))
      return new Map(
        passed.map((module) => {
          const { duration, collectDuration } = module.diagnostic()
          return [module.moduleId, (duration + collectDuration) / 1000]
        }),
      )
    },
    async notice(test, source, mutation) {
      for (let attempt = 1; ; attempt++) {
        const { testModules, unhandledErrors } = await run([test], { source, mutation })
        if (unhandledErrors.length > 0 || testModules.some((module) => !module.ok())) return true
        // The end of a run that failed early may reach the next one, whose tests are then passed over.
        if (countPassed(testModules) === passing.get(test) || attempt === mostAttempts) return false
      }
    },
    async find(paths) {
      const found = await vitest.globTestSpecifications(paths)
      return found.map(({ moduleId }) => moduleId).toSorted()
    },
    close: () => vitest.close(),
  }
}

function countPassed(modules: readonly TestModule[]): number {
  return modules.flatMap((module) => [...module.children.allTests('passed')]).length
}

/** The name under which a spot reports; spot 0 is the file. */
export function nameOfSpot({ path }: Source, spot: number): string {
  return `${path}#${spot}`
}

function withMarks(source: Source): string {
  const mark = (spot: number): string => `globalThis.reach?.(${JSON.stringify(nameOfSpot(source, spot))})`
  const pieces = source.spots.flatMap(({ start, end, isExpression }, at) =>
    isExpression
      ? [
          { at: start, text: `(${mark(at + 1)}, ` },
          { at: end, text: ')' },
        ]
      : [{ at: start, text: `${mark(at + 1)};` }],
  )
  let marked = source.text
  // From the end, so that no edit shifts another.
  for (const piece of pieces.toSorted((one, other) => other.at - one.at))
    marked = marked.slice(0, piece.at) + piece.text + marked.slice(piece.at)
  return `${marked}\n;${mark(0)}\n`
}

function withChange({ text }: Source, { start, end, replacement }: Mutation): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

/** The text of a file, as the tree has it. */
export function readSource(path: string): string {
  return readFileSync(path, 'utf8')
}

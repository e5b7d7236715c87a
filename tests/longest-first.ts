/**
 * Test sequencer: the files that take longest begin first (longest processing time first), so that the workers end together.
 * Vitest knows durations only from an earlier run on the same machine, and without one goes by the size of the files.
 */
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { BaseSequencer, type TestSpecification, type Vitest } from 'vitest/node'

/** Files and folders from the longest; a file that is missing here costs its own time at most. */
const longest: readonly string[] = [
  'tests/documentation-examples.test.ts',
  'tests/races.test.ts',
  'tests/stale-reads.test.ts',
  'tests/web/save-states.test.ts',
  'tests/web/lost-keys.test.ts',
  'tests/web/change-life.test.ts',
  'tests/web/imports.test.ts',
  'tests/reader-page.test.ts',
  'tests/accessibility.test.ts',
  'tests/web/',
  'tests/permissions.test.ts',
  'tests/command-line.test.ts',
  'src/server/main.test.ts',
]

export class LongestFirst extends BaseSequencer {
  private readonly root: string

  constructor(context: Vitest) {
    super(context)
    this.root = context.config.root
    const gone = longest.filter((path) => !existsSync(join(this.root, path)))
    if (gone.length > 0) throw new Error(`tests/longest-first.ts lists what is gone: ${gone.join(', ')}`)
  }

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const path = relative(this.root, moduleId)
      const rank = longest.findIndex((one) => path.startsWith(one))
      return rank === -1 ? longest.length : rank
    }
    // oxlint-disable-next-line unicorn/no-array-sort -- It is no array's.
    return (await super.sort(files)).toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}

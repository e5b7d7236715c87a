/** Runs a TypeScript program of `dev/` against the built product, with the arguments of this process. */
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildIfStale } from './build.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Builds if stale, runs the program, and exits with its exit code. */
export async function runProgram(path) {
  await buildIfStale()
  const tsx = fileURLToPath(import.meta.resolve('tsx'))
  const { status } = spawnSync(
    process.execPath,
    ['--import', tsx, join(root, path), ...process.argv.slice(2)],
    {
      stdio: 'inherit',
    },
  )
  process.exit(status ?? 1)
}

/**
 * `npm test`: the whole suite, on SQLite and on PostgreSQL where one is available.
 *
 * PostgreSQL is used when OCTAVO_TEST_DATABASE_URL names one; otherwise a throwaway one is started
 * if it is installed. Without either the run says that it skipped that engine, and passes. Files of tests
 * are below one folder, which is removed.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const script = join(root, 'scripts/test-postgres.sh')
const roomy = roomyTmpdir()
const environment = { ...process.env, TMPDIR: mkdtempSync(join(roomy, 'octavo-tests-')) }
// Servers that tests start as child processes run as another user where this one is root.
chmodSync(environment.TMPDIR, 0o711)
let folder

if (environment.OCTAVO_TEST_DATABASE_URL === undefined) {
  try {
    folder = mkdtempSync(join(roomy, 'octavo-postgres-'))
    const port = String(await freePort())
    const url = execFileSync('sh', [script, 'start', folder, port], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    environment.OCTAVO_TEST_DATABASE_URL = url.trim()
    console.log('Testing on SQLite and on PostgreSQL.')
  } catch (error) {
    folder = undefined
    const reason = String(error.stderr ?? error.message)
      .trim()
      .split('\n')
      .at(-1)
    console.log(`Skipping PostgreSQL, testing on SQLite alone: ${reason}`)
  }
}

const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const { status } = spawnSync(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: root,
  env: environment,
  stdio: 'inherit',
})
rmSync(environment.TMPDIR, { recursive: true, force: true })
if (folder !== undefined) spawnSync('sh', [script, 'stop', folder], { stdio: 'inherit' })
process.exit(status ?? 1)

/** In memory where there is room: disk writes are slow, and no test simulates a power cut. */
function roomyTmpdir() {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    if (bavail * bsize > 4 * 2 ** 30) return '/dev/shm'
  } catch {
    // Not every system has one.
  }
  return tmpdir()
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

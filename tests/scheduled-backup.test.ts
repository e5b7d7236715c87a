/** Scheduled backups of a server as users start it: complete, encrypted, and the next one later. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { cleanEnvironment, startProgram } from './server-program.js'

const run = promisify(execFile)
const program = join(import.meta.dirname, '../bin/octavo.js')

test('a server writes a backup that can be restored, and reports it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-scheduled-'))
  const target = join(folder, 'backups')
  const secret = { OCTAVO_BACKUP_PASSPHRASE: 'correct horse battery', OCTAVO_DEMO: 'false' }
  const server = await startProgram(folder, program, { OCTAVO_BACKUP: target, ...secret })
  try {
    const list = async () => (await readdir(join(target, 'snapshots')).catch(() => [])).length
    await expect.poll(list).toBe(1)
    const metrics = async () => (await fetch(`${server.base}/metrics`)).text()
    await expect.poll(metrics).toContain('octavo_backups_total{result="complete"} 1')
    const env = { ...cleanEnvironment, ...secret }
    const options = { cwd: folder, env }
    await run(process.execPath, [program, '--data', 'restored', 'restore', target], options)
    const people = await run(process.execPath, [program, '--data', 'restored', 'user', 'list'], options)
    expect(people.stdout).toContain('admin@localhost')
    await server.kill()
    const port = new URL(server.base).port
    const again = await startProgram(folder, program, { OCTAVO_BACKUP: target, ...secret }, port)
    // The next one is due tomorrow, however often the server starts.
    await fetch(`${again.base}/v1`)
    expect(await list()).toBe(1)
    await again.stop()
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
})

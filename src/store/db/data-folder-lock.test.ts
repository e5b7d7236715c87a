import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lockDataFolder } from './data-folder-lock.js'

it('the second server of a folder detects the first, until that ends or is killed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-serving-'))
  const program = `
    import { lockDataFolder } from ${JSON.stringify(new URL('data-folder-lock.ts', import.meta.url).href)}
    globalThis.lock = await lockDataFolder(process.argv[1])
    console.log(lock.isAlone)
    setInterval(() => {}, 1000)`
  const flags = ['--import', 'tsx', '--input-type=module', '--eval', program, folder]
  const other = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => other.once('close', resolve))
  const output = await new Promise((resolve) => other.stdout.once('data', (text) => resolve(String(text))))
  expect(output).toBe('true\n')
  const second = await lockDataFolder(folder)
  expect(second.isAlone).toBe(false)
  second.release()
  other.kill('SIGKILL')
  await ended
  const third = await lockDataFolder(folder)
  expect(third.isAlone).toBe(true)
  const modes = (await readdir(folder)).map((name) => stat(join(folder, name)))
  expect((await Promise.all(modes)).map(({ mode }) => mode & 0o077)).toEqual([0, 0])
  third.release()
  await rm(folder, { recursive: true })
})

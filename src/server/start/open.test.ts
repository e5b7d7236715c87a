import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSettings } from '../settings/settings.js'
import { SettingsError } from '../settings/settings-errors.js'
import { openOctavo } from './open.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-open-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function errorOf(flags: object): Promise<Error> {
  const settings = await readSettings(flags, {}, folder)
  return openOctavo(settings, 1, 'server').then(
    () => expect.unreachable(),
    (error: Error) => error,
  )
}

test('the error for an unusable data folder names its setting', async () => {
  await writeFile(join(folder, 'file'), '')
  for (const data of ['file', 'file/below']) {
    const error = await errorOf({ data: join(folder, data) })
    expect(error).toBeInstanceOf(SettingsError)
    expect(error.message).toContain('write to with --data (OCTAVO_DATA).')
  }
})

test('the error for an unreachable database names its setting', async () => {
  const placeholder = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => placeholder.once('listening', resolve))
  const { port } = placeholder.address() as AddressInfo
  await new Promise((resolve) => placeholder.close(resolve))
  const databaseUrl = `postgres://docs:hush@127.0.0.1:${port}/docs`
  const error = await errorOf({ data: join(folder, 'data'), databaseUrl })
  expect(error).toBeInstanceOf(SettingsError)
  expect(error.message).toMatch(/ECONNREFUSED.*\(OCTAVO_DATABASE_URL\)$/)
  expect(error.message).not.toContain('hush')
})

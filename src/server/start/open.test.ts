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

async function refusalOf(flags: object): Promise<Error> {
  const settings = await readSettings(flags, {}, folder)
  return openOctavo(settings, 1, 'server').then(
    () => expect.unreachable(),
    (error: Error) => error,
  )
}

test('a data folder that cannot be one is told with the setting that names another', async () => {
  await writeFile(join(folder, 'file'), '')
  for (const data of ['file', 'file/below']) {
    const refusal = await refusalOf({ data: join(folder, data) })
    expect(refusal).toBeInstanceOf(SettingsError)
    expect(refusal.message).toContain('write to with --data (OCTAVO_DATA).')
  }
})

test('a database that is not there is told with the setting that names it', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => holder.once('listening', resolve))
  const { port } = holder.address() as AddressInfo
  await new Promise((resolve) => holder.close(resolve))
  const databaseUrl = `postgres://docs:hush@127.0.0.1:${port}/docs`
  const refusal = await refusalOf({ data: join(folder, 'data'), databaseUrl })
  expect(refusal).toBeInstanceOf(SettingsError)
  expect(refusal.message).toMatch(/ECONNREFUSED.*\(OCTAVO_DATABASE_URL\)$/)
  expect(refusal.message).not.toContain('hush')
})

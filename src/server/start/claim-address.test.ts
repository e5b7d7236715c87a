import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSettings } from '../settings/settings.js'
import { SettingsError } from '../settings/settings-errors.js'
import { claimAddress } from './claim-address.js'
import { serve } from './serve.js'

const host = '127.0.0.1'

test('an address that is taken is told, and nothing is spent on it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-address-'))
  const claimed = await claimAddress({ host, port: 0 })
  try {
    const data = join(folder, 'data')
    const settings = await readSettings({ data, port: claimed.port }, {}, folder)
    await expect(serve(settings)).rejects.toThrow(`Port ${claimed.port} of 127.0.0.1 is taken`)
    await expect(serve(settings)).rejects.toThrow('--port')
    expect(existsSync(data)).toBe(false)
  } finally {
    await claimed.release()
    await rm(folder, { recursive: true })
  }
})

test('while the server starts, whoever asks is told to come again', async () => {
  const claimed = await claimAddress({ host, port: 0 })
  const answer = await fetch(`http://${host}:${claimed.port}/`)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  await claimed.release()
  await claimed.release()
  const again = await claimAddress({ host, port: claimed.port })
  await again.release()
})

test('an address of another machine is no address to listen on', async () => {
  await expect(claimAddress({ host: '192.0.2.1', port: 0 })).rejects.toBeInstanceOf(SettingsError)
})

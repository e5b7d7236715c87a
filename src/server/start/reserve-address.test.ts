import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSettings } from '../settings/settings.js'
import { SettingsError } from '../settings/settings-errors.js'
import { reserveAddress } from './reserve-address.js'
import { serve } from './serve.js'

const host = '127.0.0.1'

test('an occupied address is reported before anything is written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-address-'))
  const reserved = await reserveAddress({ host, port: 0 })
  try {
    const data = join(folder, 'data')
    const settings = await readSettings({ data, port: reserved.port }, {}, folder)
    await expect(serve(settings)).rejects.toThrow(`Port ${reserved.port} of 127.0.0.1 is taken`)
    await expect(serve(settings)).rejects.toThrow('--port')
    expect(existsSync(data)).toBe(false)
  } finally {
    await reserved.release()
    await rm(folder, { recursive: true })
  }
})

test('while the server starts, clients get 503 with Retry-After', async () => {
  const reserved = await reserveAddress({ host, port: 0 })
  const answer = await fetch(`http://${host}:${reserved.port}/`)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  await reserved.release()
  await reserved.release()
  const again = await reserveAddress({ host, port: reserved.port })
  await again.release()
})

test('an address of another machine is no address to listen on', async () => {
  await expect(reserveAddress({ host: '192.0.2.1', port: 0 })).rejects.toBeInstanceOf(SettingsError)
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RemoteError, fetchRemote, isPublicAddress } from './fetch.js'

const limits = { maxBytes: 1_000_000, timeout: 2_000 }

describe('addresses', () => {
  test.each(['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    '::ffff:127.0.0.1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'not an address',
  ])('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

describe('a server on this machine', () => {
  const server = createServer((_request, response) => response.end('secret'))
  let port = 0
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => server.close())

  test.each([
    'http://127.0.0.1',
    'http://localhost',
    'http://2130706433',
    'http://0x7f.1',
    'http://[::ffff:127.0.0.1]',
  ])('%s is not reached', async (host) => {
    await expect(fetchRemote(`${host}:${port}/`, limits)).rejects.toThrow('not on the public internet')
  })
})

test.each(['file:///etc/passwd', 'ftp://example.com/x', 'http://user:secret@example.com/', 'nonsense'])(
  '%s is refused before anything is sent',
  async (address) => {
    await expect(fetchRemote(address, limits)).rejects.toThrow(RemoteError)
  },
)

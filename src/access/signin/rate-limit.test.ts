import { afterEach, expect, it, test, vi } from 'vitest'
import { attemptsInMemory } from '../../store/db/attempts.js'
import { TooManyAttempts, addressKey, takeAttempt } from './rate-limit.js'

const allowance = { limit: 3, window: 60_000 }

afterEach(() => {
  vi.useRealTimers()
})

test('too many attempts are refused with the time to wait', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const attempts = attemptsInMemory()
  const take = (weight?: number) =>
    takeAttempt({ attempts }, 'a', allowance, { now: 5_000, ...(weight !== undefined && { weight }) })
  await take()
  await take(2)
  const refused: unknown = await take().catch((error: unknown) => error)
  if (!(refused instanceof TooManyAttempts)) throw new Error('nothing was refused')
  const { status, message, quota, headers } = refused
  expect(status).toBe(429)
  expect(quota).toEqual({ limit: 3, remaining: 0, resetAt: 65_000 })
  expect(message).toContain('wait 60 seconds')
  expect(headers).toEqual({
    'retry-after': '60',
    'x-ratelimit-limit': '3',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': '65',
  })
})

it.each([
  ['192.0.2.1', 'address 192.0.2.1'],
  ['::ffff:192.0.2.1', 'address 192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', 'address 2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', 'address 2001:db8:1:2::/64'],
  ['2001:DB8::9', 'address 2001:db8:0:0::/64'],
  ['::1', 'address 0:0:0:0::/64'],
  ['fe80::1%eth0', 'address fe80:0:0:0::/64'],
  [null, 'address unknown'],
])('an address %s counts as %s', (ip, key) => {
  expect(addressKey(ip)).toBe(key)
})

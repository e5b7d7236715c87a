import { expect, it } from 'vitest'
import { TooManyAttempts, addressKey, createAttempts } from './attempts.js'

const allowance = { limit: 3, window: 1000 }

it('refuses what goes beyond the limit until the window ends, and says when that is', () => {
  const attempts = createAttempts()
  expect([1, 2, 3].map(() => attempts.take('a', allowance, 0).remaining)).toEqual([2, 1, 0])
  const refused = catching(() => attempts.take('a', allowance, 400))
  expect(refused.status).toBe(429)
  expect(refused.quota).toEqual({ limit: 3, remaining: 0, resetAt: 1000 })
  expect(refused.message).toContain('wait 1 seconds')
  expect(attempts.take('a', allowance, 1000).remaining).toBe(2)
})

it('counts keys apart and forgets on success', () => {
  const attempts = createAttempts()
  for (const _ of [1, 2, 3]) attempts.take('a', allowance, 0)
  expect(attempts.take('b', allowance, 0).remaining).toBe(2)
  attempts.forget('a')
  expect(attempts.take('a', allowance, 0).remaining).toBe(2)
})

it('stays within its bound by forgetting the oldest', () => {
  const attempts = createAttempts(2)
  attempts.take('a', allowance, 0)
  attempts.take('b', allowance, 1)
  attempts.take('c', allowance, 2)
  expect(attempts.take('b', allowance, 3).remaining).toBe(1)
  expect(attempts.take('a', allowance, 3).remaining).toBe(2)
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

function catching(work: () => unknown): TooManyAttempts {
  try {
    work()
  } catch (error) {
    if (error instanceof TooManyAttempts) return error
    throw error
  }
  throw new Error('nothing was refused')
}

import { describe, expect, test } from 'vitest'
import { limits } from '../../contract/limits.js'
import { readPreferences } from './preferences.js'

describe('Prefer', () => {
  const wait = { preferences: ['wait'] } as const
  const both = { preferences: ['respond-async', 'wait'] } as const
  const neither = { preferences: [] }
  const most = limits.waitSeconds

  test.each([
    [undefined, wait, 0, false, ''],
    ['', wait, 0, false, ''],
    ['wait=5', wait, 5, false, 'wait=5'],
    ['Wait = "5"', wait, 5, false, 'wait=5'],
    ['return=minimal, wait=5; foo=bar', wait, 5, false, 'wait=5'],
    [['return=minimal', 'wait=5'], wait, 5, false, 'wait=5'],
    ['wait=5, wait=7', wait, 5, false, 'wait=5'],
    ['wait=0', wait, 0, false, 'wait=0'],
    ['wait=600', wait, most, false, `wait=${most}`],
    [`wait=${'9'.repeat(400)}`, wait, most, false, `wait=${most}`],
    ['respond-async, wait=5', wait, 5, false, 'wait=5'],
    ['no-wait=5, awaited', wait, 0, false, ''],
    ['respond-async', both, 0, true, 'respond-async'],
    ['wait=5, Respond-Async', both, 5, true, 'respond-async, wait=5'],
    // Without `respond-async` such an operation waits as long as it does by itself.
    ['wait=5', both, 0, false, ''],
    ['respond-async, wait=no', neither, 0, false, ''],
  ])('%s of an operation that knows %j', (header, endpoint, seconds, isAsynchronous, applied) => {
    expect(readPreferences(header, endpoint)).toEqual({ seconds, isAsynchronous, applied })
  })

  test.each([
    'wait=soon',
    'wait',
    'wait=',
    'wait=-1',
    'wait=1.5',
    'wait=5s',
    'wait="',
    'wait=0x5',
    'wait=5 6',
  ])('%s is refused by name', (header) => {
    for (const endpoint of [wait, both])
      expect(() => readPreferences(header, endpoint)).toThrow(/The header "Prefer".*"wait=5"/)
  })
})

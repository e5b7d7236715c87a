import { expect, test } from 'vitest'
import {
  type RedirectStep,
  capturedPath,
  createLoopDetector,
  keyOfSource,
  patternKeysOf,
  withPath,
} from './redirect-patterns.js'

test('a path has the keys of all its prefixes, up to the longest source', () => {
  expect(patternKeysOf('/Ab/c')).toEqual(['/a*', '/ab*', '/ab/*', '/ab/c*'])
  expect(patternKeysOf('/')).toEqual([])
  expect(patternKeysOf(`/${'a'.repeat(5000)}`)).toHaveLength(511)
})

test.each([
  ['/old/*', '/old/a/B', 'a/B'],
  ['/old/*', '/OLD/a%20b', 'a%20b'],
  ['/old*', '/older/x', 'er/x'],
  ['/old/*', '/old/', ''],
  ['/old/*', '/other', undefined],
  ['/old/*', '/old/../x', undefined],
  ['/old/*', '/old/%2e%2e/x', undefined],
])('%s captures from %s what the star matches', (source, path, rest) => {
  expect(capturedPath(source, path)).toBe(rest)
})

test.each([
  ['https://h.test', 'a/b', 'https://h.test/a/b'],
  ['https://h.test/', 'a', 'https://h.test/a'],
  ['https://h.test/x?y=1#z', 'a', 'https://h.test/x/a?y=1#z'],
  ['/@o/s/', '', '/@o/s/'],
])('%s with %s appended', (href, appended, whole) => expect(withPath(href, appended)).toBe(whole))

test('loops and chains are distinguished, at any length', () => {
  const steps = [
    ['/a', '/b'],
    ['/b', '/a'],
    ['/c', '/d'],
    ['/d', undefined],
    ['/e', '/e'],
    ['/f', '/none'],
    ['/g', '/a'],
  ].map(([key, to]) => ({ key: keyOfSource(key!), to }))
  const byKey = new Map(steps.map((step) => [step.key, step]))
  expect(steps.map(createLoopDetector(byKey))).toEqual([
    'loop',
    'loop',
    'chain',
    'end',
    'loop',
    'end',
    'loop',
  ])
})

test.each([
  ['a chain', (at: number) => at + 1],
  ['a circle', (at: number) => (at + 1) % 2_000],
  ['a way into a circle', (at: number) => Math.min(at + 1, 1_999)],
])('%s of 2,000 is walked once', (_, next) => {
  let lookups = 0
  const steps: RedirectStep[] = Array.from({ length: 2_000 }, (_, at) => ({
    key: `/${at}`,
    to: `/${next(at)}`,
  }))
  const byKey = new Map(steps.map((step) => [step.key, step]))
  const counted = new (class extends Map<string, RedirectStep> {
    override get(key: string) {
      lookups++
      return super.get(key)
    }
  })(byKey)
  expect(steps.toReversed().map(createLoopDetector(counted))).toHaveLength(2_000)
  expect(steps.map(createLoopDetector(counted))).toHaveLength(2_000)
  expect(lookups).toBeLessThanOrEqual(8_000)
})

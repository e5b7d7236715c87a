import { expect, test } from 'vitest'
import { captured, keyOfSource, patternKeysOf, whereItLeads, withPath } from './redirect-patterns.js'

test('a path asks for all patterns that it begins with, and no more than a source is long', () => {
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
])('%s takes of %s what stands in place of the star', (source, path, rest) => {
  expect(captured(source, path)).toBe(rest)
})

test.each([
  ['https://h.test', 'a/b', 'https://h.test/a/b'],
  ['https://h.test/', 'a', 'https://h.test/a'],
  ['https://h.test/x?y=1#z', 'a', 'https://h.test/x/a?y=1#z'],
  ['/@o/s/', '', '/@o/s/'],
])('%s with %s behind', (href, more, whole) => expect(withPath(href, more)).toBe(whole))

test('loops and chains are told apart, however long', () => {
  const steps = [
    ['/a', '/b'],
    ['/b', '/a'],
    ['/c', '/d'],
    ['/d', undefined],
    ['/e', '/e'],
    ['/f', '/none'],
  ].map(([key, to]) => ({ key: keyOfSource(key!), to }))
  const byKey = new Map(steps.map((step) => [step.key, step]))
  expect(steps.map((step) => whereItLeads(step, byKey))).toEqual([
    'loop',
    'loop',
    'chain',
    'end',
    'loop',
    'end',
  ])
})

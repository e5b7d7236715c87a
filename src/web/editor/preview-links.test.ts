import { expect, test } from 'vitest'
import { previewTargetOf } from './preview-links.js'

const base = 'https://docs.example/s/one/~/changes/3/start'

test.each([
  ['#part%20two', { kind: 'part', id: 'part two' }],
  ['/s/one/~/changes/3/guide/first', { kind: 'page', path: 'guide/first' }],
  ['/s/one/~/changes/3/~/sites/site/guide/first/', { kind: 'page', path: 'guide/first' }],
  ['guide', { kind: 'page', path: 'guide' }],
  ['/s/one/', { kind: 'page', path: '' }],
  ['/s/one/~/changes/4/start', { kind: 'away', address: 'https://docs.example/s/one/~/changes/4/start' }],
  ['/s/one/~/history', { kind: 'away', address: 'https://docs.example/s/one/~/history' }],
  ['/s/two/start', { kind: 'away', address: 'https://docs.example/s/two/start' }],
  ['https://other.example/s/one/', { kind: 'away', address: 'https://other.example/s/one/' }],
  ['mailto:ann@example.com', { kind: 'away', address: 'mailto:ann@example.com' }],
  ['javascript:alert(1)', { kind: 'none' }],
  ['https://', { kind: 'none' }],
] as const)('%s', (href, target) => {
  expect(previewTargetOf(href, base, { space: 'one', change: 3 })).toEqual(target)
})

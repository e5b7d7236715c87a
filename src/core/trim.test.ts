import { expect, test } from 'vitest'
import { trimBothOf, trimEndOf, trimStartOf } from './trim.js'

test.each([
  ['--a--b--', 'a--b--', '--a--b', 'a--b'],
  ['-.a.-', 'a.-', '-.a', 'a'],
  ['----', '', '', ''],
  ['a', 'a', 'a', 'a'],
  ['', '', '', ''],
])('%j', (text, start, end, both) => {
  expect([trimStartOf(text, '-.'), trimEndOf(text, '-.'), trimBothOf(text, '-.')]).toEqual([start, end, both])
})

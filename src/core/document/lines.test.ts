import { expect, test } from 'vitest'
import { lineLookup } from './lines.js'

test.each([
  ['', [1]],
  ['ab', [1, 1, 1]],
  ['a\nb\n', [1, 1, 2, 2, 3]],
  ['a\r\nb\rc', [1, 1, 1, 2, 2, 3, 3]],
])('the lines of %j', (text, lines) => {
  const offsets = lines.map((_, offset) => offset)
  expect(offsets.map(lineLookup(text))).toEqual(lines)
  const lineOf = lineLookup(text)
  expect(offsets.toReversed().map((offset) => lineOf(offset))).toEqual(lines.toReversed())
})

import { expect, test } from 'vitest'
import { differingLines } from './differing-lines.js'

test.each([
  ['a\nb one\nc\n', 'a\nb two\nc\n', ['a\n', 'b one\n', 'b two\n', 'c\n']],
  ['a\n', 'b\n', ['', 'a\n', 'b\n', '']],
  ['a\nb\n', 'a\nb\nc\n', ['a\nb\n', '', 'c\n', '']],
  ['a\nc\n', 'a\nb\nb\nc\n', ['a\n', '', 'b\nb\n', 'c\n']],
  ['a\nx', 'a\ny', ['a\n', 'x', 'y', '']],
  ['', 'a', ['', '', 'a', '']],
  ['same\n', 'same\n', ['same\n', '', '', '']],
])('%j and %j', (one, other, expected) => {
  const { before, ours, theirs, after } = differingLines(one, other)
  expect(before + ours + after).toBe(one)
  expect(before + theirs + after).toBe(other)
  expect([before, ours, theirs, after]).toEqual(expected)
})

import { expect, test } from 'vitest'
import { movePosition } from './view-position.js'

test.each([
  ['before an insertion', 2, [{ start: 3, end: 3, text: 'ab' }], 2],
  ['at an insertion', 3, [{ start: 3, end: 3, text: 'ab' }], 5],
  ['behind a deletion', 7, [{ start: 1, end: 4, text: '' }], 4],
  ['in a replaced range', 3, [{ start: 1, end: 5, text: 'xyz' }], 3],
  ['in a range that became shorter', 4, [{ start: 1, end: 5, text: 'x' }], 2],
  [
    'behind two splices',
    9,
    [
      { start: 0, end: 0, text: 'a' },
      { start: 4, end: 6, text: 'bcd' },
    ],
    11,
  ],
] as const)('an offset %s', (_, offset, splices, moved) => {
  const position = { anchor: offset, head: offset, top: { offset, distance: 8 } }
  expect(movePosition(position, splices)).toEqual({
    anchor: moved,
    head: moved,
    top: { offset: moved, distance: 8 },
  })
})

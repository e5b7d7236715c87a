import { expect, test } from 'vitest'
import { parseWidth, widthsOf } from './widths.js'

const picture = { size: 200_000, contentType: 'image/png', width: 1800, height: 900 }

test.each<[string, object, [number, number][]]>([
  [
    'a wide one, up to its own width',
    {},
    [
      [480, 480],
      [960, 960],
      [1600, 1600],
      [2400, 1800],
    ],
  ],
  [
    'one as wide as a width of the list',
    { width: 960 },
    [
      [480, 480],
      [960, 960],
    ],
  ],
  ['a narrow one', { width: 300 }, [[480, 300]]],
  [
    'one wider than every width',
    { width: 5000 },
    [
      [480, 480],
      [960, 960],
      [1600, 1600],
      [2400, 2400],
    ],
  ],
  ['one that is light already', { size: 10_000 }, []],
  ['one that is too heavy to be read', { size: 100 << 20 }, []],
  ['one whose size nobody knows', { width: undefined }, []],
  ['a drawing', { contentType: 'image/svg+xml' }, []],
  ['what moves', { contentType: 'image/gif' }, []],
  ['no picture', { contentType: 'application/pdf' }, []],
])('the widths of %s', (_, about, expected) => {
  const widths = widthsOf({ ...picture, ...about }).map(({ width, pixels }) => [width, pixels])
  expect(widths).toEqual(expected)
})

test('a width is one of the list, in canonical form', () => {
  expect(['480', '960', '1600', '2400'].map(parseWidth)).toEqual([480, 960, 1600, 2400])
  for (const other of ['481', '0480', '480.0', '4.8e2', ' 480', '', '-480', 'NaN']) {
    expect(parseWidth(other), other).toBeUndefined()
  }
})

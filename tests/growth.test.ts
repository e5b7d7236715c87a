/**
 * Linear time of parsers of user text: every construct is grown, repeated, nested, left open and alternated, and twice
 * the size may take thrice the work at most. `npx tsx dev/growth/main.ts --all` tries
 * thirty thousand more.
 */
import { expect, test } from 'vitest'
import { everyKind } from '../dev/growth/growing-texts.js'
import { findGrowth, scales } from '../dev/growth/measure.js'
import { readers } from '../dev/growth/parsers.js'

const kinds = everyKind()

test('there are many kinds, and each grows to the requested size', () => {
  expect(kinds.length).toBeGreaterThan(600)
  const sizes = kinds.map((kind) => [kind.name, kind.text(4000).length] as const)
  expect(sizes.filter(([, length]) => length < 2000 || length > 8000)).toEqual([])
})

test('what takes the square of a text is noticed', () => {
  // Just above the floor at the smallest size: five rounds of the largest would take a minute otherwise.
  const square = (text: string) => {
    for (let index = 0; index < text.length; index += 80) text.slice(index).replaceAll('x', 'y')
  }
  const kind = { name: 'letters', text: (size: number) => 'ax'.repeat(size) }
  expect(findGrowth(kind, ['square', square], scales.short)).toMatchObject({
    kind: 'letters',
    reader: 'square',
  })
})

// Documents are parsed of every second kind, the other parsers run on every twelfth: all of them take minutes.
test.each(Object.entries(readers).map((reader, index) => [reader[0], index, reader] as const))(
  '%s: twice the size takes thrice the work at most',
  (name, offset, reader) => {
    const tried = kinds.filter((_, index) => (index + offset) % (name === 'document' ? 2 : 12) === 0)
    expect(tried.flatMap((kind) => findGrowth(kind, reader, scales.short) ?? [])).toEqual([])
  },
)

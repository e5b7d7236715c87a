import { describe, expect, test } from 'vitest'
import { between, maxPositionLength, spread, spreadBetween } from './position.js'

describe('between', () => {
  test('lies strictly between its neighbours, anywhere in a growing list', () => {
    const positions: string[] = []
    let seed = 7
    for (let step = 0; step < 5_000; step += 1) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      const index = seed % (positions.length + 1)
      const before = positions[index - 1] ?? null
      const after = positions[index] ?? null
      const position = between(before, after)
      expect(before === null || before < position).toBe(true)
      expect(after === null || position < after).toBe(true)
      positions.splice(index, 0, position)
    }
    expect(Math.max(...positions.map((position) => position.length))).toBeLessThan(12)
  })

  test('stays short when items are appended or prepended for years', () => {
    let last: string | null = null
    let first: string | null = null
    for (let step = 0; step < 100_000; step += 1) {
      last = between(last, null)
      first = between(null, first)
    }
    expect(last!.length).toBeLessThanOrEqual(4)
    expect(first!.length).toBeLessThanOrEqual(4)
  })

  test('allows hundreds of inserts into one gap before a spread is needed', () => {
    const before: string = between(null, null)
    let after: string = between(before, null)
    for (let step = 0; step < 200; step += 1) after = between(before, after)
    expect(after.length).toBeLessThan(maxPositionLength)
  })

  test('throws for equal or reversed neighbours', () => {
    const position = between(null, null)
    expect(() => between(position, position)).toThrow(RangeError)
    expect(() => between(between(position, null), position)).toThrow(RangeError)
    expect(() => spreadBetween(position, position, 2)).toThrow(RangeError)
  })
})

describe('spread', () => {
  test.each([0, 1, 2, 61, 62, 63, 3_000, 20_000])(
    'returns %d ascending positions of a few characters',
    (count) => {
      const positions = spread(count)
      expect(positions).toHaveLength(count)
      expect(positions).toEqual([...new Set(positions)].toSorted((a, b) => (a < b ? -1 : 1)))
      expect(positions.every((position) => position.length <= 5)).toBe(true)
    },
  )
})

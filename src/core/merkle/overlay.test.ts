import { expect, test } from 'vitest'
import { build } from './map.js'
import type { LeafEntry } from './map.js'
import {
  overlayGet,
  overlayGetMany,
  overlayNeighbours,
  overlayOf,
  overlayRange,
  applyOverlay,
} from './overlay.js'
import { memoryObjects } from './testing.js'

test('an overlay reads as the map after its edits', () => {
  for (let round = 0; round < 200; round += 1) {
    const memory = memoryObjects()
    let state = round + 1
    const below = (limit: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      return (state >>> 8) % limit
    }
    const size = [3, 40, 300][round % 3]!
    const key = (): string => `${'abc'[below(3)]!}${String(below(size)).padStart(3, '0')}`
    const entries = new Map<string, number>()
    for (let left = below(size * 2); left > 0; left -= 1) entries.set(key(), below(9))
    const sorted = (): LeafEntry[] => [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1))
    const overlay = overlayOf(build(sorted(), memory))
    for (let left = below(12); left > 0; left -= 1) {
      const edited = key()
      if (below(2)) {
        entries.set(edited, 10)
        overlay.edits.set(edited, 10)
      } else {
        entries.delete(edited)
        overlay.edits.set(edited, undefined)
      }
    }
    const after = sorted()
    const probes = [key(), key(), key(), ...overlay.edits.keys()]
    expect(memory.run(overlayGetMany(overlay, probes))).toEqual(probes.map((probe) => entries.get(probe)))
    expect(memory.run(overlayGet(overlay, probes[0]!))).toBe(entries.get(probes[0]!))
    for (const prefix of ['a', 'b', 'c', 'd']) {
      const expected = after.filter(([name]) => name.startsWith(prefix))
      const limit = below(20)
      expect(memory.run(overlayRange(overlay, { prefix }))).toEqual(expected)
      expect(memory.run(overlayRange(overlay, { prefix, limit, reverse: true }))).toEqual(
        expected.toReversed().slice(0, limit),
      )
      for (const place of [0, 1, below(size), expected.length - 1, expected.length, expected.length + 3]) {
        if (place < 0) continue
        const within = Math.min(place, expected.length)
        expect(memory.run(overlayNeighbours(overlay, prefix, place))).toEqual({
          before: expected[within - 1]?.[0] ?? null,
          after: expected[within]?.[0] ?? null,
        })
      }
    }
    expect(memory.run(applyOverlay(overlay, memory))).toBe(build(after, memory))
  }
})

test('finding an index among 20,000 keys reads a few nodes', () => {
  const memory = memoryObjects()
  const list = Array.from({ length: 20_000 }, (_, n): LeafEntry => [`a${String(n).padStart(5, '0')}`, null])
  const overlay = overlayOf(build(list, memory))
  memory.resetCounts()
  expect(memory.run(overlayNeighbours(overlay, 'a', 10_000))).toEqual({ before: 'a09999', after: 'a10000' })
  expect(memory.counts.reads).toBeLessThan(30)
})

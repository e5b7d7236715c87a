import { expect, test } from 'vitest'
import { partitionPoint } from './binary-search.js'

test.each([
  { sorted: [], limit: 3, count: 0 },
  { sorted: [1], limit: 0, count: 0 },
  { sorted: [1], limit: 1, count: 0 },
  { sorted: [1], limit: 2, count: 1 },
  { sorted: [1, 2, 2, 2, 5], limit: 2, count: 1 },
  { sorted: [1, 2, 2, 2, 5], limit: 3, count: 4 },
  { sorted: [1, 2, 2, 2, 5], limit: 9, count: 5 },
])('$count of $sorted are below $limit', ({ sorted, limit, count }) => {
  expect(partitionPoint(sorted.length, (position) => sorted[position]! < limit)).toBe(count)
})

import { describe, expect, test } from 'vitest'
import {
  apply,
  at,
  build,
  count,
  countPrefixes,
  diff,
  endOfPrefix,
  get,
  getAcross,
  getMany,
  range,
  rank,
} from './map.js'
import type { Edit, LeafEntry, KeyRange } from './map.js'
import { heightOf } from './shape.js'
import { runTogether } from './steps.js'
import { memoryObjects } from './testing.js'
import type { Json, MapNode, MapRoot } from './types.js'

function random(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return ((state ^ (state >>> 13)) >>> 0) % below
  }
}

const alphabet = ['a', 'b', 'C', '1', '/', 'é', '漢', '\u{1f600}', '\ud800', '\uffff', ' ']

function randomKey(below: (n: number) => number, variety: number): string {
  let key = ''
  for (let left = 1 + below(4); left > 0; left -= 1) key += alphabet[below(alphabet.length)]!
  return key + String(below(variety))
}

function sorted(entries: ReadonlyMap<string, Json>): LeafEntry[] {
  return [...entries].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
}

const sizes = [0, 1, 2, 15, 16, 17, 100, 1_000, 20_000]

describe('a built map', () => {
  test.each(sizes)('of %d entries finds each of them, and nothing else', (size) => {
    const memory = memoryObjects()
    const below = random(size + 1)
    const entries = new Map<string, Json>()
    while (entries.size < size) entries.set(randomKey(below, size * 2), below(1_000))
    const list = sorted(entries)
    const root = build(list, memory)

    expect(root === null).toBe(size === 0)
    expect(memory.run(count(root))).toBe(size)
    expect(memory.run(range(root))).toEqual(list)
    for (let probe = 0; probe < Math.min(size, 300); probe += 1) {
      const place = below(size)
      const [key, value] = list[place]!
      expect(memory.run(get(root, key))).toBe(value)
      expect(memory.run(rank(root, key))).toBe(place)
      expect(memory.run(at(root, place))).toEqual([key, value])
      expect(memory.run(get(root, `${key}!`))).toBe(entries.get(`${key}!`))
    }
    expect(memory.run(at(root, size))).toBeUndefined()
    expect(memory.run(at(root, -1))).toBeUndefined()
    const prefixes = [
      'a',
      'b',
      'é',
      '\uffff',
      'ab',
      'zz',
      ...list.slice(0, 50).map(([key]) => key.slice(0, 2)),
    ]
    expect(memory.run(countPrefixes(root, prefixes))).toEqual(
      prefixes.map((prefix) => list.filter(([key]) => key.startsWith(prefix)).length),
    )
    const requests = [...list.map(([key]) => key).toReversed(), 'absent', '']
    expect(memory.run(getMany(root, requests))).toEqual(requests.map((key) => entries.get(key)))
  })

  test('refuses keys out of order', () => {
    expect(() =>
      build(
        [
          ['b', 1],
          ['a', 2],
        ],
        memoryObjects(),
      ),
    ).toThrow(RangeError)
    expect(() =>
      build(
        [
          ['a', 1],
          ['a', 2],
        ],
        memoryObjects(),
      ),
    ).toThrow(RangeError)
  })

  test('has nodes of about 16 entries, and few large ones', () => {
    const memory = memoryObjects()
    const list = Array.from({ length: 50_000 }, (_, n): LeafEntry => [
      `page-${String(n).padStart(6, '0')}`,
      null,
    ])
    const lengths: number[] = []
    build(list, {
      ...memory,
      putNode(node: MapNode) {
        if (node.level === 0) lengths.push(node.entries.length)
        return memory.putNode(node)
      },
    })
    expect(50_000 / lengths.length).toBeGreaterThan(14)
    expect(50_000 / lengths.length).toBeLessThan(18)
    expect(Math.max(...lengths)).toBeLessThan(300)
  })
})

describe('a range', () => {
  const memory = memoryObjects()
  const below = random(99)
  const entries = new Map<string, Json>()
  while (entries.size < 3_000) entries.set(randomKey(below, 3_000), null)
  const list = sorted(entries)
  const root = build(list, memory)

  test('returns the same as filtering the sorted entries', () => {
    for (let round = 0; round < 1_000; round += 1) {
      const within: { -readonly [Key in keyof KeyRange]: KeyRange[Key] } = {}
      if (below(2)) within.from = randomKey(below, 3_000)
      if (below(2)) within.to = randomKey(below, 3_000)
      if (below(3) === 0) within.prefix = randomKey(below, 10).slice(0, 1 + below(3))
      if (below(2)) within.limit = below(50)
      if (below(2)) within.reverse = true
      const expected = list.filter(
        ([key]) =>
          (within.from === undefined || key >= within.from) &&
          (within.to === undefined || key < within.to) &&
          (within.prefix === undefined || key.startsWith(within.prefix)),
      )
      if (within.reverse) expected.reverse()
      expect(memory.run(range(root, within))).toEqual(expected.slice(0, within.limit))
    }
  })

  test('with a limit reads a path and little more', () => {
    memory.resetCounts()
    memory.run(range(root, { from: 'C', limit: 5 }))
    expect(memory.counts.reads).toBeLessThan(12)
    expect(memory.counts.questions).toBeLessThan(6)
  })

  test.each([
    ['a', 'b'],
    ['a\uffff', 'b'],
    ['\uffff', undefined],
    ['', undefined],
    ['a/', 'a0'],
  ])('of the prefix %j ends at %j', (prefix, end) => {
    expect(endOfPrefix(prefix)).toBe(end)
  })
})

describe('applying edits', () => {
  test('has the root of a map built from the result, whatever the order of edits', () => {
    for (let round = 0; round < 400; round += 1) {
      const memory = memoryObjects()
      const below = random(round)
      const variety = [3, 20, 100, 600][round % 4]!
      const entries = new Map<string, Json>()
      for (let left = below(variety * 2); left > 0; left -= 1)
        entries.set(randomKey(below, variety), below(3))
      let root = build(sorted(entries), memory)
      for (let turn = 0; turn < 8; turn += 1) {
        const edits = new Map<string, Json | undefined>()
        const known = [...entries.keys()]
        for (let left = below(turn % 2 ? 4 : variety); left > 0; left -= 1) {
          const key = known.length > 0 && below(2) ? known[below(known.length)]! : randomKey(below, variety)
          edits.set(key, below(5) < 2 ? undefined : below(3))
        }
        root = memory.run(apply(root, sorted(edits as Map<string, Json>) as Edit[], memory))
        for (const [key, value] of edits) {
          if (value === undefined) entries.delete(key)
          else entries.set(key, value)
        }
        expect(root).toBe(build(sorted(entries), memory))
      }
    }
  })

  test('deleting and inserting the keys that begin nodes joins and splits them on every level', () => {
    const memory = memoryObjects()
    const list = Array.from({ length: 6_000 }, (_, n): LeafEntry => [String(n).padStart(5, '0'), n])
    const whole = build(list, memory)
    const tall = list.filter(([key]) => heightOf(key) > 1)
    expect(tall.length).toBeGreaterThan(10)
    for (const [key, value] of [...tall, list[0]!, list.at(-1)!]) {
      const without = memory.run(apply(whole, [[key, undefined]], memory))
      expect(without).toBe(
        build(
          list.filter((entry) => entry[0] !== key),
          memory,
        ),
      )
      expect(memory.run(apply(without, [[key, value]], memory))).toBe(whole)
    }
    const removal = tall.map(([key]): Edit => [key, undefined])
    const flat = memory.run(apply(whole, removal, memory))
    expect(flat).toBe(
      build(
        list.filter(([key]) => heightOf(key) <= 1),
        memory,
      ),
    )
    expect(memory.run(apply(flat, tall, memory))).toBe(whole)
    expect(
      memory.run(
        apply(
          whole,
          list.map(([key]): Edit => [key, undefined]),
          memory,
        ),
      ),
    ).toBeNull()
  })

  test('shrinks to the one entry that is left, whichever it is', () => {
    const memory = memoryObjects()
    const list = Array.from({ length: 700 }, (_, n): LeafEntry => [String(n).padStart(5, '0'), n])
    const whole = build(list, memory)
    for (const retained of list) {
      const edits = list.filter((entry) => entry !== retained).map(([key]): Edit => [key, undefined])
      expect(memory.run(apply(whole, edits, memory))).toBe(build([retained], memory))
    }
  })

  test('that change nothing write nothing', () => {
    const memory = memoryObjects()
    const root = build<Json>(
      [
        ['a', { x: 1, y: [2] }],
        ['b', 2],
      ],
      memory,
    )
    memory.resetCounts()
    const edits: Edit[] = [
      ['a', { y: [2], x: 1, z: undefined }],
      ['c', undefined],
    ]
    expect(memory.run(apply(root, edits, memory))).toBe(root)
    expect(memory.run(apply(null, [['c', undefined]], memory))).toBeNull()
    expect(memory.counts.writes).toBe(0)
  })

  test('one edit among 20,000 entries reads and writes one path', () => {
    const memory = memoryObjects()
    const list = Array.from({ length: 20_000 }, (_, n): LeafEntry => [String(n).padStart(6, '0'), n])
    const root = build(list, memory)
    memory.resetCounts()
    memory.run(apply(root, [['010000', 'new']], memory))
    expect(memory.counts.writes).toBeLessThanOrEqual(6)
    expect(memory.counts.reads).toBeLessThanOrEqual(6)
  })
})

describe('the difference of two maps', () => {
  test('is the edits that lead from one to the other', () => {
    for (let round = 0; round < 300; round += 1) {
      const memory = memoryObjects()
      const below = random(round + 5_000)
      const variety = [3, 40, 200, 800][round % 4]!
      const before = new Map<string, Json>()
      for (let left = below(variety * 2); left > 0; left -= 1) before.set(randomKey(below, variety), below(3))
      const after = new Map<string, Json>(round % 9 === 0 ? [] : before)
      for (let left = below(round % 2 ? 5 : variety); left > 0; left -= 1) {
        const key = randomKey(below, variety)
        if (below(2)) after.delete(key)
        else after.set(key, below(3))
      }
      const a = build(sorted(before), memory)
      const b = build(sorted(after), memory)
      const changes = memory.run(diff(a, b))
      const expected = [...new Set([...before.keys(), ...after.keys()])]
        .filter((key) => before.get(key) !== after.get(key))
        .toSorted((x, y) => (x < y ? -1 : 1))
      expect(changes.map((change) => change.key)).toEqual(expected)
      for (const change of changes) {
        expect(change.before).toBe(before.get(change.key))
        expect(change.after).toBe(after.get(change.key))
      }
      expect(
        memory.run(
          apply(
            a,
            changes.map(({ key, after: value }): Edit => [key, value]),
            memory,
          ),
        ),
      ).toBe(b)
      expect(memory.run(diff(b, a)).map(({ key }) => key)).toEqual(expected)
    }
  })

  test('of two maps that differ in one entry of 20,000 reads two paths', () => {
    const memory = memoryObjects()
    const list = Array.from({ length: 20_000 }, (_, n): LeafEntry => [String(n).padStart(6, '0'), n])
    const root = build(list, memory)
    const edited = memory.run(
      apply(
        root,
        [
          ['010000', 'new'],
          ['010000x', 1],
        ],
        memory,
      ),
    )
    memory.resetCounts()
    expect(memory.run(diff(root, edited))).toHaveLength(2)
    expect(memory.counts.reads).toBeLessThanOrEqual(14)
    memory.resetCounts()
    expect(memory.run(diff(edited, edited))).toEqual([])
    expect(memory.counts.reads).toBe(0)
  })
})

test('a value of many maps is read in as many round trips as one, and shared nodes once', () => {
  const memory = memoryObjects()
  const entries = Array.from({ length: 2_000 }, (_, at): LeafEntry => [
    `key${String(at).padStart(5, '0')}`,
    at,
  ])
  const roots: MapRoot[] = [build(entries, memory)]
  for (let at = 0; at < 50; at++) {
    const key = at % 10 === 9 ? 'key00700' : entries[at * 17]![0]
    roots.push(memory.run(apply(roots.at(-1)!, [[key, { text: at }]], memory)))
  }
  roots.push(null)
  const values = roots.map((root) => memory.run(get(root, 'key00700')))
  memory.resetCounts()
  memory.run(get(roots[0]!, 'key00700'))
  const ofOne = memory.counts.questions
  memory.resetCounts()
  expect(memory.run(getAcross(roots, 'key00700'))).toEqual(values)
  expect(memory.counts.questions).toBe(ofOne)
  // Below the roots most nodes are those of others.
  expect(memory.counts.reads).toBeLessThan(roots.length * 2)
  expect(memory.run(getAcross([], 'key'))).toEqual([])
})

test('concurrent steps share their loads and have their own results', () => {
  const memory = memoryObjects()
  const list = Array.from({ length: 5_000 }, (_, n): LeafEntry => [String(n).padStart(5, '0'), n])
  const root = build(list, memory)
  const small: MapRoot = build([['a', 'b']], memory)
  memory.resetCounts()
  const alone = memory.run(range(root, { from: '01000', to: '01003' }))
  const { questions } = memory.counts
  memory.resetCounts()
  const [one, two, three, none] = memory.run(
    runTogether(
      range(root, { from: '01000', to: '01003' }),
      get(small, 'a'),
      get(root, '04999'),
      get(null, 'x'),
    ),
  )
  expect(one).toEqual(alone)
  expect([two, three, none]).toEqual(['b', 4_999, undefined])
  expect(memory.counts.questions).toBe(questions)
  expect(memory.run(runTogether())).toEqual([])
})

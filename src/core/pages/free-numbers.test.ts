import type { FileId } from '../ids.js'
import { expect, test } from 'vitest'
import { planImport } from './import.js'
import { createNumbering, findFreeNumber } from './free-numbers.js'
import { runSync } from '../merkle/steps.js'
import { defaultConfig } from '../config.js'

test.each([0, 1, 7, 8, 9, 15, 16, 17, 1000, 4095])(
  'behind %i taken ones the next is found, with few looks',
  (count) => {
    let looks = 0
    const search = findFreeNumber(function* (number) {
      yield* []
      looks++
      return number >= count
    })
    expect(search.next()).toEqual({ done: true, value: count })
    expect(looks).toBeLessThan(35)
  },
)

test('equal names are numbered with two lookups each', () => {
  const taken = new Set<string>()
  const numberOf = createNumbering()
  let looks = 0
  const names = Array.from({ length: 1000 }, () => {
    const number = numberOf('a', (one) => {
      looks++
      return !taken.has(`a-${one}`)
    })
    taken.add(`a-${number}`)
    return number
  })
  expect(names).toEqual(names.map((_, index) => index))
  expect(looks).toBeLessThan(2001)
})

test('a table of contents of 20,000 equal bullets is planned', () => {
  const span = { start: 0, end: 0 }
  const bullets = Array.from({ length: 20_000 }, () => ({
    kind: 'page' as const,
    title: 'a',
    children: [],
    span,
  }))
  const groups = bullets.map((bullet) => ({ ...bullet, kind: 'group' as const, title: 'b' }))
  let id = 0
  const step = planImport(
    null,
    { config: defaultConfig, summary: [...bullets, ...groups], entries: new Map() },
    { newId: () => `id${id++}`, newFileId: () => `id${id++}` as FileId, now: 0 },
  )
  const { pages } = runSync(step).plan
  const pathAt = (at: number) => {
    const page = pages.at(at)!
    return page.type === 'link' ? undefined : page.path
  }
  expect([pathAt(19_999), pathAt(-1)]).toEqual(['a-19999', 'b-19999'])
})

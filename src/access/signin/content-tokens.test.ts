/** Content tokens: their size on sites of many spaces. */
import { describe, expect, test } from 'vitest'
import type { SpaceId } from '../../core/ids.js'
import { namedSpaces } from './content-tokens.js'

describe('the spaces that a content token names', () => {
  const spaces = (count: number) => Array.from({ length: count }, (_, at) => `space${at}` as SpaceId)

  test.each([1, 100])('are all of %d', (count) => {
    expect(namedSpaces(spaces(count), 'space0' as SpaceId)).toEqual(spaces(count))
  })

  test.each([
    [101, 'space0', 'space99'],
    [101, 'space100', 'space98'],
    [10_000, 'space5000', 'space98'],
  ])('are a hundred of %d, with the requested one', (count, requested, last) => {
    const named = namedSpaces(spaces(count), requested as SpaceId)
    expect([named.length, new Set(named).size, named[0], named.at(-1)]).toEqual([100, 100, requested, last])
  })
})

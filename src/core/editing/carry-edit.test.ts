import fc from 'fast-check'
import { expect, it } from 'vitest'
import { propertyRuns } from '../merge/testing.js'
import { carryEdit } from './carry-edit.js'
import { applySplices, findSpliceFault } from './splice.js'
import { texts } from './testing.js'

const cases: [name: string, source: string, before: string, after: string, result: string][] = [
  ['a word', 'one _two_\nthree', 'one *two* three', 'one *two* new', 'one _two_\nnew'],
  ['inside of what is written differently', 'a X d', 'a (b) d', 'a (z) d', 'a (z) d'],
  ['over what is written differently', 'a _b_ c _d_', 'a *b* c *d*', 'a new *d*', 'a new _d_'],
  ['an escape with its character', 'a \\- b', 'a - b', 'a + b', 'a + b'],
  ['before an escape', 'a\\-b', 'a-b', 'ax-b', 'ax\\-b'],
  ['at the start and the end', '<b>a</b>', '**a**', 'x **a** y', 'x <b>a</b> y'],
  ['nothing', '_a_', '*a*', '*a*', '_a_'],
]

it.each(cases)('makes an edit in the source: %s', (_, source, before, after, result) => {
  expect(applySplices(source, carryEdit(source, before, after))).toBe(result)
})

it('is the edit itself where the source is formatted, and always one that can be applied', () => {
  fc.assert(
    fc.property(texts, texts, texts, (source, before, after) => {
      expect(applySplices(before, carryEdit(before, before, after))).toBe(after)
      expect(findSpliceFault(source, carryEdit(source, before, after))).toBeUndefined()
      expect(carryEdit(source, before, before)).toEqual([])
    }),
    propertyRuns(300),
  )
})

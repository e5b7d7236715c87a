import fc from 'fast-check'
import { expect, it } from 'vitest'
import { propertyRuns } from '../merge/testing.js'
import { diffTexts } from './diff-texts.js'
import { placesOfSplices, splicesOf, texts } from './testing.js'
import {
  type Splice,
  applySplices,
  composeAll,
  composeSplices,
  findSpliceFault,
  invertSplices,
  joinSplices,
  moveSpan,
} from './splice.js'

const splice = (start: number, end: number, text = ''): Splice => ({ start, end, text })

const faults: [name: string, text: string, splices: Splice[], index: number | undefined, message?: RegExp][] =
  [
    ['none', '', [], undefined],
    ['touching', 'abc', [splice(0, 1), splice(1, 1, 'x'), splice(1, 3)], undefined],
    ['at the end', 'abc', [splice(3, 3, '😀')], undefined],
    ['beyond the end', 'abc', [splice(0, 0, 'x'), splice(3, 4)], 1, /from 0 to 3/],
    ['negative', 'abc', [splice(-1, 1)], 0, /from 0 to 3/],
    ['backwards', 'abc', [splice(2, 1)], 0, /from 0 to 3/],
    ['no whole number', 'abc', [splice(0.5, 1)], 0, /from 0 to 3/],
    ['no number', 'abc', [splice(Number.NaN, 1)], 0, /from 0 to 3/],
    ['overlapping', 'abcdef', [splice(0, 1), splice(2, 4), splice(3, 5)], 2, /at least 4/],
    ['unordered', 'abcdef', [splice(4, 5), splice(0, 1)], 1, /at least 5/],
    ['start in a character', 'a😀b', [splice(2, 4)], 0, /split a character/],
    ['end in a character', 'a😀b', [splice(0, 2)], 0, /split a character/],
    ['around a character', 'a😀b', [splice(1, 3)], undefined],
    ['before a combining mark', 'e\u0301', [splice(1, 2, '\u0300')], undefined],
    ['half a character', 'ab', [splice(0, 0, 'x'), splice(1, 1, '\ud83d')], 1, /half/],
  ]

it.each(faults)('finds the first fault: %s', (_, text, splices, index, message = /(?:)/) => {
  const fault = findSpliceFault(text, splices)
  expect(fault?.index).toBe(index)
  expect(fault?.message ?? '').toMatch(message)
})

it('does not apply what overlaps or ends behind the text', () => {
  expect(() => applySplices('abc', [splice(0, 2), splice(1, 3)])).toThrow(RangeError)
  expect(() => applySplices('abc', [splice(0, 4)])).toThrow(RangeError)
})

it('joins touching splices and drops empty ones', () => {
  expect(
    joinSplices([splice(0, 0), splice(1, 2, 'x'), splice(2, 2, 'y'), splice(2, 4), splice(5, 5)]),
  ).toEqual([splice(1, 4, 'xy')])
})

const settings = propertyRuns(300)

it('joined splices do the same', () => {
  fc.assert(
    fc.property(texts, placesOfSplices, (text, places) => {
      const splices = splicesOf(text, places)
      expect(applySplices(text, joinSplices(splices))).toBe(applySplices(text, splices))
    }),
    settings,
  )
})

it('composed splices do what one after the other does, and the inverse undoes it', () => {
  fc.assert(
    fc.property(texts, placesOfSplices, placesOfSplices, (text, one, other) => {
      const first = splicesOf(text, one)
      const between = applySplices(text, first)
      const second = splicesOf(between, other)
      const after = applySplices(between, second)
      const both = composeSplices(first, second)
      expect(findSpliceFault(text, both)).toBeUndefined()
      expect(applySplices(text, both)).toBe(after)
      expect(joinSplices(both)).toEqual(both)
      expect(applySplices(after, invertSplices(text, both))).toBe(text)
    }),
    settings,
  )
})

it('many edits composed do what they do one after the other, and their inverses undo it in reverse', () => {
  fc.assert(
    fc.property(texts, fc.array(placesOfSplices, { maxLength: 9 }), (text, edits) => {
      let after = text
      const [splices, inverses]: [Splice[][], Splice[][]] = [[], []]
      for (const places of edits) {
        const one = splicesOf(after, places)
        splices.push(one)
        inverses.push(invertSplices(after, one))
        after = applySplices(after, one)
      }
      expect(applySplices(text, composeAll(splices))).toBe(after)
      expect(applySplices(after, composeAll(inverses.toReversed()))).toBe(text)
    }),
    settings,
  )
})

const moved: [name: string, splices: Splice[], start: number, end: number][] = [
  ['behind a longer text', [splice(0, 1, 'xyz')], 5, 8],
  ['before what changes behind it', [splice(8, 9, 'xyz')], 3, 6],
  ['without what is inserted at its ends', [splice(3, 3, 'ab'), splice(6, 6, 'cd')], 5, 8],
  ['with what is inserted inside', [splice(4, 4, 'ab')], 3, 8],
  ['without what is removed at its start', [splice(2, 4)], 2, 4],
  ['without what is removed at its end', [splice(5, 8, 'x')], 3, 5],
  ['empty where all of it is removed', [splice(2, 8)], 2, 2],
]

it.each(moved)('a span is %s', (_, splices, start, end) => {
  expect(moveSpan(splices, { start: 3, end: 6 })).toEqual({ start, end })
})

it('a difference makes one text of the other, without splitting characters; of equal texts there is none', () => {
  fc.assert(
    fc.property(texts, texts, placesOfSplices, (text, other, places) => {
      for (const after of [other, applySplices(text, splicesOf(text, places))]) {
        const splices = diffTexts(text, after)
        expect(findSpliceFault(text, splices)).toBeUndefined()
        expect(applySplices(text, splices)).toBe(after)
      }
      expect(diffTexts(text, text)).toEqual([])
    }),
    settings,
  )
})

it('replaces whole words, and leaves what did not change', () => {
  const before = 'one two three\nfour five\n\nsix\n'
  expect(diffTexts(before, 'one too three\nfour five\n\nsix seven\n')).toEqual([
    splice(4, 7, 'too'),
    splice(28, 28, ' seven'),
  ])
  expect(diffTexts(before, 'one two three\nnew\nfour five\n\nsix\n')).toEqual([splice(14, 14, 'new\n')])
})

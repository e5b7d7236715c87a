/** Ranges of words followed by word diff, and found by quotes. */
import { expect, test } from 'vitest'
import { createSeededRandom } from '../../../dev/fuzz/random.js'
import type { Span } from '../document/types.js'
import { findQuote, quoteOf } from './find-quote.js'
import { followRange } from './follow-range.js'

/** Returns what is left of words in a later text. */
function follow(before: string, after: string, words: string): string | undefined {
  const start = before.indexOf(words)
  const range = followRange(before, after, { start, end: start + words.length })
  return range && after.slice(range.start, range.end)
}

const line = 'The quick brown fox jumps over the lazy dog, and the cat sleeps.'

test.each([
  ['edits elsewhere', line.replace('The quick', 'A very quick'), 'lazy dog', 'lazy dog'],
  ['words inserted inside', line.replace('lazy dog', 'lazy old dog'), 'lazy dog', 'lazy old dog'],
  ['words inserted at the ends', line.replace('lazy dog', 'big lazy dog too'), 'lazy dog', 'lazy dog'],
  ['part of them removed', line.replace('brown ', ''), 'quick brown fox', 'quick fox'],
  ['a correction of a word', line.replace('jumps', 'jumped'), 'jumps', 'jumped'],
  ['marks at the ends', line.replace('The', 'A'), 'dog, ', 'dog, '],
  ['part of a word', line.replace('The', 'A'), 'leep', 'leep'],
  ['their removal', line.replace('lazy ', ''), 'lazy', undefined],
  ['another word in their place', line.replace('lazy', 'brave'), 'lazy', undefined],
  [
    'most of them removed',
    line.replace('quick brown fox jumps ', ''),
    'The quick brown fox jumps',
    undefined,
  ],
  ['half of them left', line.replace('the cat', 'a cat'), 'the cat', 'cat'],
  ['the same word elsewhere', line.replace('over the lazy', 'over a lazy'), 'the', undefined],
])('%s', (_, after, words, expected) => {
  expect(follow(line, after, words)).toBe(expected)
})

/** `OCTAVO_COMMENT_EDITS=1000000` tries so many other edits. */
test('ten thousand random edits leave a range on its own words, or declare it removed', () => {
  const { OCTAVO_COMMENT_EDITS: more } = process.env
  const random = createSeededRandom(more === undefined ? 1 : Date.now())
  let count = 0
  let removed = 0
  let edits = 0
  // Unique, and none a correction of another: they share no beginning and no end.
  const newWord = () => {
    const digits = (count += 1).toString(26).padStart(6, '0').split('')
    const word = digits.map((digit) => 'abcdefghijklmnopqrstuvwxyz'[Number.parseInt(digit, 26)]).join('')
    return `${[...word].toReversed().join('')}${word}`
  }
  const lengthOf = (words: readonly string[]) => words.join('').length
  while (edits < Number(more ?? 10_000)) {
    let words = Array.from({ length: 12 + random.below(30) }, newWord)
    const first = random.below(words.length - 1)
    let own = words.slice(first, first + 1 + random.below(6))
    let text = words.join(' ')
    let range: Span | undefined = {
      start: text.indexOf(own[0]!),
      end: text.indexOf(own.at(-1)!) + own.at(-1)!.length,
    }
    for (let step = 0; step < 20 && range !== undefined; step += 1) {
      edits += 1
      const at = random.below(words.length + 1)
      const deleted = random.percent(60) ? random.below(5) : 0
      const inserted = Array.from(
        { length: deleted === 0 || random.percent(50) ? 1 + random.below(3) : 0 },
        newWord,
      )
      words = words.toSpliced(at, deleted, ...inserted)
      const next = words.join(' ')
      const left = own.filter((word) => words.includes(word))
      range = followRange(text, next, range)
      text = next
      const isLeft = left.length > 0 && lengthOf(left) >= lengthOf(own) / 2
      expect(range !== undefined, text).toBe(isLeft)
      if (range === undefined) removed += 1
      else {
        const found = text.slice(range.start, range.end).split(' ')
        expect([found[0], found.at(-1)]).toEqual([left[0], left.at(-1)])
        // What was inserted between its words belongs to it.
        own = found
      }
    }
  }
  expect(removed).toBeGreaterThan(100)
})

test('signs alone are found where what is around them is unchanged', () => {
  expect(follow('a -- b c', 'a -- b d', '--')).toBe('--')
  expect(follow('a -- b c', 'x -- b c', '--')).toBe('--')
  expect(follow('a -- b c', 'x -- b d', '--')).toBeUndefined()
})

test('a quote is found by its context, and among equal places by number', () => {
  const blocks = [
    { key: '0', words: 'Install the tool, then run the tool.' },
    { key: '1', words: 'Same words' },
    { key: '2', words: 'Same words' },
    { key: '3', words: 'A smile 😀 and a link' },
  ]
  const find = (quote: Parameters<typeof findQuote>[1]) => {
    const place = findQuote(blocks, quote)
    return place && [place.block.key, place.range.start, place.range.end]
  }
  expect(find({ words: 'the tool' })).toEqual(['0', 8, 16])
  expect(find({ words: 'the tool', before: 'then run ' })).toEqual(['0', 27, 35])
  expect(find({ words: 'Same words', occurrence: 1 })).toEqual(['2', 0, 10])
  expect(find({ words: 'smile  and a' })).toEqual(['3', 2, 16])
  expect(find({ words: 'nowhere' })).toBeUndefined()
  for (const block of blocks) {
    for (let start = 0; start < block.words.length; start++) {
      const range = { start, end: start + 1 }
      if (!/[\p{L}\p{N}]/u.test(block.words[start]!)) continue
      const quote = quoteOf(blocks, { block, range })
      expect(findQuote(blocks, quote)).toEqual({ block, range })
    }
  }
})

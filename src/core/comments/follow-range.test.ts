/** Ranges of words followed by word diff, and found by quotes. */
import { expect, test } from 'vitest'
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

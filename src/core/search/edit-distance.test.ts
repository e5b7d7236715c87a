import { expect, test } from 'vitest'
import { editDistance, maxErrors, intactLetters, swapMiddle } from './edit-distance.js'

test.each([
  ['workflow', 'workflow', 0],
  ['worflow', 'workflow', 1],
  ['workkflow', 'workflow', 1],
  ['wirkflow', 'workflow', 1],
  ['wrokflow', 'workflow', 1],
  ['wroklfow', 'workflow', 2],
  ['wrkflw', 'workflow', 2],
  ['wrkfl', 'workflow', undefined],
  ['abcdef', 'fedcba', undefined],
  ['', 'ab', 2],
])('between %s and %s are %s errors', (one, other, errors) => {
  expect(editDistance(one, other, 2)).toBe(errors)
  expect(editDistance(other, one, 2)).toBe(errors)
})

test('words of four letters may have one error, those of eight two', () => {
  expect(['abc', 'abcd', 'abcdefg', 'abcdefgh'].map(maxErrors)).toEqual([0, 1, 1, 2])
})

test('one error leaves the prefix or the suffix of a word intact, or transposes its middle letters', () => {
  for (const word of ['test', 'tests', 'docker', 'cluster']) {
    for (let at = 0; at < word.length; at += 1) {
      const [before, letter, next = '', after] = [
        word.slice(0, at),
        word[at]!,
        word[at + 1],
        word.slice(at + 2),
      ]
      for (const wrong of [
        before + next + after,
        `${before}${letter}x${next}${after}`,
        before + next + letter + after,
      ]) {
        if (wrong === word || maxErrors(wrong) !== 1) continue
        const intact = intactLetters(wrong)
        const isFound =
          word.startsWith(wrong.slice(0, intact)) ||
          word.endsWith(wrong.slice(-intact)) ||
          swapMiddle(wrong) === word
        expect([word, wrong, isFound]).toEqual([word, wrong, true])
      }
    }
  }
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitLines } from '../merge/merge-leaf-block.js'
import { commonEnds, diffTexts } from './diff-texts.js'
import { applySplices } from './splice.js'

const line = fc.constantFrom('', 'a', 'b', 'ab', 'a b', 'c'.repeat(1_500))
const text = fc.tuple(fc.array(line, { maxLength: 6 }), fc.boolean()).map(([lines, isEnded]) => {
  const joined = lines.join('\n')
  return isEnded ? `${joined}\n` : joined
})

test('the splices make the second text of the first', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(applySplices(before, diffTexts(before, after))).toBe(after)
    }),
  )
})

test('what two texts begin and end with is all their equal lines', () => {
  const pair = fc.tuple(text, text).filter(([before, after]) => before !== after)
  fc.assert(
    fc.property(pair, ([before, after]) => {
      const { start, end } = commonEnds(before, after)
      const lines = [before, after].map((one) => splitLines(one).filter((each) => each !== ''))
      const [a, b] = [lines[0]!, lines[1]!]
      let [head, tail] = [0, 0]
      const least = Math.min(a.length, b.length)
      while (head < least && a[head] === b[head]) head++
      while (tail < least - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++
      expect([start, end]).toEqual([
        a.slice(0, head).join('').length,
        a.slice(a.length - tail).join('').length,
      ])
    }),
  )
})

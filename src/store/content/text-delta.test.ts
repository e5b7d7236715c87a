import fc from 'fast-check'
import { expect, it } from 'vitest'
import { applyDelta, encodeDelta } from './text-delta.js'

const bytesOf = (text: string) => Buffer.from(text)
const lineText = (count: number, of = (at: number) => `Line ${at} of the page, long enough to be copied.`) =>
  Array.from({ length: count }, (_, at) => `${of(at)}\n`).join('')

it.each<[what: string, base: string, target: string, maxLength: number]>([
  ['the same text', lineText(9), lineText(9), 4],
  ['a word in the middle', lineText(90), lineText(90).replace('Line 40', 'The line 40'), 24],
  ['a letter at the end', lineText(90), `${lineText(90)}x`, 8],
  ['a deleted line', lineText(90), lineText(90).replace(/Line 40.*\n/, ''), 12],
  ['edits at both ends', lineText(90), `A\n${lineText(90).replace('Line 7 ', 'Line 7, ')}B\n`, 80],
  [
    'a moved section',
    lineText(90),
    lineText(90).replace(/((?:Line 2\d.*\n)+)((?:Line [345]\d.*\n)+)/, '$2$1'),
    120,
  ],
  ['nothing left', lineText(9), '', 0],
  ['no base', '', 'abc', 4],
  ['characters of several bytes', 'ä€😀'.repeat(20), 'ä€😁'.repeat(20), 300],
])('a delta makes the target of its base: %s', (_what, base, target, maxLength) => {
  const delta = encodeDelta(bytesOf(base), bytesOf(target), 10_000)!
  expect(applyDelta(bytesOf(base), delta).toString()).toBe(target)
  expect(delta.length).toBeLessThanOrEqual(maxLength)
})

it('makes the target of any two texts', () => {
  const line = fc.constantFrom('', 'a', 'A longer line of the page', 'Another long line of it', 'ä', '\r')
  const text = fc.array(line, { maxLength: 40 }).map((all) => bytesOf(all.join('\n')))
  fc.assert(
    fc.property(text, text, (base, target) => {
      const delta = encodeDelta(base, target, 1e6)!
      expect(applyDelta(base, delta).equals(target)).toBe(true)
    }),
  )
})

it('is given up when it would be too long', () => {
  expect(
    encodeDelta(bytesOf(lineText(50)), bytesOf(lineText(50, (at) => `Other ${at}`)), 100),
  ).toBeUndefined()
})

it('is refused where it does not fit its base, or ends too early', () => {
  const delta = encodeDelta(bytesOf(lineText(90)), bytesOf(lineText(90) + 'end'), 100)!
  expect(() => applyDelta(bytesOf('short'), delta)).toThrow(RangeError)
  for (const cut of [1, delta.length - 1])
    expect(() => applyDelta(bytesOf(lineText(90)), delta.subarray(0, cut))).toThrow(RangeError)
  expect(() => applyDelta(bytesOf(''), Buffer.alloc(40, 0xff))).toThrow(RangeError)
})

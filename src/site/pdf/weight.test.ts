/** What pages take to be set, beside what the compiler took for them. */
import { expect, test } from 'vitest'
import { estimateMemory } from './weight.js'

const text = 'word '.repeat(100)

/** Megabytes that were measured, beyond those for nothing, for markup of a kind. */
test.each([
  ['plain paragraphs', `<p>${text}</p>`, 1_560, 107],
  ['lists', `<ul>${`<li><p>${'word '.repeat(15)}</p></li>`.repeat(20)}</ul>`, 300, 246],
  ['tables', `<table>${`<tr>${'<td>word word</td>'.repeat(4)}</tr>`.repeat(26)}</table>`, 300, 1_160],
])('%s are weighed as a little less than they take', (_, markup, times, measured) => {
  const megabytes = (estimateMemory(markup) * times) / 1_000
  expect(megabytes).toBeLessThan(measured)
  expect(megabytes).toBeGreaterThan(measured * 0.6)
})

test('what pages weigh is the sum of their parts, and what only looks like a tag is text', () => {
  const [one, two] = ['<ul><li>a</li></ul>', '<p>b</p>']
  expect(estimateMemory(one + two)).toBeCloseTo(estimateMemory(one) + estimateMemory(two))
  expect(estimateMemory('a &lt;td&gt; < b')).toBeLessThan(3)
  expect(estimateMemory('')).toBe(0)
})

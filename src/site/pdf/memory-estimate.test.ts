/** Memory estimates of pages, compared with measurements of the compiler. */
import { expect, test } from 'vitest'
import { estimateMemory } from './memory-estimate.js'

const text = 'word '.repeat(100)

/** Measured megabytes above those of an empty document, by kind of markup. */
test.each([
  ['plain paragraphs', `<p>${text}</p>`, 1_560, 107],
  ['lists', `<ul>${`<li><p>${'word '.repeat(15)}</p></li>`.repeat(20)}</ul>`, 300, 246],
  ['tables', `<table>${`<tr>${'<td>word word</td>'.repeat(4)}</tr>`.repeat(26)}</table>`, 300, 1_160],
])('%s are estimated slightly below their measured memory', (_, markup, times, measured) => {
  const megabytes = (estimateMemory(markup) * times) / 1_000
  expect(megabytes).toBeLessThan(measured)
  expect(megabytes).toBeGreaterThan(measured * 0.6)
})

test('the estimate of a page is the sum of its parts, and text that looks like a tag counts as text', () => {
  const [one, two] = ['<ul><li>a</li></ul>', '<p>b</p>']
  expect(estimateMemory(one + two)).toBeCloseTo(estimateMemory(one) + estimateMemory(two))
  expect(estimateMemory('a &lt;td&gt; < b')).toBeLessThan(3)
  expect(estimateMemory('')).toBe(0)
})

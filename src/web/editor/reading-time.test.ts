import { expect, test } from 'vitest'
import { countWords, readingMinutes } from './reading-time.js'

test.each([
  ['', 0],
  ['One two, three.', 3],
  ['---\ntitle: Not read\n---\n\n# A heading\n\nAnd text', 4],
  ['Run it:\n\n```bash\nnpm install this that\n```\n\nDone', 3],
  ['{% hint style="info" %}\nLook here\n{% endhint %}', 2],
  ['See [the guide](guides/first-page.md "a title") <b>now</b>', 4],
  ['今日は良い天気です', 5],
])('counts the words of %j', (markdown, words) => {
  expect(countWords(markdown)).toBe(words)
})

test('counts what does not end as words', () => {
  const openings = 20_000
  expect(countWords('<a '.repeat(openings) + '{% '.repeat(openings) + ']('.repeat(openings))).toBe(openings)
})

test.each([
  [0, 1],
  [220, 1],
  [600, 3],
])('%d words take %d minutes', (words, minutes) => {
  expect(readingMinutes(words)).toBe(minutes)
})

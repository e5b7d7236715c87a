/** Words replaced in their Markdown. */
import { expect, test } from 'vitest'
import { listWordBlocks } from './word-blocks.js'
import { replaceWords } from './replace-words.js'
import { applySplices } from '../editing/splice.js'

/** Returns the text after the words are replaced, undefined where that is refused. */
function replace(text: string, words: string, replacement: string): string | undefined {
  const block = listWordBlocks(text).find((one) => one.words.includes(words))!
  const start = block.words.indexOf(words)
  const splices = replaceWords(text, block, {
    range: { start, end: start + words.length },
    text: replacement,
  })
  return splices && applySplices(text, splices)
}

const page = `# Title

Some **bold words** and a [link](target.md) stand here.

* An item with \`code\` &amp; more
* Another item

| A | B |
| - | - |
| cell one | cell two |

\`\`\`js
run(1)
stop(2)
\`\`\`
`

test.each([
  ['bold words', 'bold terms', '**bold terms**'],
  ['Some bold words', 'Some bold phrases', 'Some **bold phrases** and'],
  ['words and', 'words or', '**bold words** or a'],
  ['link', 'reference', '[reference](target.md)'],
  ['a link stand', 'no link stand', 'and no [link](target.md) stand'],
  ['a link stand here', 'the [page](other.md) is there', 'and the [page](other.md) is there.'],
  ['Another', 'One more', '* One more item'],
  ['more', 'less', '&amp; less'],
  ['cell two', 'cell three', '| cell one | cell three |'],
  ['stop(2)', 'stop(3)\nwait()', 'run(1)\nstop(3)\nwait()\n```'],
  ['here', '', 'stand .'],
  ['bold words ', '', 'Some and a'],
])('%j becomes %j', (words, replacement, expected) => {
  expect(replace(page, words, replacement)).toContain(expected)
})

test('what would change more is refused', () => {
  expect(replace(page, 'link', 'two\n\nparagraphs')).toBeUndefined()
  expect(replace(page, 'Another item', '')).toBeUndefined()
  expect(replace(page, 'cell one', 'a | b')).toBeUndefined()
})

test('a paragraph is removed as a whole', () => {
  expect(replace('One.\n\nTwo.\n\nThree.\n', 'Two.', '')).toBe('One.\n\nThree.\n')
})

/** Blocks that an edit left as they were, and those that it changed. */
import { expect, test } from 'vitest'
import { findUnchangedBlocks, listBlockSources } from './unchanged-blocks.js'

const text = `# Title

First words.

Some *marked* words with a [link](a.md).

* one
* two

Same.

Same.

Last words.
`

/** Returns the sources in the later text of the top-level blocks that are unchanged. */
function unchangedIn(after: string): string[] {
  const unchanged = findUnchangedBlocks(text, after)
  return listBlockSources(after)
    .filter(({ key }) => unchanged.has(key) && !key.includes('.'))
    .map(({ span }) => after.slice(span.start, span.end).trim())
}

const all = unchangedIn(text)

test('have their sources in the text', () => {
  expect(all).toEqual([
    'First words.',
    'Some *marked* words with a [link](a.md).',
    '* one\n* two',
    'Same.',
    'Same.',
    'Last words.',
  ])
})

test.each([
  ['words', text.replace('First words', 'First few words'), ['First words.']],
  ['marks', text.replace('*marked*', 'marked'), [all[1]!]],
  ['the destination of a link', text.replace('a.md', 'b.md'), [all[1]!]],
  ['an item', text.replace('* two', '* three'), [all[2]!]],
  ['one of two equal blocks', text.replace('Same.', 'Other.'), ['Same.']],
  ['nothing but the way to write it', text.replace('*marked*', '_marked_').replaceAll('* ', '- '), []],
  ['nothing but the order', text.replace('Last words.\n', '').replace('First', 'Last words.\n\nFirst'), []],
])('an edit changes %s', (_, after, changed) => {
  const left = unchangedIn(after).map((source) => source.replaceAll('_', '*').replaceAll('- ', '* '))
  const lost = [...all]
  for (const one of left) lost.splice(lost.indexOf(one), 1)
  expect(lost).toEqual(changed)
})

import { expect, it } from 'vitest'
import { canonicalInlines, hashBlock, hashDocument } from './canonical.js'
import { sourceOf } from './testing.js'

const hashOf = (text: string): string => hashDocument(sourceOf(text))

const equal: [name: string, one: string, other: string][] = [
  ['delimiters', '*a* **b** `c`', '_a_ __b__ ``c``'],
  ['a blank of its own', 'a<b> </b>b', 'a b'],
  ['order of marks', '***a***', '<em><strong>a</strong></em>'],
  ['blanks at the edge of marks', '<b>a </b>b', '**a** b'],
  ['blanks between equal marks', '**a** **b**', '**a b**'],
  ['line breaks and runs of blanks', 'a\nb  c', 'a b c'],
  ['escapes and entities', 'a \\* b &amp; c', 'a * b & c'],
  ['markers of lists', '* a\n* b', '- a\n- b'],
  ['indentation', '-   a\n\n    b', '- a\n\n  b'],
  ['kinds of fences', '~~~js\na\n~~~', '```js\na\n```'],
  ['tables', '|a|b|\n|-|-|\n|c|d|', '| a | b |\n|---|---|\n| c | d |'],
  ['line endings', '- a\r\n- b\r\n\r\nc\r\n', '- a\n- b\n\nc\n'],
  ['references', '[a][b]\n\n[b]: c', '[a](c)'],
  ['emoji', ':smile: a', '😄 a'],
  ['blanks and front matter around', '---\na: b\n---\n\n\nc\n\n\n', 'c'],
  ['quotes of attributes', "{% tabs %}{% tab title='a' %}\nb\n{% endtab %}{% endtabs %}", '{% tabs %}\n{% tab title="a" %}\nb\n{% endtab %}\n{% endtabs %}'],
] // prettier-ignore

it.each(equal)('is equal: %s', (_, one, other) => {
  expect(hashOf(one)).toBe(hashOf(other))
})

const different: [name: string, one: string, other: string][] = [
  ['words', 'a b', 'a c'],
  ['blanks between words', 'a b', 'ab'],
  ['marks', '*a* b', '*a b*'],
  ['breaks', 'a b', 'a  \nb'],
  ['no-break spaces', 'a b', 'a\u00a0b'],
  ['blocks', 'a\n\nb', 'a\nb'],
  ['order of blocks', 'a\n\nb', 'b\n\na'],
  ['levels', '## a', '### a'],
  ['ids of authors', '## a <a id="x"></a>', '## a <a id="y"></a>'],
  ['nesting', '- a\n- b', '- a\n  - b'],
  ['parts', '- a\n\n  b', '- a\n\n- b'],
  ['tight and loose', '- a\n- b', '- a\n\n- b'],
  ['numbers', '1. a', '2. a'],
  ['ticks', '- [ ] a', '- [x] a'],
  ['items without a box', '- [x] a\n- [ ] b', '- [x] a\n- b'],
  ['no-break spaces at the end', 'a\u00a0 b', 'a b'],
  ['destinations', '[a](b)', '[a](c)'],
  ['styles', '{% hint style="info" %}\na\n{% endhint %}', '{% hint style="danger" %}\na\n{% endhint %}'],
  ['code', '```\na\n```', '```\na \n```'],
  ['titles', '# a\n\nb', '# c\n\nb'],
  ['footnotes', 'a[^1]\n\n[^1]: b', 'a[^1]\n\n[^1]: c'],
  ['html', '<object data="a"></object>', '<object data="b"></object>'],
  ['cells', '|a|b|\n|-|-|\n|c||', '|a|b|\n|-|-|\n||c|'],
]

it.each(different)('differs: %s', (_, one, other) => {
  expect(hashOf(one)).not.toBe(hashOf(other))
})

it('ignores blanks beside breaks, and breaks at the end', () => {
  const text = (words: string) => ({ type: 'text' as const, text: words })
  const line = { type: 'break' as const }
  const plain = canonicalInlines([text('a'), line, text('b')])
  expect(canonicalInlines([text(' a '), line, text(' b '), line])).toEqual(plain)
  expect(canonicalInlines([text('a b')])).not.toEqual(plain)
})

it('reads a block once', () => {
  const { blocks } = sourceOf('- a\n- b')
  const memo = new WeakMap()
  const hash = hashBlock(blocks[0]!, memo)
  expect(memo.get(blocks[0]!)).toBe(hash)
  memo.set(blocks[0]!.blocks![0]!, 'other')
  expect(hashBlock(blocks[0]!, memo)).toBe(hash)
  expect(hashBlock({ ...blocks[0]! }, memo)).not.toBe(hash)
})

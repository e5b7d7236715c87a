/** Splitting a Markdown text into chunks, by examples: the kind and the text of each chunk. */
import { expect, test } from 'vitest'
import { type Chunks, splitContainer, splitBlocks } from './chunks.js'

const drawn = ({ chunks }: Chunks): string[] => chunks.map(({ kind, body }) => `${kind}: ${body}`)

test.each<[name: string, text: string, blocks: string[]]>([
  [
    'paragraphs end at blank lines, of whatever length',
    'a\nb\n\n\n \nc',
    ['paragraph: a\nb', 'paragraph: c'],
  ],
  [
    'headings end with their line',
    '# A\ntext\n## B ##\n####### no heading\n#none',
    ['heading: # A', 'paragraph: text', 'heading: ## B ##', 'paragraph: ####### no heading\n#none'],
  ],
  [
    'a line below makes a heading of a paragraph',
    'A\n===\nB\nC\n---\n\nD',
    ['heading: A\n===', 'heading: B\nC\n---', 'paragraph: D'],
  ],
  ['an underline needs something above it', '===\n\n---', ['paragraph: ===', 'divider: ---']],
  [
    'three marks are a divider, two are none',
    '***\n- - -\n_ _ _\n\n**',
    ['divider: ***', 'divider: - - -', 'divider: _ _ _', 'paragraph: **'],
  ],
  [
    'a fence holds what looks like blocks, until one as long',
    '````js\n# no\n```\n\n- no\n````\nafter',
    ['code: ````js\n# no\n```\n\n- no\n````', 'paragraph: after'],
  ],
  ['an unclosed fence goes on to the end', '~~~\na\n\n# b', ['code: ~~~\na\n\n# b']],
  ['backticks with more in their line open nothing', '```a`b\n\nc', ['paragraph: ```a`b', 'paragraph: c']],
  [
    'indented lines are code, with blank ones between',
    '    a\n\n      b\n\nc',
    ['code:     a\n\n      b', 'paragraph: c'],
  ],
  ['indented lines go on a paragraph', 'a\n    b\n\n    c', ['paragraph: a\n    b', 'code:     c']],
  [
    'formulas end with their marks',
    '$$\nx\n\ny\n$$\nafter\n\n$$ x $$ in a line\n\n$$\nopen\n\nend',
    ['math: $$\nx\n\ny\n$$', 'paragraph: after', 'paragraph: $$ x $$ in a line', 'math: $$\nopen\n\nend'],
  ],
  [
    'a formula interrupts a paragraph',
    'a\n$$\nx\n$$\nb',
    ['paragraph: a', 'math: $$\nx\n$$', 'paragraph: b'],
  ],
  [
    'quotes take lazy lines, and end before a block',
    '> a\nb\n> c\n- d\n\n> e\n\n> f',
    ['quote: > a\nb\n> c', 'item -: - d', 'quote: > e', 'quote: > f'],
  ],
  ['a fence ends a quote', '> a\n```\nb\n```', ['quote: > a', 'code: ```\nb\n```']],
  [
    'lists are cut at their items',
    '- a\n- b\n  more\n\n  second\n- c\n\nafter',
    ['item -: - a', 'item -: - b\n  more\n\n  second', 'item -: - c', 'paragraph: after'],
  ],
  [
    'another marker is another list',
    '- a\n* b\n+ c\n1. d\n2. e\n1) f',
    ['item -: - a', 'item *: * b', 'item +: + c', 'item .: 1. d', 'item .: 2. e', 'item ): 1) f'],
  ],
  [
    'what is indented to the content belongs to the item',
    '-   a\n\n    b\n\n   c',
    ['item -: -   a\n\n    b', 'paragraph:    c'],
  ],
  [
    'content that begins far to the right counts from the marker',
    '-      a\n\n  b\n\n d',
    ['item -: -      a\n\n  b', 'paragraph:  d'],
  ],
  ['an item without text', '-\n- a\n\n  b', ['item -: -', 'item -: - a\n\n  b']],
  [
    'a fence in an item that ends goes no further',
    '- ```\n  a\nb\n- c',
    ['item -: - ```\n  a\nb', 'item -: - c'],
  ],
  [
    'a fence below an item',
    '- a\n\n  ```\n  # no\n  ```\n- b',
    ['item -: - a\n\n  ```\n  # no\n  ```', 'item -: - b'],
  ],
  ['a divider is no item', '* a\n* * *\n* b', ['item *: * a', 'divider: * * *', 'item *: * b']],
  [
    'a paragraph is gone on with in an item, until blank',
    '- a\nlazy\n\nnot lazy',
    ['item -: - a\nlazy', 'paragraph: not lazy'],
  ],
  [
    'an ordered list interrupts only with one',
    'a\n2. b\n\nc\n1. d',
    ['paragraph: a\n2. b', 'paragraph: c', 'item .: 1. d'],
  ],
  ['an item needs a space', '-a\n1.b', ['paragraph: -a\n1.b']],
  [
    'tables need a rule',
    '| a | b |\n|---|:-:|\n| 1 | 2 |\n\n| a |\nb',
    ['table: | a | b |\n|---|:-:|\n| 1 | 2 |', 'paragraph: | a |\nb'],
  ],
  ['a rule without a bar above', 'a\n--|--', ['paragraph: a\n--|--']],
  [
    'HTML ends at a blank line or a tag',
    '<div>\na\n</div>\n\n<p>\nb\n{% c %}\n\n<b>c</b> d',
    ['container div: <div>\na\n</div>', 'html: <p>\nb', 'tag: {% c %}', 'html: <b>c</b> d'],
  ],
  [
    'comments hold blank lines',
    '<!-- a\n\nb --> c\nd\n\n<!-- open\n\ne',
    ['html: <!-- a\n\nb --> c', 'paragraph: d', 'html: <!-- open\n\ne'],
  ],
  [
    'footnotes take what is indented',
    '[^1]: a\nb\n\n    c\n\nd',
    ['note: [^1]: a\nb\n\n    c', 'paragraph: d'],
  ],
  [
    'a tag alone is a block of one line',
    'a\n{% embed url="x" %}\nb',
    ['paragraph: a', 'tag: {% embed url="x" %}', 'paragraph: b'],
  ],
  [
    'containers reach to their end, whatever they hold',
    '{% hint %}\na\n\n{% hint %}\nb\n{% endhint %}\n{% endhint %}\nafter',
    ['container hint: {% hint %}\na\n\n{% hint %}\nb\n{% endhint %}\n{% endhint %}', 'paragraph: after'],
  ],
  [
    'an end without a beginning is a tag',
    '{% endhint %}\n\n{% hint %}\na',
    ['tag: {% endhint %}', 'tag: {% hint %}', 'paragraph: a'],
  ],
  [
    'tags in a fence mean nothing',
    '{% hint %}\n```\n{% endhint %}\n```\n{% endhint %}',
    ['container hint: {% hint %}\n```\n{% endhint %}\n```\n{% endhint %}'],
  ],
  [
    'elements that hold blocks are containers',
    '<details>\n\n<summary>a</summary>\n\nb\n\n</details>\n\n<table>\n\n<tr>\n\n</table>\nc',
    [
      'container details: <details>\n\n<summary>a</summary>\n\nb\n\n</details>',
      'container table: <table>\n\n<tr>\n\n</table>',
      'paragraph: c',
    ],
  ],
  [
    'containers in items',
    '- a\n\n  {% hint %}\n  b\n\n  c\n  {% endhint %}\n- d',
    ['item -: - a\n\n  {% hint %}\n  b\n\n  c\n  {% endhint %}', 'item -: - d'],
  ],
  [
    'line endings of Windows',
    'a\r\n\r\n- b\r\n- c\r\n\r\n```\r\nd\r\n```\r\n',
    ['paragraph: a', 'item -: - b', 'item -: - c', 'code: ```\r\nd\r\n```'],
  ],
  [
    'two that close in one line',
    '{% tabs %}{% tab %}\na\n{% endtab %}{% endtabs %}\nb',
    ['container tabs: {% tabs %}{% tab %}\na\n{% endtab %}{% endtabs %}', 'paragraph: b'],
  ],
  [
    'a misplaced end tag',
    '{% tabs %}\n{% tab %}\na\n{% endtabs %}\n{% endtab %}\nb',
    ['container tabs: {% tabs %}\n{% tab %}\na\n{% endtabs %}', 'tag: {% endtab %}', 'paragraph: b'],
  ],
  [
    'an end for what has ended closes nothing else',
    '{% tabs %}\n{% endtabs %}\n{% hint %}\na\n{% endtabs %}\n{% endhint %}',
    [
      'container tabs: {% tabs %}\n{% endtabs %}',
      'container hint: {% hint %}\na\n{% endtabs %}\n{% endhint %}',
    ],
  ],
])('%s', (_name, text, blocks) => {
  expect(drawn(splitBlocks(text))).toEqual(blocks)
})

test.each<[text: string, parts: string[] | null]>([
  [
    '{% hint style="x" %}\na\n\nb\n{% endhint %}',
    ['{% hint style="x" %}', 'paragraph: a', 'paragraph: b', '{% endhint %}'],
  ],
  ['{% hint %} a\n{% endhint %}', null],
  ['{% hint %}\na\n{% endtab %}', null],
  ['{% hint %}\na\n{% endhint %} b', null],
  [
    '<details><summary>s</summary>\n\na\n\n</details>',
    ['<details><summary>s</summary>', 'paragraph: a', '</details>'],
  ],
  [
    '<details>\n\n<summary>s</summary>\n\na\n\n</details>',
    ['<details>\n\n<summary>s</summary>', 'paragraph: a', '</details>'],
  ],
  ['<div>\na\n</div>', ['<div>', 'paragraph: a', '</div>']],
  ['- a', null],
  ['- a\n\n  b', ['', 'paragraph: - a', 'paragraph:   b', '']],
  ['- a\n  - b\n  - c', ['', 'paragraph: - a', 'item -:   - b', 'item -:   - c', '']],
  ['-      a\n\n  b', ['', 'code: -      a', 'paragraph:   b', '']],
  ['10. a\n\n    b', ['', 'paragraph: 10. a', 'paragraph:     b', '']],
  ['- a\n  more', null],
  ['{% hint %}\n{% endhint %}', ['{% hint %}', '{% endhint %}']],
])('opened, %j is what it holds between what begins and ends it', (text, parts) => {
  const opened = splitContainer(splitBlocks(text).chunks[0]!)
  expect(opened ? [opened.head, ...drawn(opened.inner), opened.tail] : null).toEqual(parts)
})

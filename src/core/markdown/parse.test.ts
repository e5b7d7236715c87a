import { expect, it } from 'vitest'
import type { Block } from '../document/types.js'
import { plainText } from '../document/plain-text.js'
import { maxTextLength, parseFragment, parsePage } from './parse.js'

/** Covered by `laws.test.ts` and by the tests of source blocks. */
const coveredElsewhere = new Set(['span', 'id', 'isSource'])

/** A value without what other tests cover. */
function bare(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, member: unknown) => (coveredElsewhere.has(key) ? undefined : member)),
  )
}

const blocksOf = (text: string): unknown => bare(parseFragment(text).document.blocks)

const text = (words: string, ...marks: string[]): unknown =>
  marks.length > 0
    ? { type: 'text', text: words, marks: marks.map((type) => ({ type })) }
    : { type: 'text', text: words }
const paragraph = (...children: unknown[]): unknown => ({
  type: 'paragraph',
  children: children.map((child) => (typeof child === 'string' ? text(child) : child)),
})
const fence = '```js\nlet a\n```'

const blockCases: [name: string, text: string, ...blocks: unknown[]][] = [
  ['paragraph', 'a\nb', paragraph('a\nb')],
  [
    'aligned paragraph',
    '<p align="center">a <strong>b</strong></p>',
    {
      type: 'paragraph',
      align: 'center',
      children: [text('a '), text('b', 'bold')],
    },
  ],
  ['heading', '## A B', { type: 'heading', level: 1, anchor: 'a-b', children: [text('A B')] }],
  [
    'heading levels',
    '# a\n### b\n###### c',
    { type: 'heading', level: 1, anchor: 'a', children: [text('a')] },
    { type: 'heading', level: 2, anchor: 'b', children: [text('b')] },
    { type: 'heading', level: 3, anchor: 'c', children: [text('c')] },
  ],
  [
    'heading anchor',
    '## A <a href="#x-1" id="x-1"></a>',
    { type: 'heading', level: 1, anchor: 'x-1', children: [text('A')] },
  ],
  [
    'heading twice',
    '## 中文 a\n\n## 中文 a',
    { type: 'heading', level: 1, anchor: 'zhong-wen-a', aliases: ['中文-a'], children: [text('中文 a')] },
    { type: 'heading', level: 1, anchor: 'zhong-wen-a-1', aliases: ['中文-a-1'], children: [text('中文 a')] },
  ],
  [
    'aligned heading',
    '<h3 align="right">a</h3>',
    { type: 'heading', level: 2, anchor: 'a', align: 'end', children: [text('a')] },
  ],
  [
    'list',
    '3. a\n4. b',
    {
      type: 'list',
      kind: 'ordered',
      start: 3,
      tight: true,
      items: [{ blocks: [paragraph('a')] }, { blocks: [paragraph('b')] }],
    },
  ],
  [
    'tasks',
    '- [ ] a\n- [x] b',
    {
      type: 'list',
      kind: 'tasks',
      tight: true,
      items: [
        { checked: false, blocks: [paragraph('a')] },
        { checked: true, blocks: [paragraph('b')] },
      ],
    },
  ],
  ['quote, divider', '> a\n\n***', { type: 'blockquote', blocks: [paragraph('a')] }, { type: 'divider' }],
  [
    'hint',
    '{% hint style="warning" icon="bolt" %}\na\n{% endhint %}',
    { type: 'hint', style: 'warning', icon: 'bolt', blocks: [paragraph('a')] },
  ],
  [
    'hint with dashes',
    '{%- hint style="danger" -%}\na\n{%- endhint -%}',
    { type: 'hint', style: 'danger', blocks: [paragraph('a')] },
  ],
  [
    'hint in a list',
    '- a\n\n  {% hint style="info" %}\n  b\n  {% endhint %}',
    {
      type: 'list',
      kind: 'unordered',
      tight: false,
      items: [{ blocks: [paragraph('a'), { type: 'hint', style: 'info', blocks: [paragraph('b')] }] }],
    },
  ],
  [
    'hint in a quote',
    '> {% hint style="info" %}\n> b\n> {% endhint %}',
    { type: 'blockquote', blocks: [{ type: 'hint', style: 'info', blocks: [paragraph('b')] }] },
  ],
  [
    'tabs on one line',
    '{% tabs %}{% tab title="x" %} a *b* {% endtab %}{% endtabs %}',
    { type: 'tabs', tabs: [{ title: 'x', anchor: 'x', blocks: [paragraph('a ', text('b', 'italic'))] }] },
  ],
  [
    'tabs',
    '{% tabs %}\n{% tab title="x \\"y\\" &amp; z" icon="i" %}\na\n{% endtab %}\n\n{% tab title=\'b\' %}\n- c\n{% endtab %}\n{% endtabs %}',
    {
      type: 'tabs',
      tabs: [
        { title: 'x "y" & z', icon: 'i', anchor: 'x-y-and-z', aliases: ['x-y-z'], blocks: [paragraph('a')] },
        {
          title: 'b',
          anchor: 'b',
          blocks: [{ type: 'list', kind: 'unordered', tight: true, items: [{ blocks: [paragraph('c')] }] }],
        },
      ],
    },
  ],
  [
    'stepper',
    '{% stepper %}\n{% step %}\n## A\nb\n{% endstep %}\n{% endstepper %}',
    {
      type: 'stepper',
      steps: [
        { blocks: [{ type: 'heading', level: 1, anchor: 'a', children: [text('A')] }, paragraph('b')] },
      ],
    },
  ],
  [
    'columns',
    '{% columns %}\n{% column width="40%" valign="middle" %}\na\n{% endcolumn %}\n{% column %}\nb\n{% endcolumn %}\n{% endcolumns %}',
    {
      type: 'columns',
      columns: [
        { width: '40%', verticalAlignment: 'middle', blocks: [paragraph('a')] },
        { blocks: [paragraph('b')] },
      ],
    },
  ],
  [
    'expandable',
    '<details open>\n\n<summary>A <b>b</b></summary>\n\nc *d*\n\n</details>',
    {
      type: 'expandable',
      title: [text('A '), text('b', 'bold')],
      anchor: 'a-b',
      open: true,
      blocks: [paragraph('c ', text('d', 'italic'))],
    },
  ],
  ['fence', '```JS\n{% hint %}\n```', { type: 'code', syntax: 'js', code: '{% hint %}' }],
  [
    'fence in a list',
    '- ```\n  {% endtab %} a\n   b\n  ```',
    {
      type: 'list',
      kind: 'unordered',
      tight: true,
      items: [{ blocks: [{ type: 'code', code: '{% endtab %} a\n b' }] }],
    },
  ],
  [
    'code',
    `{% code title="a.js" overflow="wrap" lineNumbers="true" expandable="false" %}\n${fence}\n{% endcode %}`,
    {
      type: 'code',
      syntax: 'js',
      title: 'a.js',
      overflow: 'wrap',
      lineNumbers: true,
      expandable: false,
      code: 'let a',
    },
  ],
  [
    'highlighted code',
    '<pre class="language-ts" data-title="t" data-line-numbers data-overflow="wrap"><code class="lang-ts">a &#x3C; b\n<strong>c\n</strong>d\n</code></pre>',
    {
      type: 'code',
      syntax: 'ts',
      title: 't',
      overflow: 'wrap',
      lineNumbers: true,
      code: 'a < b\nc\nd',
      highlighted: [1],
    },
  ],
  ['math', '$$\na^2\n$$', { type: 'math', formula: 'a^2' }],
  ['math on one line', '$$a^2$$', { type: 'math', formula: 'a^2' }],
  [
    'image',
    '![a](b.png "c")',
    { type: 'images', images: [{ src: 'b.png', alt: 'a', caption: [text('c')] }] },
  ],
  [
    'images',
    '![a](b.png) ![](c.png)',
    { type: 'images', images: [{ src: 'b.png', alt: 'a' }, { src: 'c.png' }] },
  ],
  [
    'figure',
    '<figure><img src="a&amp;b.png" alt="c" width="300"><figcaption><p>d <em>e</em></p></figcaption></figure>',
    {
      type: 'images',
      images: [{ src: 'a&b.png', alt: 'c', width: '300', caption: [text('d '), text('e', 'italic')] }],
    },
  ],
  [
    'dark figure',
    '<figure><picture><source srcset="d.png" media="(prefers-color-scheme: dark)"><img src="l.png" alt=""></picture><figcaption></figcaption></figure>',
    { type: 'images', images: [{ src: 'l.png', srcDark: 'd.png' }] },
  ],
  [
    'dark figure with a space in its name',
    '<figure><picture><source srcset="../a b, c.png 2x, d.png 3x" media="(prefers-color-scheme: dark)"><img src="l.png" alt=""></picture></figure>',
    { type: 'images', images: [{ src: 'l.png', srcDark: '../a b' }] },
  ],
  [
    'framed figures',
    '<div data-full-width="true" data-with-frame="true" align="left"><figure><img src="a"></figure> <figure><img src="b"></figure></div>',
    { type: 'images', align: 'left', fullWidth: true, withFrame: true, images: [{ src: 'a' }, { src: 'b' }] },
  ],
  [
    'framed, with blank lines',
    '<div align="center">\n\n![](a)\n\n</div>',
    { type: 'images', align: 'center', images: [{ src: 'a' }] },
  ],
  [
    'drawing',
    '<img src="a.svg" alt="b" class="gitbook-drawing">',
    { type: 'drawing', src: 'a.svg', alt: 'b' },
  ],
  [
    'file',
    '{% file src="a.pdf" %}\nb *c*\n{% endfile %}',
    { type: 'file', src: 'a.pdf', caption: [text('b '), text('c', 'italic')] },
  ],
  [
    'void tags',
    '{% embed url="https://a" %}\n\n{% file src="b" %}\n\n{% embed url="https://c" %}\nd\n{% endembed %}',
    { type: 'embed', url: 'https://a', caption: [] },
    { type: 'file', src: 'b', caption: [] },
    { type: 'embed', url: 'https://c', caption: [text('d')] },
  ],
  [
    'page card',
    '{% content-ref url="a.md" %}\n[b](a.md)\n{% endcontent-ref %}',
    { type: 'content-ref', url: 'a.md', label: 'b' },
  ],
  [
    'include',
    'a\n{% include "../x y.md" %}\nb',
    paragraph('a'),
    { type: 'reusable-content', src: '../x y.md' },
    paragraph('b'),
  ],
  [
    'if',
    '{% if a == "%} b" && c < 1 %}\nx\n{% endif %}',
    { type: 'if', expression: 'a == "%} b" && c < 1', blocks: [paragraph('x')] },
  ],
  [
    'updates',
    '{% updates format="short" %}\n{% update date="2026-01-31" tags="a, b" %}\nx\n{% endupdate %}\n{% endupdates %}',
    {
      type: 'updates',
      format: 'short',
      updates: [{ date: '2026-01-31', anchor: '2026-01-31', tags: ['a', 'b'], blocks: [paragraph('x')] }],
    },
  ],
  [
    'prompt',
    '{% prompt description="d" icon="i" openInAIProviders="true" defaultExpanded="partial" %}\n```\na\nb\n```\n{% endprompt %}',
    {
      type: 'prompt',
      description: 'd',
      icon: 'i',
      openInAIProviders: true,
      defaultExpanded: 'partial',
      text: 'a\nb',
    },
  ],
  [
    'openapi',
    '{% openapi src="a.yaml" path="/x" method="GET" %}\na\n{% endopenapi %}',
    { type: 'swagger', src: 'a.yaml', path: '/x', method: 'get', blocks: [paragraph('a')] },
  ],
  [
    'openapi operation',
    '{% openapi-operation spec="s" path="/x" method="post" %}\n{% endopenapi-operation %}',
    { type: 'openapi-operation', spec: 's', path: '/x', method: 'post', blocks: [] },
  ],
  [
    'openapi schemas',
    '{% openapi-schemas spec="s" schemas="A,B" grouped="false" %}',
    { type: 'openapi-schemas', spec: 's', schemas: ['A', 'B'], grouped: false, blocks: [] },
  ],
  [
    'openapi webhook',
    '{% openapi-webhook spec="s" name="n" method="post" %}',
    { type: 'openapi-webhook', spec: 's', name: 'n', method: 'post', blocks: [] },
  ],
  [
    'integration',
    '{% @a-b/c-d x="1" y="2" %}',
    { type: 'integration', integration: 'a-b', block: 'c-d', props: { x: '1', y: '2' } },
  ],
  [
    'HTML swallows no tag',
    '<figure><img src="a"></figure>\n{% hint style="info" %}\n```js\na\n\nb\n```\n{% endhint %}',
    { type: 'images', images: [{ src: 'a' }] },
    { type: 'hint', style: 'info', blocks: [{ type: 'code', syntax: 'js', code: 'a\n\nb' }] },
  ],
  [
    'HTML swallows no tag in a quote',
    '> <figure><img src="a"></figure>\n> {% hint style="info" %}\n> b\n> {% endhint %}',
    {
      type: 'blockquote',
      blocks: [
        { type: 'images', images: [{ src: 'a' }] },
        { type: 'hint', style: 'info', blocks: [paragraph('b')] },
      ],
    },
  ],
  ['comment', 'a\n\n<!-- {% hint %} -->\n\nb', paragraph('a'), paragraph('b')],
  ['script', '<script>a</script>', { type: 'html', html: '<script>a</script>' }],
  [
    'HTML blocks',
    '<ul><li>a<li><input type="checkbox" checked>b</ul><blockquote>c</blockquote><hr>',
    {
      type: 'list',
      kind: 'tasks',
      tight: true,
      items: [{ blocks: [paragraph('a')] }, { checked: true, blocks: [paragraph('b')] }],
    },
    { type: 'blockquote', blocks: [paragraph('c')] },
    { type: 'divider' },
  ],
  ['unknown tag', '{% raw %}\na', paragraph('{% raw %}\na')],
  [
    'an unclosed hint',
    '{% hint style="info" %}\na\n\nb',
    { type: 'hint', style: 'info', blocks: [paragraph('a'), paragraph('b')] },
  ],
  [
    'unclosed tabs',
    '{% tabs %}\n{% tab title="A" %}\na\n\n{% tab title="B" %}\nb',
    {
      type: 'tabs',
      tabs: [
        { title: 'A', anchor: 'a', blocks: [paragraph('a')] },
        { title: 'B', anchor: 'b', blocks: [paragraph('b')] },
      ],
    },
  ],
  [
    'an unclosed tab',
    '{% tabs %}\n{% tab title="A" %}\n{% hint style="info" %}\na\n\n{% tab title="B" %}\nb\n{% endtab %}\n{% endtabs %}\n\nc',
    {
      type: 'tabs',
      tabs: [
        { title: 'A', anchor: 'a', blocks: [{ type: 'hint', style: 'info', blocks: [paragraph('a')] }] },
        { title: 'B', anchor: 'b', blocks: [paragraph('b')] },
      ],
    },
    paragraph('c'),
  ],
  [
    'tabs in an unclosed tab',
    '{% tabs %}\n{% tab title="A" %}\n{% tabs %}\n{% tab title="B" %}\nb\n{% endtab %}\n{% endtabs %}\n{% endtabs %}',
    {
      type: 'tabs',
      tabs: [
        {
          title: 'A',
          anchor: 'a',
          blocks: [{ type: 'tabs', tabs: [{ title: 'B', anchor: 'b', blocks: [paragraph('b')] }] }],
        },
      ],
    },
  ],
  [
    'unclosed code',
    '{% code title="a.js" %}\n```js\na\n```\n\nb\n\n```\nc\n```',
    { type: 'code', title: 'a.js', syntax: 'js', code: 'a' },
    paragraph('b'),
    { type: 'code', code: 'c' },
  ],
  [
    'HTML in an unclosed tag',
    '<div>\n{% hint style="info" %}\n\n<b>a</b>\n\n</div>\n\nb',
    {
      type: 'hint',
      style: 'info',
      blocks: [
        { type: 'paragraph', children: [{ type: 'text', text: 'a', marks: [{ type: 'bold' }] }] },
        paragraph('b'),
      ],
    },
  ],
  ['stray end', 'a\n{% endhint %}', paragraph('a'), paragraph('{% endhint %}')],
  ['escaped tag', '\\{% hint %}', paragraph('{% hint %}')],
  [
    'not a tab',
    '{% tabs %}\nx\n{% tab title="a" %}\nb\n{% endtab %}\ny\n{% endtabs %}',
    paragraph('x'),
    { type: 'tabs', tabs: [{ title: 'a', anchor: 'a', blocks: [paragraph('b'), paragraph('y')] }] },
  ],
  ['tab alone', '{% tab title="a" %}\nb\n{% endtab %}', paragraph('b')],
  [
    'crossed',
    '{% hint style="info" %}\n<div>\n{% endhint %}\n</div>\na',
    { type: 'hint', style: 'info', blocks: [] },
    paragraph('a'),
  ],
]

it.each(blockCases)('reads %s', (_, source, ...blocks) => {
  expect(blocksOf(source)).toEqual(blocks)
})

it.each(blockCases)('reads %s with other line ends', (_, source, ...blocks) => {
  const unix = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll('\\r\\n', '\\n'))
  expect(unix(blocksOf(source.replaceAll('\n', '\r\n')))).toEqual(blocks)
})

const inlineCases: [text: string, ...inlines: unknown[]][] = [
  [
    'a **b *c* `d`** ~~e~~',
    text('a '),
    text('b ', 'bold'),
    text('c', 'bold', 'italic'),
    text(' ', 'bold'),
    text('d', 'bold', 'code'),
    text(' '),
    text('e', 'strikethrough'),
  ],
  [
    '<kbd>a</kbd><sub>b</sub><sup>c</sup><u>d</u>',
    text('a', 'keyboard'),
    text('b', 'subscript'),
    text('c', 'superscript'),
    text('d', 'underline'),
  ],
  ['a<br>b  \nc', text('a'), { type: 'break' }, text('b'), { type: 'break' }, text('c')],
  [
    '<mark style="color:orange;background-color:purple;">a *b*</mark>',
    { type: 'text', text: 'a ', marks: [{ type: 'color', text: 'orange', background: 'purple' }] },
    {
      type: 'text',
      text: 'b',
      marks: [{ type: 'color', text: 'orange', background: 'purple' }, { type: 'italic' }],
    },
  ],
  [
    'a :smile: :no_such: `:smile:`',
    text('a '),
    { type: 'emoji', code: '1f604' },
    text(' :no_such: '),
    text(':smile:', 'code'),
  ],
  [
    'Done:tada: 00:1a:ab:cd fe80::a:1',
    text('Done'),
    { type: 'emoji', code: '1f389' },
    text(' 00:1a:ab:cd fe80::a:1'),
  ],
  [
    '\\:a: \\\\:a: :a\\: :a:',
    text(':a: \\'),
    { type: 'emoji', code: '1f170' },
    text(' :a: '),
    { type: 'emoji', code: '1f170' },
  ],
  [
    'https://a.b/:a:/ <https://a.b/:a:>',
    { type: 'link', url: 'https://a.b/:a:/', children: [text('https://a.b/:a:/')] },
    text(' '),
    { type: 'link', url: 'https://a.b/:a:', children: [text('https://a.b/:a:')] },
  ],
  ['&#58;a: \\:a:', text(':a: :a:')],
  [
    '<span data-gb-custom-inline data-tag="emoji" data-code="1f600">😀</span>',
    { type: 'emoji', code: '1f600' },
  ],
  [
    '<i class="fa-bolt" style="color:$primary;">:bolt:</i> <i>a</i>',
    { type: 'icon', icon: 'bolt', color: '$primary' },
    text(' '),
    text('a', 'italic'),
  ],
  [
    '<a href="a.md" class="button secondary" data-icon="x">b</a>',
    { type: 'button', label: 'b', kind: 'secondary', icon: 'x', url: 'a.md' },
  ],
  [
    '<button type="button" class="button primary" data-action="ask" data-query="q?">b</button>',
    { type: 'button', label: 'b', kind: 'primary', action: 'ask', query: 'q?' },
  ],
  [
    '<code class="expression">space.vars.a</code> <code>b</code>',
    { type: 'expression', expression: 'space.vars.a' },
    text(' '),
    text('b', 'code'),
  ],
  ['a $$x$$ b', text('a '), { type: 'inline-math', formula: 'x' }, text(' b')],
  [
    '[a](b.md "mention") <a data-mention href="c">d</a>',
    { type: 'link', url: 'b.md', mention: true, children: [text('a')] },
    text(' '),
    { type: 'link', url: 'c', mention: true, children: [text('d')] },
  ],
  [
    '[a **b**](<c d> "t") [e][f]\n\n[f]: g',
    { type: 'link', url: 'c d', title: 't', children: [text('a '), text('b', 'bold')] },
    text(' '),
    { type: 'link', url: 'g', children: [text('e')] },
  ],
  [
    'a <img src="b" data-size="line"> ![c](d)',
    text('a '),
    { type: 'inline-image', src: 'b', size: 'line' },
    text(' '),
    { type: 'inline-image', src: 'd', alt: 'c' },
  ],
  [
    'a word[^1]\n\n[^1]: n *o*',
    text('a '),
    {
      type: 'annotation',
      identifier: '1',
      children: [text('word')],
      body: [paragraph('n ', text('o', 'italic'))],
    },
  ],
  [
    'a[^1]\n\n[^1]: b[^1]',
    {
      type: 'annotation',
      identifier: '1',
      children: [text('a')],
      body: [
        {
          type: 'paragraph',
          children: [{ type: 'annotation', identifier: '1', children: [text('b')], body: [] }],
        },
      ],
    },
  ],
  [
    'List<T> and <abbr title="x">y</abbr>',
    text('List<T> and '),
    { type: 'inline-html', html: '<abbr title="x">y</abbr>' },
  ],
  ['a</b> `{% endhint %}` \u0000', text('a '), text('{% endhint %}', 'code'), text(' \ufffd')],
  ['**{% hint %}**', text('{% hint %}', 'bold')],
]

it.each(inlineCases)('reads %s', (source, ...inlines) => {
  expect((blocksOf(source) as { children: unknown[] }[])[0]!.children).toEqual(inlines)
})

it.each([
  '# Ti\0tle\n\n## He\0ad <a href="#x" id="a\0b"></a>',
  '`a\0` $$b\0$$ **c\0** :d\0: [e\0](f\0.md "g\0") ![h\0](i\0.png) <j\0@k.test>',
  '```js\0 title="a\0"\nb\0\n```',
  '<p title="a\0">b\0&#0;</p>\n\n<a href="c\0">d\0</a>',
  '<figure><img src="a\0" alt="b\0"><figcaption>c\0</figcaption></figure>',
  '<details><summary>a\0</summary>b\0</details>',
  '<table data-view="cards"><thead><tr><th>a\0</th></tr></thead><tbody><tr><td>b\0</td></tr></tbody></table>',
  '{% tabs %}\n{% tab title="a\0" %}\nb\0\n{% endtab %}\n{% endtabs %}',
  '{% prompt description="a\0" %}\nb\0\n{% endprompt %}',
  `\0${'too long '.repeat(120_000)}`,
])('replaces U+0000 by U+FFFD: %j', (source) => {
  const { document, title, references } = parsePage(source)
  const read = JSON.stringify([document, title, references])
  expect(read).toContain('\ufffd')
  expect(read).not.toContain('\\u0000')
})

it('reads pipe tables', () => {
  const [table] = blocksOf('| a | b |\n|:-:|---|\n| `x\\|y` | <p>c</p><p>d</p> |\n| e |') as Record<
    string,
    unknown
  >[]
  expect(table).toEqual({
    type: 'table',
    view: 'grid',
    columns: [
      { title: [text('a')], type: 'text', align: 'center' },
      { title: [text('b')], type: 'text' },
    ],
    rows: [
      [{ blocks: [paragraph(text('x|y', 'code'))] }, { blocks: [paragraph('c'), paragraph('d')] }],
      [{ blocks: [paragraph('e')] }, { blocks: [] }],
    ],
  })
})

it('reads cards and typed columns', () => {
  const [table] = blocksOf(
    '<table data-view="cards" data-card-size="large" data-full-width="true"><thead><tr><th>A</th><th width="90" data-type="number">N</th>' +
      '<th data-type="checkbox"></th><th data-type="rating" data-max="3"></th><th data-type="select">S<select multiple><option value="o1" label="One" color="red"></option></select></th>' +
      '<th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="files"></th></tr></thead>' +
      '<tbody><tr><td><strong>a</strong></td><td>1.5</td><td>true</td><td>2</td><td><span data-option="o1">One</span></td><td><a href="p.md">p</a></td><td data-object-fit="contain"><a href="i.png">i</a></td></tr></tbody></table>',
  ) as Record<string, unknown>[]
  expect(table).toMatchObject({
    type: 'table',
    view: 'cards',
    cardSize: 'large',
    fullWidth: true,
    columns: [
      { type: 'text' },
      { type: 'number', width: '90' },
      { type: 'checkbox' },
      { type: 'rating', max: 3 },
      { type: 'select', title: [text('S')], options: [{ value: 'o1', label: 'One', color: 'red' }] },
      { type: 'content-ref', hidden: true, cardTarget: true },
      { type: 'files', hidden: true, cardCover: true },
    ],
    rows: [
      [
        { blocks: [paragraph(text('a', 'bold'))] },
        { values: ['1.5'] },
        { values: ['true'] },
        { values: ['2'] },
        { values: ['o1'] },
        { href: 'p.md' },
        { href: 'i.png', values: ['i.png'], objectFit: 'contain' },
      ],
    ],
  })
})

it('parses a table with blank lines as one', () => {
  const blocks = blocksOf('<table>\n\n<tr><td>a\n\n    b</td></tr>\n\n</table>\n\nc') as Block[]
  expect(blocks.map((block) => block.type)).toEqual(['table', 'paragraph'])
})

const titleCases: [text: string, title: string | undefined, characters: string | undefined, rest: string][] =
  [
    ['# A\n\nb', 'A', 'A', 'b'],
    ['---\ntitle: x\n---\n\n# A *b* <a href="#c" id="c"></a>\n\nd\n\n# E', 'A b', 'A *b*', 'd\nE'],
    ['\ufeff# A\r\n\r\nb', 'A', 'A', 'b'],
    ['A\n===\nb', 'A', 'A', 'b'],
    ['<!-- c -->\n\n# A ##\nb', 'A', 'A', 'b'],
    ['b\n\n# A', undefined, undefined, 'b\nA'],
    ['## A', undefined, undefined, 'A'],
    ['', undefined, undefined, ''],
  ]

it.each(titleCases)('finds the title of %j', (source, title, characters, rest) => {
  const page = parsePage(source)
  expect(page.title?.text).toBe(title)
  expect(page.title && source.slice(page.title.span.start, page.title.span.end)).toBe(characters)
  expect(plainText(page.document)).toBe(rest)
})

it.each([
  ['{% content-ref url="a.md" %}', '{% content-ref %}', '{% content-ref %} needs url'],
  ['{% file src="a.pdf" %}', '{% file %}', 'A file needs src'],
  ['<figure><img src="a.png"></figure>', '<figure><img></figure>', 'An image needs src'],
  [
    '{% prompt %}\n```\na\n```\n{% endprompt %}',
    '{% prompt %}\na\n{% endprompt %}',
    'A prompt holds one code fence',
  ],
  [
    '{% prompt %}\n```\na\n```\n{% endprompt %}',
    '{% prompt %}\n```\na\n```\n\n```\nb\n```\n{% endprompt %}',
    'A prompt holds one code fence',
  ],
])('%j has no problem, %j has', (right, wrong, problem) => {
  const problemsOf = (source: string) => parseFragment(source).problems.map(({ message }) => message)
  expect([problemsOf(right), problemsOf(wrong)]).toEqual([[], [problem]])
})

it('gives a code fence the span of its tag, but only to a single one', () => {
  const spans = (source: string) =>
    parseFragment(source).document.blocks.map(({ span }) => source.slice(span.start, span.end))
  const [open, close] = ['{% code title="a" %}\n', '\n{% endcode %}']
  expect(spans(`${open}${fence}${close}`)).toEqual([`${open}${fence}${close}`])
  expect(spans(`${open}${fence}\n\n${fence}${close}`)).toEqual([fence, fence])
})

it('reports problems with their positions', () => {
  const source =
    '{% hint style="pink" %}\na\n{% endhint %}\n\n{% raw %}\n\n<div>\n\n`{% foo %}` [^1]\n\n[^2]: x'
  const problems = parseFragment(source).problems.map(({ span }) => source.slice(span.start, span.end))
  expect(problems).toEqual(['{% hint style="pink" %}', '{% raw %}', '<div>', '[^2]: x'])
})

it('does not parse a text that is too long', () => {
  const page = parsePage('a'.repeat(maxTextLength + 1))
  expect(page.document.blocks.map((block) => block.type)).toEqual(['code'])
  expect(page.problems).toHaveLength(1)
})

it('turns too deeply nested content into text', () => {
  const page = parsePage(`${'>'.repeat(10_000)}word`)
  expect(plainText(page.document)).toContain('word')
  expect(page.problems).toHaveLength(1)
})

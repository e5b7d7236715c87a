/**
 * Growing texts for complexity tests: every construct of the dialect, of tables of contents, of YAML, of paths, of queries and of
 * expressions, repeated, nested, left open, closed without being opened, alternated. A kind produces a text of about any
 * size; a parser may take twice the work for twice the size.
 */

export interface TextKind {
  readonly name: string
  /** A text of about `size` characters. */
  readonly text: (size: number) => string
}

const show = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}…` : text)

function fill(unit: string, size: number): string {
  return unit.repeat(Math.max(1, Math.ceil(size / unit.length)))
}

function repeated(unit: string, before = '', after = ''): TextKind {
  const name = `${show(unit)} again and again${before || after ? ` in ${show(before)} ${show(after)}` : ''}`
  return { name, text: (size) => before + fill(unit, size) + after }
}

/** Numbered, so that no two are equal. */
function counted(name: string, unit: (index: number) => string, after?: (count: number) => string): TextKind {
  return {
    name,
    text(size) {
      const parts: string[] = []
      let length = 0
      for (; length < size; length += parts.at(-1)!.length) parts.push(unit(parts.length))
      return parts.join('') + (after?.(parts.length) ?? '')
    },
  }
}

// prettier-ignore
const atoms: readonly string[] = [
  ...Array.from('`*_~[]()<>#|-=\\&$:"\'!^@%{}+./?;,\t \n\r\0'),
  '**', '__', '~~', '``', '```\n', '~~~\n', '](', '![', '$$', '{%', '%}', '{{', '}}', '<!--', '-->', '<?', '?>',
  '<![CDATA[', ']]>', '</', '<a', '<a ', '<a href="', '<a href=', '</a>', '<br>', '<img src="a">', '<p>', '<td>',
  '<script>', '<style>', '<pre>', '<summary>', '<li>', '<unknown>', '&amp;', '&#38;', '&a', '&#', '&#x',
  '> ', '- ', '+ ', '* ', '1. ', '# ', '## a\n', '- [ ] ', '- a\n', '> a\n', '    a\n', '  \n', '\\\n', '\r\n',
  '---\n', '***\n', '===\n', 'a\n===\n', 'a\n---\n', '|-', '|a', '| a | b |\n', ':a:', ':smile:', '::', 'a@b.c',
  'http://', 'www.', 'mailto:', 'http://a.b/c ', 'a\n', 'a ', 'a', 'é', '中', 'กา', '😀', 'e\u0301', '\u00a0', '\ufeff',
  '*a', 'a*', '**a', '_a', 'a_', '*a_', '~a', '"a', '(a', 'a)', '[a', 'a]', '[a](', '[a][', '[^a]', '[^a]: ', '[a]: ',
  '[a]: b\n', '[a](b)', '[a](<b', '[a](b "', '![a](b)', '<http:', '<a@b', 'aA', 'a.b', 'a-b', 'a_b', "a'b", '../', 'a/',
  '%41', '%e4', '%', 'é*', '`é', '[é', '<é', '&amp;*a*', 'a: b\n', '- a: b\n', 'a:\n', '? a\n', '&a *a ', '[*a,', '{a: ',
  '"a": "b",', '.gitbook/', 'and ', 'a.', 'a+', '!a', '(a)', 'a?b:', 'a=>', '[a,', '1+', 'a&&', '#a', 'C#', '++', '==',
  '> [!NOTE]\n', '{#a}', '## a {#b}\n', '<a id="a">', '<a id="a"></a>\n', '<b id="a">', '{% else %}', '<details>\n```\n', '{% raw %}', '{% endraw %}', '{% tab %}\n', '{% code %}\n', '中**「', '**中）', '中_', "a'**b", '. **',
]

const open = (name: string, attributes = '') => `{% ${name}${attributes} %}\n`
const close = (name: string) => `\n{% end${name} %}\n`
const tag = (name: string, attributes = ''): readonly [string, string] => [
  open(name, attributes),
  close(name),
]
const element = (name: string, attributes = ''): readonly [string, string] => [
  `<${name}${attributes}>`,
  `</${name}>`,
]

// prettier-ignore
const pairs: readonly (readonly [string, string])[] = [
  ...'*|**|***|_|__|~~|`|``|$$|"|\'|```\n|~~~\n'.split('|').map((mark) => [mark, mark] as const),
  ['[', ']'], ['[', '](b)'], ['![', '](b)'], ['[', '][b]'], ['[^', ']'], ['(', ')'], ['{{', '}}'], ['{', '}'],
  ['<!--', '-->'], ['<', '>'], ['<pre><code>', '</code></pre>'], ['<table><tr><td>', '</td></tr></table>'],
  ['<ul><li>', '</li></ul>'], ['<details><summary>a</summary>', '</details>'], ['<div>\n\n', '\n\n</div>\n'],
  ['<figure><img src="a"><figcaption>', '</figcaption></figure>'], ['<table>\n\n', '\n\n</table>\n'],
  ...['a', 'b', 'em', 'code', 'mark', 'span', 'sup', 'p', 'h2', 'blockquote', 'picture', 'select', 'button'].map((name) => element(name)),
  element('a', ' href="b"'), element('span', ' data-tag="emoji" data-code="1f600"'), element('x-y'), element('svg'),
  ...['hint', 'tabs', 'tab', 'stepper', 'step', 'columns', 'column', 'code', 'if', 'updates', 'prompt', 'raw'].map((name) => tag(name)),
  tag('code-tabs'), tag('code-tabs-item'), tag('api-method', ' path="/a"'), tag('api-method-parameter', ' name="a"'), tag('api-method-response-example'),
  [open('if', ' a'), `${open('else')}b${close('if')}`], [open('if', ' a'), `${open('elif', ' b')}b${close('if')}`], element('div', ' id="a"'), element('td', ' id="a"'), element('video', ' src="a"'),
  tag('swagger', ' path="/a"'), tag('swagger-parameter', ' name="a"'), tag('swagger-response'), tag('embed', ' url="b"'), tag('content-ref', ' url="b"'), tag('file', ' src="b"'), tag('@a/b'),
  tag('openapi-operation', ' spec="a" path="/b" method="get"'), tag('include', ' "a.md"'),
  ['<div class="admonition note"><p class="title">a</p>', '</div>'], ['<dl><dt>a</dt><dd>', '</dd></dl>'], ['<span class="katex"><math>', '</math></span>'],
  ['<div><ul role="tablist"><li role="tab">a</li></ul><div role="tabpanel">', '</div></div>'], ['<nav><ul><li><a href="b">c</a>', '</ul></nav>'], ['<section><h2>a</h2>', '</section>'],
  [open('tabs') + open('tab', ' title="a"'), close('tab') + close('tabs')],
  [open('stepper') + open('step'), close('step') + close('stepper')],
] as (readonly [string, string])[]

/** The context of a long run of one construct: `…` is the run. */
// prettier-ignore
const frames = [
  ['[a](…)', 'a/'], ['[a](…)', '('], ['[a](…)', '\\'], ['[a](<…>)', 'a '], ['[a](b "…")', 'a '], ['[a](b "…', '\\"'],
  ['[…](b)', 'a '], ['[…](b)', '!['], ['[…](b)', ']( '], ['![…](b)', ']('], ['[…]: b\n\n[a]', 'a'], ['[a]: …', 'b'],
  ['<a …>b</a>', 'a="b" '], ['<a …>b</a>', 'a '], ['<a …', 'a="b" '], ['<a b="…">', 'a '], ['<a b=…>', 'a'], ['<a b="…', '\\"'],
  ['<img src="…">', 'a/'], ['<img srcset="…">', ' '], ['<picture><source srcset="…" media="dark"><img src="a"></picture>', ', '], ['<picture><source srcset="…" media="dark"><img src="a"></picture>', 'a '],
  ['<a href="…">b</a>', 'a?'], ['<a href="…">b</a>', '&amp;'], ['<a href="…">b</a>', '../'], ['<i class="…">', 'fa-a '],
  ['<mark style="…">a</mark>', 'color:red;'], ['<mark style="…">a</mark>', ';'], ['<span data-tag="emoji" data-code="…"></span>', '1f600-'],
  ['{% hint … %}\na\n{% endhint %}', 'a="b" '], ['{% hint … %}', ','], ['{% hint … %}', '"'], ['{% hint … %}', 'a= '], ['{% hint style="…" %}', '\\"'],
  ['{% embed url="…" %}', 'a/'], ['{% embed url="…" %}', '&'], ['{% file src="…" %}', 'a/'], ['{% file src="…" %}', '%'], ['{% include "…" %}', '../'],
  ['{% if … %}\na\n{% endif %}', 'a && '], ['{% code title="…" %}\n```\na\n```\n{% endcode %}', 'a '], ['{% updates %}{% update tags="…" %}a{% endupdate %}{% endupdates %}', 'a,'],
  ['{% … %}', '@a/'], ['{% … %}', '-'], ['{%…', ' '], ['``` …\na\n```', 'a '], ['``` a …\na\n```', 'b="c" '], ['```a\n…\n```', '$ '], ['$$\n…\n$$', '\\frac{'],
  ['<pre><code>…</code></pre>', '<strong>a\n</strong>'], ['<pre class="language-a"><code>…</code></pre>', 'a\n'], ['<pre …>a</pre>', 'class="a" '],
  ['# …', 'a '], ['# …', '#'], ['# …\n\na', '-'], ['# …\n\na', '`'], ['# …\n\na', '.'], ['# a <a id="…"></a>', 'a'], ['# a {#…}', 'a'], ['# a {…}', '#a '], ['# … {#a}', '{#a '], ['# a {/*…*/}', 'a '], ['<details>\n…', '````\n'], ['{% if a %}…{% endif %}', '{% elif b %}'], ['…\n===\n', 'a '],
  ['| a |\n| - |\n| … |', 'a \\| '], ['| … |\n| - |\n', 'a '], ['> …', 'a\n'], ['- …', 'a\n\n'], ['[^a]\n\n[^a]: …', 'a\n    '], ['<div>\n…\n</div>', 'a\n'],
  ['<div>…</div>', '<br>'], ['<ul>…</ul>', '<li>a'], ['<table>…</table>', '<tr>'], ['<table>…</table>', '<tr><td>a'], ['<table><tr>…</tr></table>', '<td>a</td>'],
  ['<table><thead><tr>…</tr></thead></table>', '<th>a</th>'], ['<table><tr><th data-type="select"><select>…</select></th></tr></table>', '<option>a</option>'],
  ['<table><thead><tr><th data-type="files"></th></tr></thead><tr><td>…</td></tr></table>', '<a href="b">c</a>'],
  ['<details>…</details>', '<summary>a</summary>'], ['<figure>…</figure>', '<img src="a">'], ['<figure>…</figure>', '<b><i>'], ['<p align="center">…</p>', '<img src="a"> '],
  ['---\n…\n---\n\na', 'a'], ['---\n…---\n\na', 'a: b\n'], ['---\na: …\n---\n\na', '['], ['---\na: …\n---\n\na', '{b: '], ['---\na: "…"\n---\n', 'b '], ['---\na: >\n…\n---\n', '  b\n'],
  ['---\n…---\n', '- '], ['---\ncover: …\n---\n', 'a/'], ['---\ntags: […]\n---\n', 'a, '], ['---\nvars: {…}\n---\n', ' '], ['---\n…---\n\na', '# b\n'], ['---\n…', 'a: b\n'],
  ['---\n…---\n', '---- \n'], ['---\na: &a [b]\nc: […]\n---\n', '*a, '], ['* [a](…)', 'a/'], ['* [a](b "…")', 'a '], ['* …', '['], ['* …', '* '], ['* …', '<'], ['* …', '*a'],
  ['* […](a.md)', 'a '], ['## … <a id="a"></a>', 'a'], ['## <a …>', 'id="" '], ['* ```yaml\n  …\n  ```', 'a: b\n  '], ['* [a](b.md)\n…', '  a\n'], ['<!--…-->', 'a\n'],
  ['data:image/png;base64,…', 'AAAA'], ['![](data:image/png;base64,…)', 'AAAA'], ['<img src="data:image/png;base64,…">', 'AAAA'], ['a {{ … }} b', 'a + '], ['{{…', ' {{'],
] as const

// prettier-ignore
const products: readonly TextKind[] = [
  { name: 'a row of many cells and many empty rows', text: (size) => `${fill('|a', size / 4)}\n${fill('|-', size / 4)}\n${fill('|\n', size / 2)}` },
  { name: 'an HTML row of many cells and many empty rows', text: (size) => `<table><tr>${fill('<td>a</td>', size / 2)}</tr>${fill('<tr><td></td></tr>', size / 2)}</table>` },
  { name: 'an HTML head of many cells and rows without', text: (size) => `<table><thead><tr>${fill('<th>a</th>', size / 2)}</tr></thead><tbody>${fill('<tr></tr>', size / 2)}</tbody></table>` },
  { name: 'a table of as many rows as columns', text: (size) => { const side = Math.ceil(Math.sqrt(size / 2)); return `${'|a'.repeat(side)}\n${'|-'.repeat(side)}\n${`${'|b'.repeat(side)}\n`.repeat(side)}` } },
  { name: 'one long definition, used often', text: (size) => `[a]: ${fill('b', size / 2)}\n\n${fill('[a] ', size / 2)}` },
  { name: 'one long footnote, used often', text: (size) => `[^a]: ${fill('b ', size / 2)}\n\n${fill('c[^a] ', size / 2)}` },
  { name: 'one long definition, used in parts read again', text: (size) => `[a]: ${fill('b', size / 2)}\n\n${fill('<div>{% hint %}[a]{% endhint %}</div>\n', size / 2)}` },
  { name: 'one variable of YAML, used often', text: (size) => `---\na: &a ${fill('b', size / 2)}\nc: [${fill('*a, ', size / 2)}]\n---\n` },
  { name: 'many variables of YAML', text: (size) => `---\n${Array.from({ length: size / 14 }, (_, index) => `a${index}: b\n`).join('')}---\n` },
  { name: 'levels of lists', text: (size) => { const depth = Math.ceil(Math.sqrt(size)); return Array.from({ length: depth }, (_, index) => `${'  '.repeat(index)}- a\n`).join('') } },
  { name: 'levels of YAML', text: (size) => { const depth = Math.ceil(Math.sqrt(size)); return `---\n${Array.from({ length: depth }, (_, index) => `${' '.repeat(index)}a:\n`).join('')}---\n` } },
  counted('headings', (index) => `## Heading ${index}\n\n`),
  counted('targets', (index) => `<a id="a${index}"></a> `), counted('targets of blocks', (index) => `<div id="a${index}">\n\n## a${index}\n\n</div>\n\n`), counted('headings with ids', (index) => `## a {#b${index}}\n\n`),
  counted('headings that would be taken', (index) => `## a-${index % 7}\n\n## a\n\n`),
  counted('definitions and their uses', (index) => `[a${index}]: b\n`, (count) => `\n${Array.from({ length: count }, (_, index) => `[a${index}] `).join('')}`),
  counted('footnotes and their uses', (index) => `a[^${index}]\n\n[^${index}]: b\n\n`),
  counted('footnotes in footnotes', (index) => `[^${index}]: a[^${index + 1}]\n\n`),
  counted('footnotes that all say one', (index) => `[^${index}]: [^0]\n\n`),
  counted('words', (index) => `word${index} `), counted('lines', (index) => `line ${index}\n`), counted('paragraphs', (index) => `Paragraph ${index} of some.\n\n`),
  counted('bullets', (index) => `* [Page ${index}](page-${index}.md)\n`), counted('the same bullet', () => '* [Page](page.md)\n'),
  counted('bullets below bullets', (index) => `${'  '.repeat(index % 120)}* [Page ${index}](page-${index}.md)\n`),
  counted('groups', (index) => `## Group ${index}\n\n* [Page](page-${index}.md)\n\n`),
  counted('cells', (index) => `| ${index} `), counted('list items', (index) => `- item ${index}\n`), counted('fences', (index) => `\`\`\`\ncode ${index}\n\`\`\`\n\n`),
  counted('hints', (index) => `{% hint style="info" %}\nHint ${index}\n{% endhint %}\n\n`), counted('tags of many names', (index) => `{% name${index} %} `),
  counted('elements of many names', (index) => `<x-${index}>`), counted('attributes of many names', (index) => (index === 0 ? '<a ' : `b${index}="c" `)),
  counted('notes of HTML', (index) => `<sup><a href="#fn${index}">a</a></sup>`, (count) => `<ol class="footnotes">${Array.from({ length: count }, (_, index) => `<li id="fn${index}">b`).join('')}</ol>`),
  counted('marks of HTML that nobody ended', (index) => `<p><b class="a${index}">`), counted('marks of HTML, all ended by one', (index) => `<b class="a${index}">a<div>`, (count) => '</b>'.repeat(count)),
  counted('parts that headings lead to', (index) => `<h2 id="a${index}">b</h2><p id="c${index}"><a href="#c${index}">d</a></p>`), counted('cells over many rows', (index) => `<tr><td rowspan="${index % 900}" colspan="${index % 90}">a</td><td>b</td></tr>`),
  counted('keys of YAML', (index) => `key${index}: value ${index}\n`), counted('variables in braces', (index) => `{{ a${index} }} `),
]

function frameKind([frame, unit]: readonly [string, string]): TextKind {
  const [before, after] = frame.split('…') as [string, string]
  return repeated(unit, before, after ?? '')
}

function pairKinds([opening, closing]: readonly [string, string]): readonly TextKind[] {
  const name = `${show(opening)} ${show(closing)}`
  const both = opening.length + closing.length
  return [
    { name: `${name} side by side`, text: (size) => fill(`${opening}a${closing}`, size) },
    { name: `${name} with spaces between`, text: (size) => fill(`${opening}a${closing} `, size) },
    {
      name: `${name} nested`,
      text: (size) => {
        const depth = Math.ceil(size / both)
        return `${opening.repeat(depth)}a${closing.repeat(depth)}`
      },
    },
    { name: `${name} left open`, text: (size) => fill(`${opening}a`, size) },
    { name: `${name} never opened`, text: (size) => fill(`a${closing}`, size) },
    { name: `${name} open and closed the other way`, text: (size) => fill(closing + opening, size) },
  ]
}

/** About seven hundred kinds: each construct alone, in its frames and against itself. */
export function everyKind(): readonly TextKind[] {
  const all = [
    ...products,
    ...frames.map(frameKind),
    ...pairs.flatMap(pairKinds),
    ...atoms.map((atom) => repeated(atom)),
  ]
  return [...new Map(all.map((kind) => [kind.name, kind])).values()]
}

/** Some thirty thousand kinds: any two atoms against each other, each atom in each frame and each pair of marks. */
export function* everyCombination(): Iterable<TextKind> {
  for (const first of atoms) for (const second of atoms) yield repeated(first + second)
  for (const [frame] of frames) for (const atom of atoms) yield frameKind([frame, atom])
  for (const [opening, closing] of pairs) {
    for (const atom of atoms) yield repeated(atom, opening, closing)
    for (const [inner, end] of pairs) yield repeated(opening + inner + closing + end)
  }
}

import { describe, expect, test } from 'vitest'
import { plainText } from '../document/plain-text.js'
import { parseFragment, parsePage } from './parse.js'
import { type TextResolver, expandText } from './expand-text.js'

const nothing: TextResolver = {
  destination: () => undefined,
  value: () => undefined,
  specification: () => undefined,
  include: () => undefined,
}
const written = (text: string, answers: Partial<TextResolver>) =>
  expandText(text, parsePage(text), { ...nothing, ...answers })

const page = `---
cover: ../a.png
---

# Title

[a](a.md#x "t"), <a href="a.md">b</a>, ![c](<d e.png>), [ref] and \`[a](a.md)\`

\`\`\`
[a](a.md) <code class="expression">space.vars.a</code>
\`\`\`

{% content-ref url="a.md" %}
[a.md](a.md)
{% endcontent-ref %}\r
<code class="expression">space.vars.a</code>,  <CODE class='expression'>x</CODE>

[ref]: a.md
`

test('unresolved and unchanged references leave the text as it is', () => {
  expect(written(page, {})).toBe(page)
  expect(written(page, { destination: (url) => url })).toBe(page)
})

test('only the destinations are replaced', () => {
  const led = written(page, { destination: (url) => `https://x.test/${url}` })
  expect(led).toBe(
    page
      .replace('../a.png', 'https://x.test/../a.png')
      .replace('(a.md#x "t")', '(https://x.test/a.md#x "t")')
      .replace('href="a.md"', 'href="https://x.test/a.md"')
      .replace('<d e.png>', '<https://x.test/d e.png>')
      .replace('url="a.md"', 'url="https://x.test/a.md"')
      .replace('[a.md](a.md)', '[a.md](https://x.test/a.md)')
      .replace('[ref]: a.md', '[ref]: https://x.test/a.md'),
  )
})

test('expressions are replaced by their values, except in code', () => {
  const values = written(page, { value: (expression) => (expression === 'x' ? '' : '1.2') })
  expect(values).toBe(
    page.replace(
      '\r\n<code class="expression">space.vars.a</code>,  <CODE class=\'expression\'>x</CODE>',
      '\r\n1.2,  ',
    ),
  )
})

test.each([
  'v1.2_beta',
  'https://api.example.com/v1_test?a=b&c=d#e',
  '_under_ *star* **two** `code` ~~gone~~',
  '[a](b) ![c](d) <b>bold</b> &amp; &#65; &copy;',
  'a | b \\ c \\| d',
  '{% hint %} {{ x }} $$x$$ $5',
  'two\nlines',
])('the value %j is literal text in a paragraph, a pipe table and HTML', (value) => {
  const words = value.replace('\n', ' ')
  const tag = '<code class="expression">v</code>'
  for (const around of [
    'a § b',
    '| a | b |\n| - | - |\n| § | c |',
    '<table><tbody><tr><td>§</td></tr></tbody></table>',
  ]) {
    const text = written(around.replace('§', tag), { value: () => value })
    expect(plainText(parseFragment(text).document), text).toContain(words)
  }
})

describe('an include is replaced by its text', () => {
  const tag = '{% include "a.md" %}'
  const include = () => 'One\n\n* two\n\n  three\n'
  test.each([
    ['alone', `a\n\n${tag}\n\nb`, 'a\n\nOne\n\n* two\n\n  three\n\nb'],
    ['as the whole text', tag, 'One\n\n* two\n\n  three'],
    ['between text', `a\n${tag}\nb\n`, 'a\n\nOne\n\n* two\n\n  three\n\nb\n'],
    ['in a list', `* a\n\n  ${tag}\n\n* b`, '* a\n\n  One\n\n  * two\n\n    three\n\n* b'],
    ['as the only content of an item', `1. ${tag}\n2. b`, '1. One\n\n   * two\n\n     three\n\n2. b'],
    ['in a quote', `> a\n>\n> ${tag}`, '> a\n>\n> One\n>\n> * two\n>\n>   three'],
    [
      'in a tab',
      `{% tabs %}\n{% tab title="t" %}\n${tag}\n{% endtab %}\n{% endtabs %}`,
      '{% tabs %}\n{% tab title="t" %}\n\nOne\n\n* two\n\n  three\n\n{% endtab %}\n{% endtabs %}',
    ],
  ])('%s', (_, text, expected) => {
    expect(written(text, { include })).toBe(expected)
  })

  test('not in code, and not when it is unknown', () => {
    const text = `\`\`\`\n${tag}\n\`\`\`\n\n${tag}\n`
    expect(written(text, {})).toBe(text)
    expect(written(text, { include: () => 'x' })).toBe(`\`\`\`\n${tag}\n\`\`\`\n\nx\n`)
  })

  test('its path is replaced with it', () => {
    expect(written(`${tag} [b](b.md)`, { include: () => 'x', destination: () => '/y' })).toBe('x\n\n [b](/y)')
  })
})

test("operations replace their tags, and the author's text stays", () => {
  const text =
    'a\n\n- b\n\n  {% openapi-operation spec="s" path="/x" method="get" %}\n  own\n  {% endopenapi-operation %}\n\nc\n'
  expect(withOperation(text)).toBe('a\n\n- b\n\n  **Get**\n\n  `GET /x`\n\n  own\n  \n\nc\n')
  expect(expandText(text, parsePage(text), nothing)).toBe(text)
})

const withOperation = (text: string) =>
  expandText(text, parsePage(text), { ...nothing, specification: () => '**Get**\n\n`GET /x`' })

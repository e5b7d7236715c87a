import { markdownToMdast } from 'satteri'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { replaceDestinations, type Replacement } from './replace.js'

const urls = [
  'page.md',
  'two%20words.md',
  'two words.md',
  'a(b).md',
  'a(b.md',
  'a)b(.md',
  '((((x))))',
  'back\\slash.md',
  'back\\(paren',
  'end\\',
  '<angle>.md',
  'a&amp;b',
  'a&copy;=1&b',
  'a&b=c',
  '&#65;',
  'quote"s',
  "single's",
  'line\nbreak',
  'tab\there',
  'hash#frag',
  'star*under_score`tick',
  '你好/é.md',
  '',
  '[x](y)',
  'true',
  '- dash',
  'key: value',
  '100%}.md',
  '#comment',
]

interface SyntaxContext {
  readonly syntax: Replacement['syntax']
  readonly before: string
  readonly after: string
  readonly read: (text: string) => unknown
}

const contexts: SyntaxContext[] = [
  { syntax: 'inline', before: 'See [it](', after: ') now', read: (text) => firstUrl(text) },
  { syntax: 'inline', before: 'See [it](', after: ' "title") now', read: (text) => firstUrl(text) },
  { syntax: 'inline', before: '![it](', after: ')', read: (text) => firstUrl(text) },
  { syntax: 'angle', before: 'See [it](<', after: '>) now', read: (text) => firstUrl(text) },
  { syntax: 'definition', before: '[it]\n\n[it]: ', after: ' "title"\n', read: (text) => firstUrl(text) },
  { syntax: 'yaml', before: 'cover: ', after: '\nother: 1\n', read: (text) => parse(text).cover },
  { syntax: 'yaml', before: 'cover: "', after: '"\nother: 1\n', read: (text) => parse(text).cover },
]

describe.each(contexts)('$syntax: $before…$after', (context) => {
  test.each(urls)('%j is parsed back', (url) => {
    // An empty inline destination cannot precede a title, and an empty YAML value is null.
    if (url === '' && context.before === 'See [it](' && context.after !== ') now') return
    const old = context.before.endsWith('"') || context.syntax !== 'yaml' ? 'old.md' : 'old/x.md'
    const text = context.before + old + context.after
    const span = { start: context.before.length, end: context.before.length + old.length }
    const replaced = replaceDestinations(text, [{ span, syntax: context.syntax, url }])
    expect(replaced.startsWith(context.before)).toBe(true)
    expect(replaced.endsWith(context.after)).toBe(true)
    expect(context.read(replaced)).toBe(url)
  })
})

describe('attributes', () => {
  test.each([
    ['<a href="old.md">', 'a"b\'c<d>&amp;', '<a href="a&quot;b&#39;c&lt;d&gt;&amp;amp;">'],
    ['<a href=old.md>', 'a b=c', '<a href=a&#32;b&#61;c>'],
    ['{% embed url="old.md" %}', 'x%}{%', '{% embed url="x&#37;}&#123;%" %}'],
  ])('%s with %s', (text, url, expected) => {
    const start = text.indexOf('old.md')
    const span = { start, end: start + 'old.md'.length }
    expect(replaceDestinations(text, [{ span, syntax: 'attribute', url }])).toBe(expected)
  })
})

test('single-quoted YAML stays single-quoted', () => {
  const span = { start: 7, end: 10 }
  expect(
    replaceDestinations("cover: 'old'", [{ span: { start: 8, end: 11 }, syntax: 'yaml', url: "it's" }]),
  ).toBe("cover: 'it''s'")
  expect(replaceDestinations('cover: old', [{ span, syntax: 'yaml', url: 'new.png' }])).toBe('cover: new.png')
})

test('several are replaced in any order, and nothing else changes', () => {
  const text = '[a](x.md)\r\n\r\n[b](y.md)\u0000 [c](z.md)'
  const at = (name: string, url: string): Replacement => {
    const start = text.indexOf(name)
    return { span: { start, end: start + name.length }, syntax: 'inline', url }
  }
  const replacements = [at('z.md', '3'), at('x.md', '1'), at('y.md', '2')]
  expect(replaceDestinations(text, replacements)).toBe('[a](1)\r\n\r\n[b](2)\u0000 [c](3)')
  expect(
    replaceDestinations(
      text,
      ['x.md', 'y.md', 'z.md'].map((name) => at(name, name)),
    ),
  ).toBe(text)
  expect(() => replaceDestinations(text, [at('x.md', '1'), at('.md', '2')])).toThrow(RangeError)
})

interface Node {
  readonly url?: string
  readonly children?: readonly Node[]
}

/** The URL of the first link, image or definition that the Markdown parser sees. */
function firstUrl(text: string): string | undefined {
  const find = (node: Node): string | undefined =>
    node.url ?? node.children?.map(find).find((url) => url !== undefined)
  return find(markdownToMdast(text) as Node)
}

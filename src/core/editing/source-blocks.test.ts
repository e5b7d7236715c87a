import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parsePage } from '../markdown/parse.js'
import { type SourceBlock, blocksOfSource } from './source-blocks.js'
import { sourceOf, visitSource } from './testing.js'

/** Lines of `type "source"`, indented by their depth. */
function outline(text: string, blocks: readonly SourceBlock[] = sourceOf(text).blocks, depth = 0): string[] {
  return blocks.flatMap(({ type, span, blocks: inner = [] }) => [
    `${'  '.repeat(depth)}${type} ${JSON.stringify(text.slice(span.start, span.end))}`,
    ...outline(text, inner, depth + 1),
  ])
}

const cases: [name: string, text: string, ...outline: string[]][] = [
  [
    'front matter and title',
    '---\ntitle: 😀\n---\n\n# T\n\n## é b\n\nc\n',
    'heading "## é b"',
    'paragraph "c"',
  ],
  ['byte order mark', '\ufeff# T\r\n\r\na\r\nb\r\n', 'paragraph "a\\r\\nb"'],
  ['characters of two units', '😀 a\n\n**😎** e\u0301\n', 'paragraph "😀 a"', 'paragraph "**😎** e\u0301"'],
  [
    'lists',
    '1. a\n   - b\n\n     c\n2. [ ] d\n',
    'list "1. a\\n   - b\\n\\n     c\\n2. [ ] d"',
    '  list-item "1. a\\n   - b\\n\\n     c"',
    '    paragraph "a"',
    '    list "- b\\n\\n     c"',
    '      list-item "- b\\n\\n     c"',
    '        paragraph "b"',
    '        paragraph "c"',
    '  list-item "2. [ ] d"',
    '    paragraph "d"',
  ],
  [
    'quotes and hints of CRLF',
    '> a\r\n> b\r\n\r\n{% hint style="info" %}\r\nc\r\n{% endhint %}\r\n',
    'blockquote "> a\\r\\n> b"',
    '  paragraph "a\\r\\n> b"',
    'hint "{% hint style=\\"info\\" %}\\r\\nc\\r\\n{% endhint %}"',
    '  paragraph "c"',
  ],
  [
    'tabs and columns',
    '{% tabs %}\n{% tab title="a" %}\nb\n{% endtab %}\n{% endtabs %}\n\n{% columns %}\n{% column %}\n## c\n{% endcolumn %}\n{% endcolumns %}\n',
    'tabs "{% tabs %}\\n{% tab title=\\"a\\" %}\\nb\\n{% endtab %}\\n{% endtabs %}"',
    '  tab "{% tab title=\\"a\\" %}\\nb\\n{% endtab %}"',
    '    paragraph "b"',
    'columns "{% columns %}\\n{% column %}\\n## c\\n{% endcolumn %}\\n{% endcolumns %}"',
    '  column "{% column %}\\n## c\\n{% endcolumn %}"',
    '    heading "## c"',
  ],
  [
    'tables',
    '| a | b |\n|---|---|\n| c | |\n| d |\n\n<table><tr><td>e</td><td><p>f</p><p>g</p></td></tr></table>\n',
    'table "| a | b |\\n|---|---|\\n| c | |\\n| d |"',
    '  table-row "c"',
    '    table-cell "c"',
    '      paragraph "c"',
    '    table-cell ""',
    '  table-row "d"',
    '    table-cell "d"',
    '      paragraph "d"',
    '    table-cell ""',
    'table "<table><tr><td>e</td><td><p>f</p><p>g</p></td></tr></table>"',
    '  table-row "e</td><td><p>f</p><p>g"',
    '    table-cell "e"',
    '      paragraph "e"',
    '    table-cell "f</p><p>g"',
    '      paragraph "f"',
    '      paragraph "g"',
  ],
  [
    'what is displayed as its source',
    'a\n\n<object data="b"></object>\n\n{% endhint %}\n\n{% swagger path="/a" method="get" %}\n{% swagger-description %}\nc\n{% endswagger-description %}\n{% endswagger %}\n',
    'paragraph "a"',
    'opaque "<object data=\\"b\\"></object>"',
    'opaque "{% endhint %}"',
    'opaque "{% swagger path=\\"/a\\" method=\\"get\\" %}\\n{% swagger-description %}\\nc\\n{% endswagger-description %}\\n{% endswagger %}"',
  ],
  [
    'a fence that a list item cuts off',
    '- a\n  ```diff\n    b(\n-    "c"\n+    d\n',
    'list "- a\\n  ```diff\\n    b(\\n-    \\"c\\""',
    '  list-item "- a\\n  ```diff\\n    b("',
    '    paragraph "a"',
    '    code "```diff\\n    b("',
    '  list-item "-    \\"c\\""',
    '    paragraph "\\"c\\""',
    'list "+    d"',
    '  list-item "+    d"',
    '    paragraph "d"',
  ],
  ['a code fence of blank lines', '```js\na\n\n\nb\n```\n', 'code "```js\\na\\n\\n\\nb\\n```"'],
]

it.each(cases)('has the blocks of %s with their spans', (_, text, ...expected) => {
  expect(outline(text)).toEqual(expected)
})

it('has attributes, and the bodies of footnotes once', () => {
  const text =
    '## A <a href="#x" id="x"></a>\n\nb[^1] c[^1]\n\n```js\nd\n```\n\n<img src="e.png">\n\n[^1]: f\n\n    - g\n\n[^2]: h\n'
  const { blocks, footnotes } = sourceOf(text)
  expect(blocks.map(({ attributes }) => attributes)).toEqual([
    { level: 1, id: 'x' },
    {},
    { syntax: 'js', code: 'd' },
    { images: [{ src: 'e.png' }] },
  ])
  expect(JSON.stringify(blocks[1]!.inlines)).not.toContain('body')
  expect(
    footnotes.map(({ identifier, span }) => [identifier, text.slice(span.start, span.end).trim()]),
  ).toEqual([
    ['1', '[^1]: f\n\n    - g'],
    ['2', '[^2]: h'],
  ])
  expect(outline(text, footnotes[0]!.blocks)).toEqual([
    'paragraph "f"',
    'list "- g"',
    '  list-item "- g"',
    '    paragraph "g"',
  ])
})

const folder = join(import.meta.dirname, '../../../docs')
const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.md'))
const pages = await Promise.all(
  files
    .filter((_, index) => index % 6 === 1)
    .map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
)

/** Types whose source is a block of that type without what is around it. */
const standalone = new Set(
  'heading list blockquote hint code math divider table tabs stepper columns expandable if prompt'.split(' '),
)

describe.each(pages)('%s', (_, written) => {
  it.each([
    ['as it is', written],
    ['with CRLF', written.replaceAll('\n', '\r\n')],
  ])('%s: spans nest, are disjoint, and hold the source of their block', (_name, text) => {
    const { blocks, frontMatter, title } = sourceOf(text)
    let last = title?.line.end ?? frontMatter?.end ?? 0
    const ends = new Map<SourceBlock | undefined, number>([[undefined, last]])
    visitSource(blocks, (block, parent) => {
      const { start, end } = block.span
      expect(start).toBeGreaterThanOrEqual(ends.get(parent) ?? parent!.span.start)
      expect(end).toBeGreaterThanOrEqual(start)
      expect(end).toBeLessThanOrEqual(parent?.span.end ?? text.length)
      ends.set(parent, end)
      last = Math.max(last, end)
      if (parent === undefined && standalone.has(block.type))
        expect(sourceOf(`\n${text.slice(start, end)}`).blocks.map(({ type }) => type)).toEqual([block.type])
    })
    // No text outside of blocks but definitions, comments and tags.
    expect(
      text
        .slice(last)
        .replace(/^\[\^?[^\]]+\]:.*$|<\/?\w[^>]*>|\{%.*%\}|<!--[^]*?-->/gm, '')
        .trim(),
    ).toBe('')
  })
})

it('converts to the blocks that it came from', () => {
  const bare = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, member: unknown) =>
        ['span', 'anchor', 'aliases', 'href', 'id', 'body'].includes(key) ? undefined : member,
      ),
    )
  for (const [, text] of pages) {
    const { document } = parsePage(text)
    const blocks = blocksOfSource(sourceOf(text).blocks)
    const hasOpaque = JSON.stringify(sourceOf(text).blocks).includes('"opaque"')
    if (!hasOpaque) expect(bare(blocks)).toEqual(bare(document.blocks))
  }
})

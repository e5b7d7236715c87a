import { describe, expect, test } from 'vitest'
import { formatSummary, type SummaryItem } from './summary-format.js'
import { maxSummaryDepth, parseSummary, type SummaryEntry } from './summary.js'

/** One line per entry, two spaces per level: `kind title -> target (label)`. */
function drawn(entries: readonly SummaryItem[], depth = 0): string[] {
  return entries.flatMap((entry) => {
    const target =
      entry.kind === 'page'
        ? entry.file
        : entry.kind === 'link'
          ? entry.url
          : entry.kind === 'group'
            ? entry.slug
            : entry.source
    const label = 'linkTitle' in entry ? ` (${entry.linkTitle})` : ''
    const line = `${'  '.repeat(depth)}${entry.kind} ${entry.title}${target === undefined ? '' : ` -> ${target}`}${label}`
    return [line, ...drawn(entry.children, depth + 1)]
  })
}

function withoutSpans(entries: readonly SummaryEntry[]): unknown[] {
  return entries.map((entry) => {
    const rest = { ...entry, span: undefined, children: withoutSpans(entry.children) }
    // How a destination with special characters is written.
    return entry.kind === 'page' ? { ...rest, literalFile: undefined, isLoose: undefined } : rest
  })
}

const cases: [name: string, text: string, tree: string[], problems?: number][] = [
  ['an empty text', '', []],
  ['only a title', '# Table of contents\n', []],
  ['pages', '# T\n\n* [A](a.md)\n* [B](b.md)\n', ['page A -> a.md', 'page B -> b.md']],
  [
    'nested pages and groups',
    '# T\n\n* [Home](README.md)\n\n## First\n\n* [A](a/README.md)\n  * [B](a/b.md)\n    * [C](a/b/c.md)\n  * [D](a/d.md)\n\n### Second <a href="#two" id="two"></a>\n\n* [E](e.md)\n',
    [
      'page Home -> README.md',
      'group First',
      '  page A -> a/README.md',
      '    page B -> a/b.md',
      '      page C -> a/b/c.md',
      '    page D -> a/d.md',
      'group Second -> two',
      '  page E -> e.md',
    ],
  ],
  [
    'every marker',
    '- [A](a.md)\n+ [B](b.md)\n1. [C](c.md)\n2) [D](d.md)\n',
    ['page A -> a.md', 'page B -> b.md', 'page C -> c.md', 'page D -> d.md'],
  ],
  [
    'tabs',
    '* [A](a.md)\n\t* [B](b.md)\n\t\t* [C](c.md)\n',
    ['page A -> a.md', '  page B -> b.md', '    page C -> c.md'],
  ],
  ['one space opens no level', '* [A](a.md)\n * [B](b.md)\n', ['page A -> a.md', 'page B -> b.md']],
  [
    'wide and uneven indentation',
    '* [A](a.md)\n        * [B](b.md)\n    * [C](c.md)\n* [D](d.md)',
    ['page A -> a.md', '  page B -> b.md', '  page C -> c.md', 'page D -> d.md'],
  ],
  [
    'CRLF and a byte order mark',
    '\ufeff# T\r\n\r\n* [A](a.md)\r\n  * [B](b.md)\r\n',
    ['page A -> a.md', '  page B -> b.md'],
  ],
  [
    'escapes in titles',
    '* [C\\#](c.md)\n* [`code` **bold** _it_ ~~x~~](d.md)\n* [a\\_b &amp; c](e.md)',
    ['page C# -> c.md', 'page code bold it x -> d.md', 'page a_b & c -> e.md'],
  ],
  [
    'emoji',
    '* [🚀 Launch](a.md)\n* [:rocket: Go](b.md)',
    ['page 🚀 Launch -> a.md', 'page :rocket: Go -> b.md'],
  ],
  [
    'literal asterisks',
    '* [2 * 3 * 4](a.md)\n* [snake_case_name](b.md)',
    ['page 2 * 3 * 4 -> a.md', 'page snake_case_name -> b.md'],
  ],
  [
    'brackets in titles',
    '* [\\[BETA\\] x](a.md)\n* [see [1]](b.md)',
    ['page [BETA] x -> a.md', 'page see [1] -> b.md'],
  ],
  ['emphasis around the link', '* **[A](a.md)**', ['page A -> a.md']],
  ['an image in the title', '* [![Logo](x.png) A](a.md)', ['page Logo A -> a.md']],
  [
    'escaped and encoded files',
    '* [A](preface/01\\_intro.md)\n* [B](two%20words.md)\n* [C](<three more words.md>)\n* [D](a\\(1\\).md)\n* [E](x(1).md)',
    [
      'page A -> preface/01_intro.md',
      'page B -> two words.md',
      'page C -> three more words.md',
      'page D -> a(1).md',
      'page E -> x(1).md',
    ],
  ],
  [
    'paths to normalise',
    '* [A](./a/../b.md)\n* [B](/c.md#part)\n* [C](d.md?x#y)\n* [D](e/)',
    ['page A -> b.md', 'page B -> c.md', 'page C -> d.md', 'page D -> e/README.md'],
  ],
  [
    'a path leaving the root',
    '* [A](../../etc/passwd)\n  * [B](b.md)\n* [C](%2e%2e/x)',
    ['page A', '  page B -> b.md', 'page C'],
    2,
  ],
  [
    'links',
    '* [A](https://example.com/x_y)\n  * [B](b.md)\n* [C](mailto:a@b.c)\n* <https://e.org/>',
    [
      'link A -> https://example.com/x_y',
      '  page B -> b.md',
      'link C -> mailto:a@b.c',
      'link https://e.org/ -> https://e.org/',
    ],
  ],
  [
    'labels',
    '* [A](a.md "Short \\"a\\"")\n* [B](b.md \'b\')\n* [C](https://e.org (c))',
    ['page A -> a.md (Short "a")', 'page B -> b.md (b)', 'link C -> https://e.org (c)'],
  ],
  [
    'bullets without link',
    '* Plain *text*\n  * [A](a.md)\n* [B]()',
    ['page Plain text', '  page A -> a.md', 'page B'],
    1,
  ],
  ['a file listed twice', '* [A](a.md)\n* [B](a.md#x)', ['page A -> a.md', 'page B -> a.md']],
  [
    'a link over two lines',
    '* [A long\n  title](a.md)\n* [B](b.md)',
    ['page A long title -> a.md', 'page B -> b.md'],
  ],
  ['numbers inside bullets', '* 1. [A](a.md)\n* - [B](b.md)', ['page A -> a.md', 'page B -> b.md']],
  [
    'pages after a group',
    '* [A](a.md)\n\n## G\n\n* [B](b.md)\n\n***\n\n* [C](c.md)',
    ['page A -> a.md', 'group G', '  page B -> b.md', 'page C -> c.md'],
  ],
  [
    'underlined headings',
    'Title\n=====\n\n* [A](a.md)\n\nGroup\n-----\n\n* [B](b.md)',
    ['page A -> a.md', 'group Group', '  page B -> b.md'],
  ],
  [
    'later single-# headings',
    '# T\n\n* [A](a.md)\n\n# Part\n\n* [B](b.md)',
    ['page A -> a.md', 'group Part', '  page B -> b.md'],
  ],
  ['closing hashes', '## C# ##\n\n* [A](a.md)\n\n## D #\n', ['group C#', '  page A -> a.md', 'group D']],
  [
    'comments, fences, prose and front matter',
    '---\nkey: 1\n---\n# T\n\nSome [words](w.md) here.\n\n<!-- * [X](x.md)\n* [Y](y.md) -->\n\n```\n* [Z](z.md)\n```\n\n* [A](a.md)\n',
    ['page A -> a.md'],
  ],
  [
    'destinations that Markdown does not read',
    '* [A](./a b.md)\n  * [*B*](b (c.md "Nav")\n* [設定](設定 手順.md#部分)\n\n[D](d e.md)\n\n[E](e f.md) and more\n',
    ['page A -> a b.md', '  page B -> b (c.md (Nav)', 'page 設定 -> 設定 手順.md', 'page D -> d e.md'],
  ],
  [
    'no destinations',
    '* [A](b c\n* A](b c)\n* [A] (b c)\n',
    ['page [A](b c', 'page A](b c)', 'page [A] (b c)'],
    3,
  ],
  ['parts of files', '* [A](a.md)\n  * [B](a.md#b "C")\n', ['page A -> a.md', '  page B -> a.md (C)']],
  ['links outside a list', '[Intro](intro.md)\n\n* [A](a.md)', ['page Intro -> intro.md', 'page A -> a.md']],
  [
    'a computed page',
    '* [A](a.md)\n  * ```yaml\n    type: builtin:openapi\n    dependencies:\n      spec:\n        ref:\n          kind: openapi\n          spec: pets\n    ```\n* [B](b.md)',
    [
      'page A -> a.md',
      '  computed pets -> type: builtin:openapi\ndependencies:\n  spec:\n    ref:\n      kind: openapi\n      spec: pets',
      'page B -> b.md',
    ],
  ],
  [
    'a fence without end',
    '* ```yaml\n  type: x\n* [B](b.md)',
    ['computed x -> type: x', 'page B -> b.md'],
    1,
  ],
  ['a fence that is not YAML', '* ```js\n  type: x\n  ```\n* [B](b.md)', ['page B -> b.md'], 1],
  ['YAML that is none', '* ```yaml\n  a: [\n  ```', ['computed Untitled -> a: [']],
]

describe('a table of contents is parsed', () => {
  test.each(cases)('%s', (_, text, tree, problems = 0) => {
    const summary = parseSummary(text)
    expect(drawn(summary.entries)).toEqual(tree)
    expect(summary.problems).toHaveLength(problems)
  })

  test.each(cases)(
    '%s: written and read again it says the same, and the second writing changes nothing',
    (_, text) => {
      const { entries } = parseSummary(text)
      for (const original of [
        text,
        '',
        '\ufeffTitle\n===\n\n- [x](x.md)\n\t- [y](y.md)\n',
        '# T\r\n\r\n1. [x](x.md)\r\n',
      ]) {
        const written = formatSummary(entries, original)
        expect(withoutSpans(parseSummary(written).entries)).toEqual(withoutSpans(entries))
        expect(formatSummary(parseSummary(written).entries, written)).toBe(written)
      }
    },
  )
})

test('spans are the lines of the entry itself', () => {
  const text = '# T\r\n\r\n* [A](a.md)\r\n  * [B\r\n    b](b.md)\r\n'
  const [a] = parseSummary(text).entries
  expect(text.slice(a!.span.start, a!.span.end)).toBe('* [A](a.md)')
  expect(text.slice(a!.children[0]!.span.start, a!.children[0]!.span.end)).toBe('  * [B\r\n    b](b.md)')
})

test('the style of the original is preserved', () => {
  const original =
    '\ufeff# Inhalt\r\n\r\nEin Satz.\r\n\r\n- [A](a.md)\r\n    - [B](b.md)\r\n\r\n### G\r\n\r\n- [C](c.md)\r\n'
  const { entries } = parseSummary(original)
  expect(formatSummary(entries, original)).toBe(original)
  expect(formatSummary(entries.toReversed(), original)).toBe(
    '\ufeff# Inhalt\r\n\r\nEin Satz.\r\n\r\n### G\r\n\r\n- [C](c.md)\r\n\r\n***\r\n\r\n- [A](a.md)\r\n    - [B](b.md)\r\n',
  )
})

test('entries that stay keep their spelling', () => {
  const original = '# T\n\n* [A *b*](a\\_b.md)\n* [C](<c d.md> "E")\n\n## G #\n'
  const { entries } = parseSummary(original)
  const added: SummaryItem = { kind: 'page', title: 'New', file: 'n w.md', children: [] }
  expect(formatSummary([added, ...entries], original)).toBe(
    '# T\n\n* [New](n%20w.md)\n* [A *b*](a\\_b.md)\n* [C](<c d.md> "E")\n\n## G #\n',
  )
})

test('awkward values survive a round trip', () => {
  const titles = [
    'C#',
    '# x',
    '## y ##',
    '*a*',
    'a_b_c',
    '[x](y)',
    'back\\slash',
    '`tick',
    '<b>',
    '&amp;',
    '- dash',
    '1. one',
    'a ~~b~~',
    '"q"',
    'x #',
    '!',
    '![',
    '你好',
    'end\\',
    '***',
    '| a |',
    '{% x %}',
  ]
  const files = [
    'a.md',
    'a b.md',
    '(a.md',
    'a).md',
    'x#y?.md',
    '100%.md',
    'é/ü.md',
    'a:b.md',
    '[a].md',
    'a_b*c.md',
    '<a>.md',
    '&amp;.md',
    'a"b.md',
    'back\\(.md',
  ]
  const entries: SummaryItem[] = titles.flatMap((title, index): SummaryItem[] => [
    { kind: 'page', title, file: `${index}/${files[index % files.length]}`, children: [] },
    {
      kind: 'page',
      title,
      linkTitle: title,
      children: [{ kind: 'link', title, linkTitle: title, url: `https://e.org/${index}`, children: [] }],
    },
  ])
  const groups = titles.map((title): SummaryItem => ({
    kind: 'group',
    title,
    slug: `a"${title.length}&`,
    children: entries,
  }))
  for (const items of [
    entries,
    groups.slice(0, 1),
    titles.map((title): SummaryItem => ({ kind: 'group', title, children: [] })),
  ]) {
    expect(withoutSpans(parseSummary(formatSummary(items)).entries)).toEqual(items)
  }
})

test('a computed page preserves its own title', () => {
  const item: SummaryItem = {
    kind: 'computed',
    title: 'Pet "store"',
    source: 'type: x\nprops:\n  a: 1',
    children: [],
  }
  const [read] = parseSummary(formatSummary([item])).entries
  expect(read).toMatchObject({
    kind: 'computed',
    title: 'Pet "store"',
    source: `title: "Pet \\"store\\""\n${item.source}`,
  })
})

describe('hostile texts give bounded trees', () => {
  const many = 50_000
  const texts: [string, string][] = [
    [
      'nested bullets',
      Array.from({ length: 2000 }, (_, depth) => `${'  '.repeat(depth)}* [a](${depth}.md)`).join('\n'),
    ],
    ['markers in one line', '* '.repeat(many)],
    ['open brackets', `* ${'['.repeat(many)}`],
    ['open links', `* ${'[a](b "'.repeat(many)}`],
    ['parentheses', `* [a](${'('.repeat(many)}`],
    ['ticks', `* ${Array.from({ length: 500 }, (_, length) => '`'.repeat(length)).join(' ')}`],
    ['emphasis', `* ${'*a **b '.repeat(many)}`],
    ['angles', `* ${'<a '.repeat(many)}`],
    ['ampersands', `* ${'&#'.repeat(many)}`],
    ['open comments', '<!--\n'.repeat(many)],
    ['open fences', '* ```yaml\n'.repeat(10_000)],
    ['rules', `${'- '.repeat(many)}x`],
    ['spaces', `* a${' '.repeat(many)}\n${' '.repeat(many)}x`],
    ['anchors', `## ${'<a id="'.repeat(many)}`],
    ['hashes', `## ${'# '.repeat(many)}x`],
    ['line feeds', '\r'.repeat(many)],
    ['surrogates and NUL', `* [\ud800\u0000](\udfff.md)\n`.repeat(100)],
  ]
  test.each(texts)('%s', (_, text) => {
    const { entries } = parseSummary(text)
    expect(depthOf(entries)).toBeLessThanOrEqual(maxSummaryDepth)
  })
})

function depthOf(entries: readonly SummaryEntry[]): number {
  return entries.length === 0 ? 0 : 1 + Math.max(...entries.map((entry) => depthOf(entry.children)))
}

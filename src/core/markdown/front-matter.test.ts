import { expect, it } from 'vitest'
import { maxFrontMatterLength, parseFrontMatter } from './front-matter.js'
import { setFrontMatter, setFrontMatterMember, setFrontMatterMembers, setTitle } from './front-matter-edit.js'
import { parsePage } from './parse.js'

const readCases: [yaml: string, metadata: object][] = [
  [
    'description: a\nicon: fa-bolt\nemoji: 😀\ntitle: T',
    { description: 'a', icon: 'bolt', emoji: '😀', title: 'T' },
  ],
  ['description: >-\n  a\n  b', { description: 'a b' }],
  ['title: "a\\0b\\ud83d"\nicon: "\\0"', { title: 'a\ufffdb\ufffd', icon: '\ufffd' }],
  [
    'title: 2024\nhidden: true\nnoIndex: false\nnoRobotsIndex: "yes"',
    { title: '2024', hidden: true, noIndex: false },
  ],
  ['tags:\n  - a\n  - tag: b\n    primary: true\n  - a', { tags: ['a', 'b'] }],
  ['if: visitor.claims.x == "y"', { condition: 'visitor.claims.x == "y"' }],
  ['vars:\n  a: 1\n  b: x\n  c: true\n  d: [1]', { variables: { a: 1, b: 'x', c: true } }],
  [
    'cover: ../a.png\ncoverDark: ../b.png\ncoverY: -12.5\ncoverHeight: 300',
    { cover: { src: '../a.png', srcDark: '../b.png', yPos: -12.5, height: 300 } },
  ],
  ['cover:\n  light: a.png\n  dark: b.png', { cover: { src: 'a.png', srcDark: 'b.png', yPos: 0 } }],
  [
    'layout:\n  width: wide\n  cover:\n    visible: true\n    size: full\n  title:\n    visible: false\n  outline:\n    visible: true',
    { layout: { width: 'wide', cover: true, coverSize: 'full', title: false, outline: true } },
  ],
  ['layout: 1\ntags: x\nvars: []', {}],
  ['# only a comment', {}],
  ['', {}],
]

it.each(readCases)('reads %j', (yaml, metadata) => {
  for (const newline of ['\n', '\r\n']) {
    const block = `---\n${yaml}${yaml === '' ? '' : '\n'}---\n`.replaceAll('\n', newline)
    const read = parseFrontMatter(`${block}${newline}text`)
    expect(read).toEqual({ span: { start: 0, end: block.length }, metadata, problems: [] })
    expect(parsePage(`${block}${newline}text`).frontMatter).toEqual(read.span)
  }
})

const brokenCases: [name: string, yaml: string][] = [
  ['broken', 'a: [b\nc: d'],
  ['nested in brackets without end', '['.repeat(60_000)],
  ['nested keys that would take seconds to stringify', `${'? '.repeat(200)}a`],
  ['a duplicate key', 'a: 1\na: 2'],
  ['a list', '- a'],
  ['words', 'just words'],
  [
    'a bomb of aliases',
    `a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]`,
  ],
  ['too long', `a: ${'x'.repeat(maxFrontMatterLength)}`],
]

it.each(brokenCases)('finds a problem in front matter that is %s', (_, yaml) => {
  const read = parseFrontMatter(`---\n${yaml}\n---\ntext`)
  expect(read.metadata).toEqual({})
  expect(read.problems).toHaveLength(1)
})

it.each(['', 'text', '---', '---\na: 1', ' ---\na: 1\n---', '----\na: 1\n---', 'x\n---\na: 1\n---'])(
  'sees none in %j',
  (text) => {
    expect(parseFrontMatter(text).span).toBeUndefined()
    expect(parsePage(text).frontMatter).toBeUndefined()
  },
)

const editCases: [text: string, changes: Record<string, unknown>, result: string][] = [
  ['---\na: 1 # one\n\n# about b\nb:   "2"\n---\nx', { b: 3 }, '---\na: 1 # one\n\n# about b\nb: 3\n---\nx'],
  ['---\na: 1\nb: 2\n---\nx', { a: undefined }, '---\nb: 2\n---\nx'],
  ['---\na:\n  - 1\n  - 2\n# c\nb: 2\n---\nx', { a: undefined }, '---\n# c\nb: 2\n---\nx'],
  ['---\na: >-\n  x\n  y\nb: 2\n---\nx', { a: 'z: w' }, '---\na: "z: w"\nb: 2\n---\nx'],
  ['---\na: 1\n---\nx', { c: [1] }, '---\na: 1\nc:\n  - 1\n---\nx'],
  ['---\r\na:\r\nb: 1\r\n---\r\nx', { a: 't', b: 2 }, '---\r\na: t\r\nb: 2\r\n---\r\nx'],
  ['---\na: 1\n---\n\nx', { a: undefined }, 'x'],
  ['x', { a: 'b' }, '---\na: b\n---\n\nx'],
  ['\ufeffx', { a: 'b' }, '\ufeff---\na: b\n---\n\nx'],
  ['x', { a: undefined }, 'x'],
  ['---\n{a: 1, b: 2}\n---\nx', { a: 3 }, '---\na: 3\nb: 2\n---\nx'],
  ['---\na: [\nb: 1\n---\nx', { b: 2 }, '---\na: [\nb: 2\n---\nx'],
]

it.each(editCases)('edits %j by %j', (text, changes, result) => {
  expect(setFrontMatter(text, changes)).toBe(result)
  expect(setFrontMatter(result, changes)).toBe(result)
})

it('removes what it added', () => {
  for (const text of ['x', '\ufeffx\r\ny', '---\na: 1\n---\n\nx', '']) {
    const added = setFrontMatter(text, { description: 'one: "two"\n#three' })
    expect(parseFrontMatter(added).metadata.description).toBe('one: "two"\n#three')
    expect(setFrontMatter(added, { description: undefined })).toBe(text)
  }
})

type Path = Parameters<typeof setFrontMatterMember>[1]
const memberCases: [text: string, path: Path, value: string | boolean | undefined, result: string][] = [
  ['x', ['vars', 'a'], 'b', '---\nvars:\n  a: b\n---\n\nx'],
  [
    '---\nb: 1 # c\n---\nx',
    ['layout', 'cover', 'size'],
    'full',
    '---\nb: 1 # c\nlayout:\n  cover:\n    size: full\n---\nx',
  ],
  // The rest of a mapping stays as it is written: comments, quotes, order, indentation.
  [
    "---\nlayout:\n    title: # why\n        visible: 'x' # here\n    width: wide\nb: 1\n---\n",
    ['layout', 'title', 'visible'],
    false,
    '---\nlayout:\n    title: # why\n        visible: false # here\n    width: wide\nb: 1\n---\n',
  ],
  [
    '---\nlayout:\n  title:\n    visible: true\n---\n',
    ['layout', 'cover', 'mask'],
    'radial',
    '---\nlayout:\n  title:\n    visible: true\n  cover:\n    mask: radial\n---\n',
  ],
  [
    '---\r\nvars:\r\n  a: 1\r\n  b: two\r\n# end\r\n---\r\nx',
    ['vars', 'a'],
    'one',
    '---\r\nvars:\r\n  a: one\r\n  b: two\r\n# end\r\n---\r\nx',
  ],
  ['---\nvars:\n  a: 1\n  b: 2\n---\n', ['vars', 'a'], undefined, '---\nvars:\n  b: 2\n---\n'],
  ['---\nvars:\n  a: 1\nb: 2\n---\n', ['vars', 'a'], undefined, '---\nb: 2\n---\n'],
  ['---\nvars: { a: 1 }\n---\n', ['vars', 'b'], 'c', '---\nvars:\n  a: 1\n  b: c\n---\n'],
  [
    '---\nlayout:\n  title: true\n---\n',
    ['layout', 'title', 'visible'],
    false,
    '---\nlayout:\n  title:\n    visible: false\n---\n',
  ],
  ['---\nvars:\n---\n', ['vars', 'a'], 'b', '---\nvars:\n  a: b\n---\n'],
  [
    '---\nvars:\n  a: |\n    long\n    text\n  b: 1\n---\n',
    ['vars', 'a'],
    'x',
    '---\nvars:\n  a: x\n  b: 1\n---\n',
  ],
  ['---\nvars:\n  a: 1\n---\n', ['vars', 'b'], undefined, '---\nvars:\n  a: 1\n---\n'],
]

it.each(memberCases)('sets a member of a mapping: %#', (text, path, value, result) => {
  expect(setFrontMatterMember(text, path, value)).toBe(result)
  expect(setFrontMatterMember(result, path, value)).toBe(result)
})

it('sets many members, and members of long front matter, in one step with the same meaning', () => {
  const members = Array.from({ length: 40 }, (_, at) => [['vars', `v${at}`], at] as const)
  const many = setFrontMatterMembers('---\nvars:\n  a: 1\n---\nx', members)!
  expect(parseFrontMatter(many).metadata.variables).toEqual({
    a: 1,
    ...Object.fromEntries(members.map(([[, name], value]) => [name, value])),
  })
  const long = `---\n# ${'x'.repeat(9_000)}\nvars: # c\n  a: 1\n---\nx`
  expect(setFrontMatterMembers(long, [[['vars', 'a'], undefined]])).toBe(
    `---\n# ${'x'.repeat(9_000)}\n---\nx`,
  )
  expect(setFrontMatterMembers(long.replace('a: 1', 'a: ['), members)).toBeUndefined()
  expect(setFrontMatterMembers('x', [])).toBe('x')
})

it('leaves invalid YAML alone where a member is set', () => {
  expect(setFrontMatterMember('---\na: [\n---\nx', ['vars', 'a'], 1)).toBeUndefined()
})

const titles = [
  'Plain',
  'a_b *c* `d` [e](f) <g> & &amp; #h #',
  '$$x$$ ~~y~~ a|b \\',
  '1. a',
  '- b',
  '{% hint %} c',
  '中文 😀',
  '![i](j)',
  '[^1]',
  '=== +',
]
const titleTexts: [before: string, after: string][] = [
  ['# ', '\n\ntext *kept*\n'],
  ['#   ', ' ##\ntext'],
  ['\ufeff---\r\na: 1\r\n---\r\n\r\n# ', ' <a href="#i" id="i"></a>\r\n\r\ntext'],
  ['', '\n=====\ntext'],
  ['<!-- c -->\n# ', ''],
]

it('changes only the title', () => {
  for (const title of titles) {
    for (const [before, after] of titleTexts) {
      const changed = setTitle(`${before}Old *title*${after}`, title)
      expect(parsePage(changed).title?.text).toBe(title)
      expect(changed.startsWith(before) && changed.endsWith(after)).toBe(true)
    }
    const named = setTitle('---\ntitle: Old # c\nb: 1\n---\n# Other', title)
    expect(parseFrontMatter(named).metadata.title).toBe(title)
    expect(named.endsWith('\nb: 1\n---\n# Other')).toBe(true)
    expect(setTitle('no title', title)).toBe('no title')
  }
  expect(setTitle('#\ntext', 'A')).toBe('# A\ntext')
  expect(setTitle('# A\n', 'B\nC')).toBe('# B C\n')
})

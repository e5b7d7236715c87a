import { describe, expect, test } from 'vitest'
import { defaultConfig } from '../config.js'
import { parseConfig, redirectSpans } from './gitbook-yaml.js'
import { formatSpaceTags, parseSpaceTags } from './space-tags.js'

const bomb = `a0: &a0 x\n${Array.from({ length: 12 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(', ')}]`).join('\n')}\n`

describe('.gitbook.yaml is parsed', () => {
  const cases: [text: string, expected: object, problems?: number][] = [
    ['', {}],
    ['# only a comment\n', {}],
    ['root: ./docs/\n', { root: 'docs' }],
    ['root: /\n', { root: '' }],
    [
      'root: ./\nstructure:\n  readme: index.md\n  summary: ./toc/SUMMARY.md\n',
      { readme: 'index.md', summary: 'toc/SUMMARY.md' },
    ],
    ['structure:\n', {}],
    [
      'redirects:\n  /old/page: new.md\n  a%20b: ./c.md\n',
      { redirects: { 'old/page': 'new.md', 'a b': 'c.md' } },
    ],
    [
      'redirects:\n  a: ./page.md#sec\n  b: https://example.com//x#y\n  c: ./guide/\n',
      { redirects: { a: 'page.md#sec', b: 'https://example.com//x#y', c: 'guide' } },
    ],
    ['redirects:\n  a: javascript:alert(1)\n  b: //example.com\n  c: mailto:a@b.c\n', {}, 3],
    ['redirects:\n  a: https://\n', {}, 1],
    ['root: ../up\n', {}, 1],
    ['root: [a]\nstructure: x\nredirects: [y]\n', {}, 3],
    ['redirects:\n  ../a: b.md\n  c: ../d\n  e: 3\n', {}, 3],
    ['structure:\n  readme: ""\n', {}, 1],
    ['- a\n- b\n', {}, 1],
    ['just words', {}, 1],
    ['root: [unclosed\n', {}, 1],
    ['root: a\r\nredirects:\r\n  x: y.md\r\n', { root: 'a', redirects: { x: 'y.md' } }],
    ['redirects:\n  __proto__: y.md\n', { redirects: Object.fromEntries([['__proto__', 'y.md']]) }],
    [bomb, {}, 1],
    ['a: '.repeat(90_000), {}, 1],
    ['x: y\n'.repeat(60_000), {}, 1],
    ['['.repeat(100_000), {}, 1],
    ['- '.repeat(100_000), {}, 1],
    [`- ${'? '.repeat(100)}x\n`.repeat(100), {}, 1],
    [`${'{'.repeat(240)}a: 1${'}: 1'.repeat(240)}`, {}, 1],
    [`${'[{'.repeat(120)}a: 1${'}: 1]'.repeat(120)}`, {}, 1],
    [`${' '.repeat(200)}${'['.repeat(240)}`, {}, 1],
    [`${'- '.repeat(120)}${'{a: '.repeat(240)}`, {}, 1],
  ]
  test.each(cases)('%#', (text, expected, problems = 0) => {
    const { config, problems: found } = parseConfig(text)
    expect(config).toEqual({ ...defaultConfig, ...expected })
    if (problems === 0) expect(found).toEqual([])
    else expect(found.length).toBeGreaterThanOrEqual(problems)
  })
})

test('the place of each redirect is known', () => {
  const text = 'root: ./\nredirects:\n  /old/page: a.md\n  "b%20c": d.md\n'
  const found = [...redirectSpans(text)].map(([from, { start, end }]) => [from, text.slice(start, end)])
  expect(found).toEqual([
    ['old/page', '/old/page'],
    ['b c', '"b%20c"'],
  ])
  for (const other of ['', 'redirects: [a]\n', 'redirects: {a: b\n', bomb, '['.repeat(100_000)])
    expect(redirectSpans(other).size).toBe(0)
})

describe('tags', () => {
  test('are parsed in order', () => {
    const text = '- tag: new\n  label: New!\n  icon: star\n  color: blue\n- tag: 2\n- plain\n'
    const { tags, problems } = parseSpaceTags(text)
    expect(tags).toEqual([
      { tag: 'new', label: 'New!', icon: 'star', color: 'blue' },
      { tag: '2', label: '2' },
      { tag: 'plain', label: 'plain' },
    ])
    expect(problems).toEqual([])
    expect(parseSpaceTags(formatSpaceTags(tags)).tags).toEqual(tags)
  })

  test.each(['- label: x\n', '- tag: a\n- tag: a\n', 'a: 1\ntags: x\n', 'word', '- [\n', '- null\n'])(
    '%j has a problem',
    (text) => {
      expect(parseSpaceTags(text).problems.length).toBeGreaterThan(0)
      expect(parseSpaceTags(text).tags.length).toBeLessThan(2)
    },
  )
})

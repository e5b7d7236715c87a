import { describe, expect, test } from 'vitest'
import { relativePath, retarget } from './relative.js'
import { resolveReference } from './resolve.js'

describe('a destination is resolved', () => {
  const from = 'guides/start/first.md'
  const cases: [url: string, meaning: object][] = [
    ['second.md', { kind: 'file', path: 'guides/start/second.md' }],
    ['./second.md', { kind: 'file', path: 'guides/start/second.md' }],
    ['../deep/../other.md#top', { kind: 'file', path: 'guides/other.md', fragment: 'top' }],
    ['../../README.md', { kind: 'file', path: 'README.md' }],
    ['../../../README.md', { kind: 'outside', url: '../../../README.md' }],
    ['%2e%2e/%2e%2e/%2e%2e/etc', { kind: 'outside', url: '%2e%2e/%2e%2e/%2e%2e/etc' }],
    ['..%2f..%2f..%2fetc', { kind: 'outside', url: '..%2f..%2f..%2fetc' }],
    ['/about.md', { kind: 'file', path: 'about.md' }],
    ['/../about.md', { kind: 'outside', url: '/../about.md' }],
    ['a%20b.md', { kind: 'file', path: 'guides/start/a b.md' }],
    ['a b.md', { kind: 'file', path: 'guides/start/a b.md' }],
    ['%E4%BD%A0.md', { kind: 'file', path: 'guides/start/你.md' }],
    ['100%.md', { kind: 'file', path: 'guides/start/100%.md' }],
    ['%E4x%20y.md', { kind: 'file', path: 'guides/start/%E4x y.md' }],
    ['%zz.md', { kind: 'file', path: 'guides/start/%zz.md' }],
    ['x.md?v=1#a%20b', { kind: 'file', path: 'guides/start/x.md', query: 'v=1', fragment: 'a b' }],
    ['x.md#', { kind: 'file', path: 'guides/start/x.md', fragment: '' }],
    ['../', { kind: 'file', path: 'guides/README.md' }],
    ['..', { kind: 'file', path: 'guides/README.md' }],
    ['.', { kind: 'file', path: 'guides/start/README.md' }],
    ['/', { kind: 'file', path: 'README.md' }],
    ['sub/', { kind: 'file', path: 'guides/start/sub/README.md' }],
    [
      'sub',
      {
        kind: 'file',
        path: 'guides/start/sub',
        alternatives: ['guides/start/sub.md', 'guides/start/sub/README.md'],
      },
    ],
    ['a\\b.md', { kind: 'file', path: 'guides/start/a\\b.md' }],
    ['#part', { kind: 'anchor', fragment: 'part' }],
    ['', { kind: 'anchor', fragment: '' }],
    ['?tab=1', { kind: 'file', path: 'guides/start/first.md', query: 'tab=1' }],
    ['https://example.com/a.md', { kind: 'url', url: 'https://example.com/a.md' }],
    ['//example.com/a.md', { kind: 'url', url: '//example.com/a.md' }],
    ['javascript:alert(1)', { kind: 'url', url: 'javascript:alert(1)' }],
    ['mailto:a@example.com', { kind: 'mail', url: 'mailto:a@example.com' }],
    ['/pages/Ab3', { kind: 'page', page: 'Ab3' }],
    ['/pages/Ab3#x', { kind: 'page', page: 'Ab3', fragment: 'x' }],
    ['/files/Ab3', { kind: 'upload', file: 'Ab3' }],
    ['/pages/a/b.md', { kind: 'file', path: 'pages/a/b.md', alternatives: ['a/b.md'] }],
    ['./new-page.md', { kind: 'file', path: 'guides/start/new-page.md' }],
    ['https://docs.test/s/Sp1/a/b#c', { kind: 'space', space: 'Sp1', path: 'a/b', fragment: 'c' }],
    ['https://docs.test/s/Sp1', { kind: 'space', space: 'Sp1', path: '' }],
    ['https://docs.test/login', { kind: 'url', url: 'https://docs.test/login' }],
  ]
  test.each(cases)('%s', (url, meaning) => {
    expect(resolveReference(from, url, { applications: ['https://docs.test'] })).toEqual(meaning)
  })

  test('a folder means its own page, by the configured name', () => {
    expect(resolveReference('a.md', 'b/', { readme: 'index.md' })).toEqual({
      kind: 'file',
      path: 'b/index.md',
    })
  })

  test('the root folder means the first page, where that is another file', () => {
    const options = { firstPage: { folder: 'docs', file: 'docs/intro.md' } }
    const readings = (url: string) => {
      const resolved = resolveReference('docs/a/b.md', url, options)
      return resolved.kind === 'file' && [resolved.path, ...(resolved.alternatives ?? [])]
    }
    expect(readings('../')).toEqual(['docs/intro.md', 'docs/README.md'])
    expect(readings('/docs')).toEqual(['docs', 'docs.md', 'docs/intro.md', 'docs/README.md'])
    expect(readings('./')).toEqual(['docs/a/README.md'])
  })
})

describe('a link is retargeted to another file', () => {
  const cases: [url: string, from: string, to: string, written: string][] = [
    ['b.md#x', 'a.md', 'c/b.md', 'c/b.md#x'],
    ['./b.md', 'a.md', 'c/b.md', './c/b.md'],
    ['./b.md', 'x/a.md', 'c/b.md', '../c/b.md'],
    ['/b.md?q#x', 'x/a.md', 'c/d.md', '/c/d.md?q#x'],
    ['guides/', 'a.md', 'manual/README.md', 'manual/'],
    ['guides/', 'a.md', 'manual/intro.md', 'manual/intro.md'],
    ['./', 'x/a.md', 'x/README.md', './'],
    ['b.md', 'a.md', 'two words (1).md', 'two%20words%20(1).md'],
    ['b.md', 'a.md', '100%#?.md', '100%25%23%3F.md'],
    ['b.md', 'a.md', 'note: this.md', './note:%20this.md'],
    ['b.md', 'a.md', '日本語.md', '日本語.md'],
    ['/b.md', 'a.md', 'pages/intro', 'pages/intro'],
  ]
  test.each(cases)('%s in %s to %s is %s', (url, from, to, written) => {
    expect(retarget(url, from, to)).toBe(written)
    expect(resolveReference(from, written)).toMatchObject({ kind: 'file', path: to })
  })
})

test('in any tree the relative path resolves to the file', () => {
  const random = generator(7)
  const names = [
    'a',
    'b c',
    'd%20',
    '100%',
    'x#y',
    'q?',
    'é',
    '你好',
    'n:m',
    "o'k",
    '(p)',
    '.dot',
    'back\\slash',
    '&amp;',
    '<t>',
    'u\u00a0v',
  ]
  const path = () => {
    const folders = Array.from({ length: random(4) }, () => names[random(names.length)]!)
    return [...folders, names[random(names.length)]! + ['', '.md', '.png'][random(3)]!].join('/')
  }
  for (let round = 0; round < 5000; round++) {
    const from = path()
    const to = path()
    expect(resolveReference(from, relativePath(from, to))).toMatchObject({ kind: 'file', path: to })
    const written = ['./old.md#part', '/old.md#part', '../old.md#part', 'old/#part'][random(4)]!
    expect(resolveReference(from, retarget(written, from, to))).toMatchObject({
      kind: 'file',
      path: to,
      fragment: 'part',
    })
  }
})

function generator(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return (state >>> 8) % below
  }
}

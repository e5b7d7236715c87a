import { describe, expect, test } from 'vitest'
import { byteLength } from '../bytes.js'
import { childrenPrefix, linkKey, linksPrefix, orderKey, readLinkKey, readOrderKey } from './keys.js'
import {
  childrenFolder,
  fileForSlug,
  isInclude,
  isReservedFile,
  isTextPath,
  maxNameBytes,
  ownFolder,
  pathOfFile,
  shortenName,
  slugify,
} from './paths.js'
import type { PageId } from '../ids.js'
import { defaultConfig } from '../config.js'
import type { ContentConfig } from '../config.js'
import type { DocumentPage, GroupPage } from './types.js'

const inDocs: ContentConfig = { ...defaultConfig, root: 'docs', readme: 'index.md', summary: 'nav/toc.md' }

test.each([
  ['Hello World', 'hello-world'],
  ['  What’s new in v2.1? ', 'whats-new-in-v2-1'],
  ['日本語 の ページ', '日本語-の-ページ'],
  ['Crème brûlée', 'crème-brûlée'],
  ['Cre\u0300me', 'crème'],
  ['हिन्दी', 'हिन्दी'],
  ['⚠️ Warning 1️⃣', 'warning-1'],
  ['C++ & C#', 'c-c'],
  ['a/b\\c\u0000d', 'a-b-c-d'],
  ['../..', 'page'],
  ['🚀', 'page'],
  ['', 'page'],
  ['--a--', 'a'],
  ['\ud800x', 'x'],
  ['x'.repeat(300), 'x'.repeat(100)],
  [`${'x'.repeat(99)} y`, 'x'.repeat(99)],
  ['𠮷'.repeat(60), '𠮷'.repeat(50)],
  ['安'.repeat(100), '安'.repeat(66)],
])('the slug of %j is %j', (title, slug) => {
  expect(slugify(title)).toBe(slug)
  expect(slugify(slug)).toBe(slug)
})

test.each([
  ['a/b.md', 'a/b'],
  ['a/README.md', 'a'],
  ['README.md', 'readme'],
  ['a/readme.md', 'a/readme'],
  ['Some Folder/Ünï (1).md', 'Some Folder/Ünï (1)'],
  ['x.markdown', 'x'],
  ['v1.2/notes', 'v1.2/notes'],
])('the file %s is the page %s', (file, path) => {
  expect(pathOfFile(file, defaultConfig)).toBe(path)
})

test.each([
  ['docs/a/b.md', 'a/b'],
  ['docs/a/README.md', 'a'],
  ['docs/a/index.md', 'a/index'],
  ['docs/index.md', 'index'],
  ['docs/README.md', 'readme'],
  ['elsewhere.md', 'elsewhere'],
])('below docs, with index.md for the first page, the file %s is the page %s', (file, path) => {
  expect(pathOfFile(file, inDocs)).toBe(path)
})

describe('folders', () => {
  const document = (file: string): DocumentPage => ({ type: 'document', file }) as DocumentPage
  const group = { type: 'group', path: 'guide' } as GroupPage

  test.each([
    [null, '', 'docs', null],
    [document('docs/index.md'), '', 'docs', null],
    [document('docs/a.md'), '', 'docs/a', 'docs/a'],
    [document('docs/a/README.md'), '', 'docs/a', 'docs/a'],
    [document('docs/a/index.md'), '', 'docs/a/index', 'docs/a/index'],
    [document('docs/v1.2/x.md'), '', 'docs/v1.2/x', 'docs/v1.2/x'],
    [group, '', 'docs/guide', 'docs/guide'],
  ])('of the children of %j', (parent, _, folder, own) => {
    expect(childrenFolder(parent, inDocs)).toBe(folder)
    if (parent) expect(ownFolder(parent, inDocs)).toBe(own)
  })

  test('a page keeps the form of its file under another slug', () => {
    expect(fileForSlug('docs', 'new', inDocs)).toBe('docs/new.md')
    expect(fileForSlug('', 'new', defaultConfig, document('a/old.md'))).toBe('new.md')
    expect(fileForSlug('', 'new', defaultConfig, document('a/README.md'))).toBe('new/README.md')
    expect(fileForSlug('', 'new', defaultConfig, document('README.md'))).toBe('new.md')
  })

  test('names that would be mistaken for something else are reserved', () => {
    const reserved = ['a/readme.md', 'summary.md', 'a/b.md', 'a/README.md', 'a/summary.md']
    expect(reserved.map((file) => isReservedFile(file, defaultConfig))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
    expect(isReservedFile('docs/nav/TOC.md', inDocs)).toBe(true)
  })

  test('texts are distinguished from files by their path', () => {
    const texts = ['a.md', 'A.MD', '.gitbook.yaml', 'x/.gitbook/vars.yaml', '.gitbook/includes/x.md']
    expect(texts.every(isTextPath)).toBe(true)
    expect(
      ['a.yaml', '.gitbook/assets/x.yaml', 'docs/.gitbook/assets/x.md', 'md', 'a.png'].some(isTextPath),
    ).toBe(false)
    expect(isInclude('docs/.gitbook/includes/x.md', inDocs)).toBe(true)
    expect(isInclude('.gitbook/includes/x.md', inDocs)).toBe(false)
  })
})

test('keys are reversible, and group related entries', () => {
  const page = 'p1' as PageId
  expect(readOrderKey(orderKey(null, 'a0', page))).toEqual({ parent: null, position: 'a0', id: page })
  expect(orderKey('x' as PageId, 'a0', page).startsWith(childrenPrefix('x' as PageId))).toBe(true)
  expect(orderKey(null, 'a0', page) < orderKey(null, 'a0V', page)).toBe(true)
  for (const source of [{ page }, { text: '.gitbook/includes/a b.md' }]) {
    expect(readLinkKey(linkKey('a b/c.md', source))).toEqual({ target: 'a b/c.md', source })
    expect(linkKey('a.md', source).startsWith(linksPrefix('a.md'))).toBe(true)
    expect(linkKey('a.md.md', source).startsWith(linksPrefix('a.md'))).toBe(false)
  }
})

test.each([
  '',
  'abc',
  'é',
  '漢字',
  '😀',
  'a😀b',
  '\ud800',
  '\udc00\ud800',
  '\ud83dx',
  'mixed é 漢 😀 \ud800!',
])('the length of %j in bytes is what an encoder makes of it', (text) => {
  expect(byteLength(text)).toBe(new TextEncoder().encode(text).length)
})

test.each([
  ['short.md', 'short.md'],
  [`${'安'.repeat(100)}.md`, `${'安'.repeat(84)}.md`],
  ['x'.repeat(300), 'x'.repeat(255)],
  [`.${'x'.repeat(300)}`, `.${'x'.repeat(254)}`],
])('%j is shortened to a name that every file system takes', (name, short) => {
  expect(shortenName(name, maxNameBytes)).toBe(short)
})

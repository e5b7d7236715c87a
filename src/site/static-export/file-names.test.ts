import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findGrowth, scales } from '../../../dev/growth/measure.js'
import { createFileNames, relativePath, safeName } from './file-names.js'

describe('file names', () => {
  test('follow the addresses, with folders for pages', () => {
    const names = createFileNames(['404.html'])
    expect(names.folder('')).toBe('')
    expect(names.folder('guide/first-steps')).toBe('guide/first-steps/')
    expect(names.file('guide/first-steps.md')).toBe('guide/first-steps.md')
    expect(names.folder('%E6%95%B0/%E6%8D%AE')).toBe('数/据/')
    expect(names.folder('404.html')).toBe('404~2.html/')
    expect(names.folder('index.html')).toBe('index~2.html/')
    expect(names.file('guide/index.html')).toBe('guide/index~2.html')
  })

  test('are distinct on file systems that ignore case and normalization', () => {
    const names = createFileNames()
    expect(names.folder('api')).toBe('api/')
    expect(names.folder('API')).toBe('API~2/')
    expect(names.folder('API/x')).toBe('API~2/x/')
    expect(names.folder('caf%C3%A9')).toBe('café/')
    expect(names.folder('cafe%CC%81')).toBe('café~2/')
    expect(names.folder('a.md')).toBe('a.md/')
    expect(names.file('a.md')).toBe('a~2.md')
    expect(names.file('p.png', 'w=480')).toMatch(/^p-[0-9a-f]{12}\.png$/)
    expect(names.file('p.png')).toBe('p.png')
  })

  test('of many equal addresses take one lookup each', () => {
    /** Each index has other letters as capitals. */
    const alike = (index: number) =>
      Array.from('abcdefghijklmno', (letter, at) => ((index >> at) & 1 ? letter.toUpperCase() : letter))
    const text = (size: number) =>
      Array.from({ length: size / 16 }, (_, index) => alike(index).join('')).join('\n')
    const name = (all: string) => {
      const names = createFileNames()
      for (const path of all.split('\n')) names.folder(path)
    }
    expect(findGrowth({ name: 'cases', text }, ['names of files', name], scales.short)).toBeUndefined()
  })

  test.each(['..', '.', '...', '%2e%2e', 'a%2fb', 'a%5cb', 'con', 'NUL.txt', 'x.', 'x%20', '%00', '', 'C:'])(
    'keep %j in its folder',
    (part) => {
      const name = safeName(part)
      expect(name).not.toMatch(/[\\/:\u0000]|^\.|[. ]$|^$/)
      expect(name).not.toMatch(/^(?:con|nul)(?:\.|$)/i)
    },
  )

  test('of any addresses are distinct, stay inside the folder, and are stable', () => {
    const part = fc.oneof(
      fc.constantFrom('..', 'A', 'a', 'index.html', 'a.md', '%2e'),
      fc.string({ maxLength: 200 }),
    )
    fc.assert(
      fc.property(fc.array(fc.array(part, { minLength: 1, maxLength: 4 }), { maxLength: 20 }), (paths) => {
        const names = createFileNames()
        const addresses = [...new Set(paths.map((parts) => parts.map(encodeURIComponent).join('/')))]
        const pages = addresses.map((path) => names.folder(path))
        const files = addresses.map((path) => names.file(path))
        const all = [...pages.map((folder) => `${folder}index.html`), ...files]
        expect(new Set(all.map((name) => name.normalize('NFC').toLowerCase())).size).toBe(
          new Set(pages).size + files.length,
        )
        for (const part of all.flatMap((name) => name.split('/'))) {
          if (part === '' && addresses.includes('')) continue
          expect(part).not.toMatch(/^\.{0,2}$/)
          expect(Buffer.byteLength(part)).toBeLessThan(255)
        }
        expect(addresses.map((path) => names.folder(path))).toEqual(pages)
        expect(addresses.map((path) => names.file(path))).toEqual(files)
      }),
    )
  })
})

test('relative URLs lead from file to file', () => {
  const top = 'http://h/x/'
  for (const [from, to] of [
    ['index.html', ''],
    ['index.html', 'a/b/'],
    ['a/b/index.html', ''],
    ['a/b/index.html', 'a/b/'],
    ['a/b/index.html', 'a/c/'],
    ['a/b/index.html', 'a/b.md'],
    ['a/b.md', 'a/b/'],
    ['a/index.html', '~octavo/assets/site.css'],
    ['a/index.html', 'a/a:b/'],
    ['a/index.html', 'a/数 %?#/'],
  ] as const) {
    const meant = to.split('/').map(encodeURIComponent).join('/').replaceAll('%7E', '~')
    expect(new URL(relativePath(from, to), top + from).href, `${from} → ${to}`).toBe(new URL(meant, top).href)
  }
})

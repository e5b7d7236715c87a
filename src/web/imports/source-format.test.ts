import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { confluenceSpace, notionPages } from '../../../tests/import-samples/shapes.js'
import { formatOfDocument, formatOfTree, pathsInZip } from './source-format.js'

test.each([
  ['Plan.DOCX', 'docx'],
  ['notes.md', 'markdown'],
  ['page.htm', 'html'],
  ['export.zip', undefined],
  ['picture.png', undefined],
])('the document %s is %s', (name, format) => {
  expect(formatOfDocument(name)).toBe(format)
})

test.each([
  ['zip', ['docs/SUMMARY.md', 'docs/a.md', 'docs/a.html']],
  ['zip', []],
  ['html', ['index.html', 'a/b.html', 'README.md']],
  ['docx', ['one.docx', 'two.docx']],
  ['github-wiki', ['Home.md', '_Sidebar.md']],
  ['notion', Object.keys(notionPages)],
  ['confluence', Object.keys(confluenceSpace)],
])('a tree is %s', (format, paths) => {
  expect(formatOfTree(paths)).toBe(format)
})

test('the paths of a zip are read from its end, and none of what is no zip', async () => {
  const zip = zipSync({ 'a/ü.md': strToU8('x'.repeat(9999)), 'b.png': strToU8('y') })
  expect(await pathsInZip(new Blob([zip]))).toEqual(['a/ü.md', 'b.png'])
  expect(await pathsInZip(new Blob([zip.slice(0, 60)]))).toEqual([])
  expect(await pathsInZip(new Blob([]))).toEqual([])
})

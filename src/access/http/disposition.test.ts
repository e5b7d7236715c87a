import { expect, test } from 'vitest'
import { disposition, nameIn } from './disposition.js'

const names = [
  'plain.txt',
  'two words.txt',
  'with "quotes".txt',
  "it's (50%) *done*; a=b, c.txt",
  'back\\slash.txt',
  '100%25.txt',
  '設計書.pdf',
  'Ünïcode é.txt',
  'family 👩‍👩‍👧.png',
  'line\nbreak\r\n.txt',
  'tab\tand\u0001control.txt',
  '__proto__',
  'constructor',
  "UTF-8''x",
]

test.each(names)('a name survives a round trip through the header: %j', (name) => {
  for (const type of ['inline', 'attachment'] as const) {
    const header = disposition(type, name)
    // Only characters of a header value; none can end the header or begin another.
    expect(header).toMatch(/^[\x20-\x7e]+$/)
    expect(header.startsWith(`${type}; filename`)).toBe(true)
    expect(nameIn(header)).toBe(name)
  }
})

test('a lone surrogate is replaced', () => {
  expect(nameIn(disposition('inline', 'a\ud800b.txt'))).toBe('a\ufffdb.txt')
})

test.each([
  [undefined, undefined],
  ['', undefined],
  ['attachment', undefined],
  ['attachment; filename=""', undefined],
  ['attachment; filename=', undefined],
  ['filename="notes.txt"', undefined],
  ['attachment; filename=notes.txt', 'notes.txt'],
  ['attachment; FileName="a \\"b\\".txt"', 'a "b".txt'],
  ['attachment; filename="x.txt"; filename*=UTF-8\'\'%E8%A8%AD.txt', '設.txt'],
  ['attachment; filename*=UTF-8\'\'%ff; filename="x.txt"', 'x.txt'],
  ['attachment; __proto__="x"', undefined],
  [`attachment; ${'filename;'.repeat(1000)}`, undefined],
  [`attachment; filename="${'\\'.repeat(1000)}`, undefined],
])('the name in %s', (header, name) => {
  expect(nameIn(header)).toBe(name)
})

import { describe, expect, it } from 'vitest'
import type { Block, Inline } from '../document/types.js'
import { parseFragment } from './parse.js'
import { plainInline } from './plain-inline.js'

/** The inlines of a text with their marks as letters, such as `b[bold]`. */
function inlinesOf(text: string): string {
  const { document, references } = parseFragment(text)
  for (const { span, url } of references) expect(text.slice(span.start, span.end)).toBe(url)
  return blocks(document.blocks)
}

function blocks(row: readonly Block[]): string {
  return row
    .map((block) => {
      if (block.type === 'paragraph' || block.type === 'heading') return inlines(block.children)
      if (block.type === 'blockquote') return `> ${blocks(block.blocks)}`
      return block.type
    })
    .join(' / ')
}

function inlines(row: readonly Inline[]): string {
  return row
    .map((inline) => {
      if (inline.type === 'link') return `<${inline.url}>${inlines(inline.children)}`
      if (inline.type !== 'text') return inline.type
      const marks = (inline.marks ?? []).map(({ type }) => type[0]).join('')
      return marks === '' ? inline.text : `${marks}[${inline.text}]`
    })
    .join('')
}

describe('emphasis beside CJK', () => {
  it.each([
    ['**`대기큐`**와', 'bc[대기큐]와'],
    ['**Windows 10（64-bit）**を', 'b[Windows 10（64-bit）]を'],
    ['これは**「强调」**です', 'これはb[「强调」]です'],
    ['**가)**나**다)**라', 'b[가)]나b[다)]라'],
    ['a**「b」**c', 'ab[「b」]c'],
    ['*（x）*a', 'i[（x）]a'],
    ['*“引号”*后面', 'i[“引号”]后面'],
    ['**x**。**y**', 'b[x]。b[y]'],
    ['~~删除。~~后', 's[删除。]后'],
    ['字_强调_文字', '字i[强调]文字'],
    ['**𠮷)**𠮷', 'b[𠮷)]𠮷'],
    ['> a\n> **中（文）**字', '> a\nb[中（文）]字'],
    ['[**「中」**文](a**「中」**.md)', '<a**「中」**.md>b[「中」]文'],
    ['`**中（文）**字` **中（文）**字', 'c[**中（文）**字] b[中（文）]字'],
  ])('%s', (text, expected) => {
    expect(inlinesOf(text)).toBe(expected)
  })
})

describe('emphasis that ends at punctuation', () => {
  it.each([
    ["**can'**t", "b[can']t"],
    ['**Note:**text', 'b[Note:]text'],
    ['**Note: **text', 'b[Note: ]text'],
    ['**One. **“two”', 'b[One. ]“two”'],
    ['**`code`**s', 'bc[code]s'],
    ['word**`code`**word', 'wordbc[code]word'],
    ['a**"b"**', 'ab["b"]'],
    ["*can'*t", "i[can']t"],
    ['**A:**b **C:**d', 'b[A:]b b[C:]d'],
  ])('%s', (text, expected) => {
    expect(inlinesOf(text)).toBe(expected)
  })
})

it.each([
  'foo(**kwargs) and bar(**args)',
  'f(**a, **b)',
  '5**(2) and 6**(3)',
  '2 ** 3. ** 4',
  'a.*b and c.*d',
  'a_强调_b',
  'snake_case_name and *.ts, *.js',
  'say "**kwargs" or "**args"',
  '** 中 **文',
])('leaves literal delimiters alone: %s', (text) => {
  expect(inlinesOf(text)).toBe(text)
})

it('preserves a page that contains every placeholder character', () => {
  const text = `\u203d\u2e2e\u2e18\u2042\u2051\u204a\u2e4e\u2e40 **中）**x`
  expect(inlinesOf(text)).toContain('**中）**x')
})

it.each([
  ['**`대기큐`**와', '대기큐와'],
  ['*（x）*a', '（x）a'],
])('parses titles in tables of contents the same way: %s', (text, expected) => {
  expect(plainInline(text).text).toBe(expected)
})

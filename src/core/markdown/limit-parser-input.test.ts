import { expect, test } from 'vitest'
import { plainText } from '../document/plain-text.js'
import { limitParserInput } from './limit-parser-input.js'
import { parseFragment } from './parse.js'

const excess = 'More markup in one place than is read: shown as text'
const messagesOf = (text: string) => parseFragment(text).problems.map(({ message }) => message)

test('an ordinary text is passed to the parser unchanged', () => {
  const text = '> - **a** [b](http://c.d) &amp; `e_f_g` 中文 *é*\n\n___\n'
  expect(limitParserInput(text)).toEqual({ text, restore: undefined })
})

test.each([
  ['containers', '> '.repeat(200) + 'word', '> word'],
  ['underscores in one word', 'a_'.repeat(400) + 'b', 'a_a_b'],
  ['URLs in one word', '#http://a'.repeat(400), '#http://a#http://a'],
  ['hosts in one word', '[www.a'.repeat(400), '[www.a'],
  ['markup in a long non-ASCII line', 'é*a*'.repeat(4000) + 'b', 'é*a*b'],
])('%s: markup beyond the limit becomes text, with one problem', (_, text, end) => {
  expect(limitParserInput(text)!.text).toHaveLength(text.length)
  expect(plainText(parseFragment(text).document).endsWith(end)).toBe(true)
  expect(messagesOf(text)).toEqual([excess])
})

test('character references beyond the limit are still decoded', () => {
  const text = '&amp;'.repeat(3000) + '&#x41;&no-name;'
  expect(plainText(parseFragment(text).document)).toBe(`${'&'.repeat(3000)}A&no-name;`)
})

test('literal content is restored without a problem', () => {
  const line = `<div title="${'é*a*&amp;'.repeat(3000)}">`
  const text = `${line}\n</div>\n\n\`\`\`\n${line}\n\`\`\`\n`
  const { blocks } = parseFragment(text).document
  expect(blocks.at(-1)).toMatchObject({ type: 'code', code: line })
  expect(messagesOf(text)).toEqual([])
})

test('raw HTML ends at its end tag, however long the line is', () => {
  const text = `<script>${'é*a*'.repeat(4000)}</script>\n# Title`
  expect(parseFragment(text).document.blocks.map(({ type }) => type)).toEqual(['html', 'heading'])
})

test('a text without unused placeholder characters becomes code', () => {
  const every = Array.from({ length: 50 }, (_, block) => String.fromCharCode(0xe000 + block * 128)).join('')
  const text = every + 'a_'.repeat(400)
  expect(parseFragment(text).document.blocks).toMatchObject([{ type: 'code', code: text }])
  expect(messagesOf(text)).toEqual([excess])
})

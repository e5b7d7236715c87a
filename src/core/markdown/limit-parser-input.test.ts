import { expect, test } from 'vitest'
import { plainText } from '../document/plain-text.js'
import { boundText } from './limit-parser-input.js'
import { parseFragment } from './parse.js'

const excess = 'More markup in one place than is read: shown as text'
const messagesOf = (text: string) => parseFragment(text).problems.map(({ message }) => message)

test('an ordinary text is given to the parser as it is', () => {
  const text = '> - **a** [b](http://c.d) &amp; `e_f_g` 中文 *é*\n\n___\n'
  expect(boundText(text)).toEqual({ text, restore: undefined })
})

test.each([
  ['containers', '> '.repeat(200) + 'word', '> word'],
  ['underscores of one word', 'a_'.repeat(400) + 'b', 'a_a_b'],
  ['addresses of one word', '#http://a'.repeat(400), '#http://a#http://a'],
  ['hosts of one word', '[www.a'.repeat(400), '[www.a'],
  ['marks of a long line that is not ASCII', 'é*a*'.repeat(4000) + 'b', 'é*a*b'],
])('%s: what goes beyond is shown as text, with one problem', (_, text, end) => {
  expect(boundText(text)!.text).toHaveLength(text.length)
  expect(plainText(parseFragment(text).document).endsWith(end)).toBe(true)
  expect(messagesOf(text)).toEqual([excess])
})

test('character references beyond the bound are decoded all the same', () => {
  const text = '&amp;'.repeat(3000) + '&#x41;&no-name;'
  expect(plainText(parseFragment(text).document)).toBe(`${'&'.repeat(3000)}A&no-name;`)
})

test('what is taken literally comes back as it was, without a problem', () => {
  const line = `<div title="${'é*a*&amp;'.repeat(3000)}">`
  const text = `${line}\n</div>\n\n\`\`\`\n${line}\n\`\`\`\n`
  const { blocks } = parseFragment(text).document
  expect(blocks.at(-1)).toMatchObject({ type: 'code', code: line })
  expect(messagesOf(text)).toEqual([])
})

test('raw HTML ends where it ends, however much stands before', () => {
  const text = `<script>${'é*a*'.repeat(4000)}</script>\n# Title`
  expect(parseFragment(text).document.blocks.map(({ type }) => type)).toEqual(['html', 'heading'])
})

test('a text that leaves no character to hide anything with is shown as code', () => {
  const every = Array.from({ length: 50 }, (_, block) => String.fromCharCode(0xe000 + block * 128)).join('')
  const text = every + 'a_'.repeat(400)
  expect(parseFragment(text).document.blocks).toMatchObject([{ type: 'code', code: text }])
  expect(messagesOf(text)).toEqual([excess])
})

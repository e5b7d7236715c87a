import { expect, test } from 'vitest'
import { readQuery } from './query.js'

test.each([
  ['how do I configure the workflow engine?', 'en', 'configure workflow engine', false],
  ['How do I', 'en', 'how do i', false],
  ['wie richte ich den Server ein', 'de', 'richte server', false],
  ['comment installer le serveur', 'fr', 'installer serveur', true],
  ['how do I 建立資料表', 'zh-tw', '建立 立資 資料 料表', true],
  ['install the', 'en', 'install', false],
  ['x', null, 'x', true],
  ['install x', null, 'install x', false],
  ['!?', 'en', '', false],
])('%s, in %s, asks for %s', (text, language, terms, isOpen) => {
  const query = readQuery(text, [language])
  expect([query.terms.join(' '), query.isOpen]).toEqual([terms, isOpen])
})

test('of many words the last are used', () => {
  const words = Array.from({ length: 30 }, (_, index) => `word${index}`)
  expect(readQuery(words.join(' '), ['en']).terms).toEqual(words.slice(-16))
})

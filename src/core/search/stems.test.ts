import { expect, test } from 'vitest'
import { stemmerOf } from './stems.js'

test.each([
  ['en', 'installing', 'installs'],
  ['de', 'häuser', 'haus'],
  ['fr', 'configurations', 'configuration'],
  ['es', 'usuarios', 'usuario'],
  ['ru', 'настройки', 'настройка'],
  ['ar', 'الخادم', 'خادم'],
  ['zh-tw', 'tables', 'table'],
  [null, 'tables', 'table'],
])('in %s, %s and %s are one word', (language, one, other) => {
  const stem = stemmerOf(language)
  expect(stem(one)).toBe(stem(other))
  expect(stem(one)).not.toBe(one === other ? '' : 'nothing')
})

test('a stem is never empty, in any language', () => {
  const words = [
    '',
    'a',
    'ing',
    'sss',
    'eed',
    'ungen',
    'constructor',
    '__proto__',
    '数据',
    '한국어',
    '𝒳𝒳𝒳',
    'x'.repeat(64),
    'ۀۀۀ',
  ]
  for (const language of 'ar bg da de el en es fi fr ga hu hy id it lt nb nl no pt ro ru sr sv ta tr uk ja xx'.split(
    ' ',
  )) {
    const stem = stemmerOf(language)
    for (const word of words)
      expect(stem(word).length, `${language} ${word}`).toBeGreaterThanOrEqual(word.length > 0 ? 1 : 0)
  }
})

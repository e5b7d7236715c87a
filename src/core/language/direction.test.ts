import { expect, test } from 'vitest'
import {
  beginsWithOtherScript,
  blockDirection,
  directionOf,
  directionWithin,
  hasRightToLeft,
  isRightToLeft,
} from './direction.js'

test.each([
  ['שלום world', true, 'rtl'],
  ['12. «مرحبا»', true, 'rtl'],
  ['Hello שלום', true, 'ltr'],
  ['Grüße, 世界', false, 'ltr'],
  ['1. 🚀 …', false, undefined],
  ['', false, undefined],
])('%j', (text, has, direction) => {
  expect(hasRightToLeft(text)).toBe(has)
  expect(directionOf(text)).toBe(direction)
})

test('languages are matched by their primary subtag', () => {
  expect(['he', 'ar-EG', 'AR', 'fa', 'en', 'zh-tw', ''].map(isRightToLeft)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})

test.each([
  ['rtl', 'PostgreSQL שומר', 'rtl'],
  ['rtl', 'PostgreSQL', 'ltr'],
  ['rtl', '123', undefined],
  ['ltr', 'PostgreSQL שומר', 'ltr'],
  ['ltr', 'שומר PostgreSQL', 'rtl'],
] as const)('on a page that is %s, %j is %s', (page, text, direction) => {
  expect(directionWithin(page, text)).toBe(direction)
})

test.each([
  ['he', 'PostgreSQL שומר', 'rtl'],
  ['he', 'PostgreSQL', 'ltr'],
  ['en', 'PostgreSQL שומר', 'ltr'],
  ['en', 'PostgreSQL', undefined],
])('a title in %s, %j, has the direction %s', (language, text, direction) => {
  expect(blockDirection(language, text)).toBe(direction)
})

test.each([
  ['PostgreSQL שומר', true],
  ['שומר PostgreSQL', false],
  ['PostgreSQL', false],
])('%j begins with another script: %s', (text, expected) => {
  expect(beginsWithOtherScript(text)).toBe(expected)
})

import { expect, test } from 'vitest'
import { directionOf, hasRightToLeft, isRightToLeft } from './direction.js'

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

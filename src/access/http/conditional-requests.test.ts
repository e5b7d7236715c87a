import { expect, test } from 'vitest'
import { etagOf, isNotModified, readIfMatch, readRange } from './conditional-requests.js'

const etag = etagOf('abc')

test.each<[string | undefined, boolean]>([
  [undefined, false],
  ['"abc"', true],
  ['W/"abc"', true],
  ['"xyz"', false],
  ['"xyz", "abc"', true],
  ['W/"xyz",W/"abc"', true],
  ['  "abc"  , "xyz"', true],
  ['*', true],
  ['abc', false],
  ['"abcd"', false],
  ['"ab', false],
  [',,"abc"', true],
  ['', false],
])('if-none-match: %s', (header, expected) => {
  expect(isNotModified({ 'if-none-match': header }, etag)).toBe(expected)
  // As `fetch` sends it.
  const withDirective = { 'if-none-match': header, 'cache-control': 'no-cache', pragma: 'no-cache' }
  expect(isNotModified(withDirective, etag)).toBe(expected)
})

test.each<[string | undefined, ReturnType<typeof readIfMatch>]>([
  [undefined, undefined],
  ['*', undefined],
  ['"abc"', ['abc']],
  [' "abc" , W/"x-y"', ['abc', 'x-y']],
  ['abc', []],
  ['', []],
  ['"abc', []],
])('if-match: %s', (header, expected) => {
  expect(readIfMatch({ 'if-match': header })).toEqual(expected)
})

test('dates are ignored: responses have no `Last-Modified`', () => {
  expect(isNotModified({ 'if-modified-since': 'Thu, 01 Jan 2099 00:00:00 GMT' }, etag)).toBe(false)
})

test.each<[string, ReturnType<typeof readRange>]>([
  ['bytes=0-3', { start: 0, end: 4 }],
  ['bytes=0-0', { start: 0, end: 1 }],
  ['bytes=4-', { start: 4, end: 10 }],
  ['bytes=-2', { start: 8, end: 10 }],
  ['bytes=8-99', { start: 8, end: 10 }],
  ['bytes=-10', { start: 0, end: 10 }],
  ['bytes=-11', undefined],
  ['bytes=-000', 'unsatisfiable'],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=10-20', 'unsatisfiable'],
  ['bytes=5-2', 'unsatisfiable'],
  ['bytes=0-1,4-5', undefined],
  ['bytes=0-1,20-30', { start: 0, end: 2 }],
  ['bytes=20-30,40-', 'unsatisfiable'],
  ['bytes=', undefined],
  ['bytes=-', undefined],
  ['bytes=a-b', undefined],
  ['bytes=0x1-2', undefined],
  ['bytes=1e1-', undefined],
  ['bytes=--1', undefined],
  ['bytes=0-3;x', undefined],
  ['lines=1-2', undefined],
  ['lines=99-', undefined],
  ['0-3', undefined],
])('range: %s of ten bytes', (range, expected) => {
  expect(readRange({ range }, { etag, size: 10 })).toEqual(expected)
})

test('an `If-Range` with another tag is answered with the whole content', () => {
  const content = { etag, size: 10 }
  const range = 'bytes=0-3'
  expect(readRange({ range, 'if-range': etag }, content)).toEqual({ start: 0, end: 4 })
  for (const having of ['"xyz"', `W/${etag}`, 'Thu, 01 Jan 2099 00:00:00 GMT', ''])
    expect(readRange({ range, 'if-range': having }, content), having).toBeUndefined()
})

test('an empty file has no ranges', () => {
  const nothing = { etag, size: 0 }
  expect(readRange({ range: 'bytes=0-' }, nothing)).toBe('unsatisfiable')
  expect(readRange({ range: 'bytes=-5' }, nothing)).toBeUndefined()
})

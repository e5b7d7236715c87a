import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseBoundedJson } from './bounded-json.js'

const limits = { values: 100_000, depth: 64 }
const refusalOf = (text: string) => parseBoundedJson(text, limits).refusal

test('a text is parsed as by JSON.parse, or refused as by it', () => {
  const blanks = fc.stringMatching(/^[ \n\r\t]{0,3}$/)
  const spaced = fc
    .tuple(fc.jsonValue(), blanks, blanks)
    .map(([value, before, behind]) => `${before}${JSON.stringify(value, null, behind)}${behind}`)
  const cut = fc
    .tuple(spaced, fc.nat(40), fc.constantFrom('', '"', ',', '}', '\\', '1', 'e'))
    .map(([text, at, put]) => text.slice(0, at) + put + text.slice(at + 1))
  fc.assert(
    fc.property(fc.oneof(spaced, cut), (text) => {
      let value: unknown
      try {
        value = JSON.parse(text)
      } catch {
        expect(refusalOf(text), text).toBe('invalid')
        return
      }
      if (!/"(?:__proto__|constructor)"/.test(text)) expect(parseBoundedJson(text, limits)).toEqual({ value })
    }),
    { numRuns: 1_500 },
  )
})

test.each([
  ['{"__proto__":1}', 'invalid'],
  ['[{"\\u005f_proto__":{}}]', 'invalid'],
  ['{"constructor":{"prototype":1}}', 'invalid'],
  ['{"constructor":{"name":1}}', undefined],
  ['\ufeff[1]', undefined],
  ['', 'invalid'],
  ['[1] 2', 'invalid'],
  ['nul', 'invalid'],
  [`["${'x'.repeat(300_000)}`, 'invalid'],
  ['['.repeat(64) + ']'.repeat(64), undefined],
  ['['.repeat(65) + ']'.repeat(65), 'depth'],
  [`["${'['.repeat(65)}"]`, undefined],
  [`[${'1,'.repeat(99_997)}1]`, undefined],
  [`[${'1,'.repeat(100_000)}1]`, 'values'],
  [`[${'[],'.repeat(50_000)}1]`, 'values'],
])('is bounded, and names no prototype: %#', (text, refusal) => {
  expect(refusalOf(text)).toBe(refusal)
})

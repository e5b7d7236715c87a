import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../contract/errors.js'
import { parseLargeJson } from './large-json.js'

const parse = (text: string) => parseLargeJson(Buffer.from(text))
const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: unknown) => (error instanceof ApiError ? error.errorName : (error as Error).name),
  )

describe('a large JSON text', () => {
  test('is parsed as by JSON.parse, or refused as by it', async () => {
    const blanks = fc.stringMatching(/^[ \n\r\t]{0,3}$/)
    const spaced = fc
      .tuple(fc.jsonValue(), blanks, blanks)
      .map(([value, before, behind]) => `${before}${JSON.stringify(value, null, behind)}${behind}`)
    const cut = fc
      .tuple(spaced, fc.nat(40), fc.constantFrom('', '"', ',', '}', '\\', '1', 'e'))
      .map(([text, at, put]) => text.slice(0, at) + put + text.slice(at + 1))
    await fc.assert(
      fc.asyncProperty(fc.oneof(spaced, cut), async (text) => {
        const named = /"(?:__proto__|constructor)"/.test(text)
        let expected: unknown
        try {
          expected = JSON.parse(text)
        } catch {
          expect(await errorOf(parse(text)), text).toBe('SyntaxError')
          return
        }
        if (!named) expect(await parse(text)).toEqual(expected)
      }),
      { numRuns: 1_500 },
    )
  })

  test.each([
    ['letters', 'x'],
    ['characters of several bytes', '文é😀'],
    ['escapes', '\n"\\\u0001/'],
    ['escapes of halves of a character', '😀', true],
  ])('keeps %s wherever it is cut', async (_name, part, isEscaped = false) => {
    for (let before = 0; before < 13; before++) {
      const text = 'a'.repeat(before) + part.repeat(200_000 / part.length)
      const json = JSON.stringify({ text, [text.slice(0, 70_000)]: [text, 1] })
      const sent = isEscaped
        ? json.replace(/[\ud800-\udfff]/g, (half) => `\\u${half.charCodeAt(0).toString(16)}`)
        : json
      expect((await parse(sent)) === undefined).toBe(false)
      expect(JSON.stringify(await parse(sent)) === json, `${before} before`).toBe(true)
    }
  })

  test('may have a byte order mark, and bytes that are no UTF-8', async () => {
    expect(await parseLargeJson(Buffer.from('\ufeff[1]'))).toEqual([1])
    const broken = Buffer.concat([Buffer.from('["'), Buffer.alloc(200_000, 0x80), Buffer.from('"]')])
    expect(String(await parseLargeJson(broken))).toMatch(/^\ufffd{100000}/)
  })

  test.each([
    ['{"__proto__":1}', 'SyntaxError'],
    ['[{"\\u005f_proto__":{}}]', 'SyntaxError'],
    ['{"constructor":{"prototype":1}}', 'SyntaxError'],
    ['{"constructor":{"name":1}}', 'none'],
    ['', 'SyntaxError'],
    ['[1] 2', 'SyntaxError'],
    ['nul', 'SyntaxError'],
    [`["${'x'.repeat(300_000)}`, 'SyntaxError'],
    ['['.repeat(64) + ']'.repeat(64), 'none'],
    ['['.repeat(65) + ']'.repeat(65), 'invalid_request'],
    [`[${'1,'.repeat(99_997)}1]`, 'none'],
    [`[${'1,'.repeat(100_000)}1]`, 'invalid_request'],
  ])('is bounded, and names no prototype: %#', async (text, error) => {
    expect(await errorOf(parse(text))).toBe(error)
  })

  test.each([
    ['one string', () => `["${'x'.repeat(4_000_000)}"]`],
    ['quotes', () => `["${'\\"'.repeat(2_000_000)}"]`],
    ['blanks', () => `[${' '.repeat(4_000_000)}]`],
    ['digits', () => `[${'1'.repeat(4_000_000)}]`],
    ['small values', () => `[${'1,'.repeat(90_000)}1]`],
  ])('lets others have their turn: %s', async (_name, make) => {
    let turns = 0
    const timer = setInterval(() => turns++, 0)
    const count = (): void => {
      turns++
      if (isRunning) setImmediate(count)
    }
    let isRunning = true
    setImmediate(count)
    await parse(make())
    isRunning = false
    clearInterval(timer)
    expect(turns).toBeGreaterThan(50)
  })
})

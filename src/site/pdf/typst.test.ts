/** User text stays a Typst string, whatever it contains: verified with the compiler. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { loadCompiler } from './compiler.js'
import { call, quote } from './typst.js'

const workspace = mkdtempSync(join(tmpdir(), 'octavo-typst-'))
afterAll(() => rmSync(workspace, { recursive: true }))

/** Returns the texts as read back by the compiler. */
function readBack(texts: readonly string[]): string[] {
  const compiler = loadCompiler().create({ workspace })
  const source = `#metadata((${texts.map((text) => `${quote(text).toString()},`).join('')}))<read>`
  const compiled = compiler.compile({ mainFileContent: source })
  if (compiled.result === null) throw new Error(JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics))
  return (compiler.query(compiled.result, { selector: '<read>', field: 'value' }) as [string[]])[0]
}

const hostile = [
  '"',
  '\\',
  '\\"',
  '\\\\"#panic()',
  '") #read("/etc/passwd") #("',
  '#import "@preview/x:1.0.0"',
  '$ sum_(i=0)^n $',
  '\\u{41}',
  '*b* _i_ `raw` <label> @ref // comment /* open',
  ']}) #while true {}',
  'line\nend\r\n\ttab\0null\u001f',
  '\u202eright to left\u202c \u2066isolated\u2069 \u200b\ufeff',
  'العربية עברית 中文 😀 👨‍💻',
  '\ufffe\uffff\ufdd0',
]

test('every text is read back unchanged, and nothing else', () => {
  expect(readBack(hostile)).toEqual(hostile)
})

test('generated texts are read back, with lone surrogates replaced', () => {
  const textParts = fc.oneof(
    fc.constantFrom(
      '"',
      '\\',
      '#',
      '$',
      '{',
      '}',
      '(',
      ')',
      '[',
      ']',
      '/*',
      '//',
      '\n',
      '\u202e',
      '\u2028',
      ...hostile,
    ),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('\ud800', '\udc00'),
  )
  const texts = fc.array(textParts, { maxLength: 12 }).map((parts) => parts.join(''))
  const some = fc.sample(texts, { numRuns: 3_000, seed: 11 })
  // Compiled once: each of them could end its string and reach the others.
  expect(readBack(some)).toEqual(some.map((text) => text.replace(/\p{Surrogate}/gu, '\ufffd')))
})

test('arguments are quoted, numbers written without an exponent, lists are arrays', () => {
  expect(call('f', 'a"b', 1, 0.5, 1e21, Number.NaN, true, ['x'], []).toString()).toBe(
    'f("a\\"b",1,0.500,1000000000,0,true,("x",),())',
  )
})

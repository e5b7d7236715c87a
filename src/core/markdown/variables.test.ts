import { describe, expect, test } from 'vitest'
import { formatVariables, parseVariables, type Variables } from './variables.js'

const file = `# of the whole space
api: https://api.example.com
version: "2.1" # keep quoted

hours: 24
live: true
note: |
  two
  lines
nested:
  a: 1
# the end
`
const declared: Variables = {
  api: 'https://api.example.com',
  version: '2.1',
  hours: 24,
  live: true,
  note: 'two\nlines\n',
}

describe('variables are parsed', () => {
  test('with their types; invalid entries are reported', () => {
    const { variables, problems } = parseVariables(file)
    expect(variables).toEqual(declared)
    expect(problems).toMatchObject([{ message: 'nested must be a text, a number or a boolean.' }])
  })

  test.each([
    ['1st: x', 1],
    ['a-b: x', 1],
    [`long: ${'x'.repeat(257)}`, 1],
    [`long: ${'x'.repeat(256)}`, 0],
    ['empty:', 1],
    ['n: .inf', 1],
    ['list: [1]', 1],
    ['- a', 1],
    ['', 0],
  ])('%#: %j', (text, problems) => {
    expect(parseVariables(text).problems).toHaveLength(problems)
  })
})

describe('variables are written', () => {
  const changes: [name: string, change: Variables, expected: string][] = [
    ['nothing', {}, file],
    ['a text', { api: 'http://new' }, file.replace('https://api.example.com', 'http://new')],
    ['a text with a trailing comment', { version: '2.2' }, file.replace('"2.1" #', '"2.2" #')],
    ['a number', { hours: 12 }, file.replace('24', '12')],
    ['a text that looks like a boolean', { live: 'false' }, file.replace('live: true', 'live: "false"')],
    ['lines', { note: 'one' }, file.replace('|\n  two\n  lines', 'one')],
    ['a new one', { added: 'x: y' }, `${file}added: "x: y"\n`],
    ['an invalid entry', { nested: 1 }, file.replace('\n  a: 1', ' 1')],
  ]
  test.each(changes)('%s', (_, change, expected) => {
    const variables = { ...declared, ...change }
    const text = formatVariables(variables, file)
    expect(text).toBe(expected)
    expect(parseVariables(text).variables).toEqual(variables)
  })

  test('the lines of a removed variable are removed', () => {
    const { note: _note, version: _version, ...rest } = declared
    const text = formatVariables(rest, file)
    expect(text).toBe(
      file.replace('note: |\n  two\n  lines\n', '').replace('version: "2.1" # keep quoted\n', ''),
    )
    expect(parseVariables(text).variables).toEqual(rest)
  })

  const originals = [
    '',
    '# c',
    'a: 1',
    'a: 1\r\nb: 2\r\n',
    '{a: 1, b: two}',
    '---\na: 1\n...\n',
    'a:\nb: 2\n',
    'broken: [',
    "a: 'x'\n  \nb: >\n  folded\n  text\n\nc: 1\n",
  ]
  const values = [
    '',
    ' padded ',
    'line\nbreak',
    '# no comment',
    'true',
    '12',
    '0x1',
    'null',
    '~',
    '- x',
    'a: b',
    '"q"',
    "it's",
    '{x}',
    '@at',
    '%p',
    'é 你好',
    '|',
    0,
    -1.5,
    1e21,
    false,
    true,
  ]
  test.each(originals)('any value after %j', (original) => {
    for (const value of values) {
      const variables = { b: value, a: value, d1: value }
      const text = formatVariables(variables, original)
      expect(parseVariables(text).variables).toEqual(variables)
      expect(formatVariables(variables, text)).toBe(text)
    }
  })

  test('an invalid variable is rejected', () => {
    expect(() => formatVariables({ '1a': 'x' })).toThrow(RangeError)
    expect(() => formatVariables({ a: 'x'.repeat(257) })).toThrow(RangeError)
  })
})

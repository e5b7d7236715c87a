import { expect, test } from 'vitest'
import { parseCsv, parseCsvLines } from './csv.js'

test('records have the values and line numbers of a spreadsheet', () => {
  expect(parseCsvLines('\ufeffa,b\r\n\n"c, ""d""\ne",f\n,\nlast')).toEqual([
    { line: 1, values: ['a', 'b'] },
    { line: 3, values: ['c, "d"\ne', 'f'] },
    { line: 5, values: ['', ''] },
    { line: 6, values: ['last'] },
  ])
  expect(parseCsvLines('a,"b\r\nc"\r\nd')).toEqual([
    { line: 1, values: ['a', 'b\r\nc'] },
    { line: 3, values: ['d'] },
  ])
  expect(parseCsvLines('')).toEqual([])
})

test('rows of different lengths, empty lines and malformed quotes are read', () => {
  expect(parseCsv('a,b,\n\nc"d,"e"f\n"open')).toEqual([['a', 'b', ''], [''], ['c"d', '"e"f'], ['open']])
  expect(parseCsv('"a""')).toEqual([['a"']])
  expect(parseCsv('a,"b\nc,d\n')).toEqual([['a', 'b\nc,d\n']])
})

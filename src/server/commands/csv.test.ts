import { expect, test } from 'vitest'
import { parseCsv } from './csv.js'

test('records are read as spreadsheets write them', () => {
  expect(parseCsv('\ufeffa,b\r\n\n"c, ""d""\ne",f\n,\nlast')).toEqual([
    { line: 1, values: ['a', 'b'] },
    { line: 3, values: ['c, "d"\ne', 'f'] },
    { line: 5, values: ['', ''] },
    { line: 6, values: ['last'] },
  ])
  expect(parseCsv('')).toEqual([])
  expect(parseCsv('"open')).toEqual([{ line: 1, values: ['open'] }])
})

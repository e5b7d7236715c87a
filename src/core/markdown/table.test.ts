/** HTML tables whose cells span columns and rows, captions, alignment. */
import { describe, expect, it } from 'vitest'
import { plainText } from '../document/plain-text.js'
import type { Block, Table } from '../document/types.js'
import { convertHtml } from '../html/convert.js'
import { parseFragment } from './parse.js'

const table = (blocks: readonly Block[]): Table => blocks.find((block) => block.type === 'table')!
const wordsOf = ({ columns, rows }: Table): string[][] => [
  columns.map(({ title }) => plainText(title)),
  ...rows.map((row) => row.map((cell) => plainText(cell))),
]

const samples: readonly (readonly [name: string, html: string, rows: readonly (readonly string[])[]])[] = [
  [
    'a cell over two rows',
    '<table><tr><th>Grain</th><th>Bread</th></tr><tr><td rowspan="2">Rye</td><td>Dark</td></tr><tr><td>Light</td></tr></table>',
    [
      ['Grain', 'Bread'],
      ['Rye', 'Dark'],
      ['', 'Light'],
    ],
  ],
  [
    'a cell over two columns',
    '<table><tr><th>Grain</th><th>Bread</th><th>Price</th></tr><tr><td colspan="2">All</td><td>3</td></tr></table>',
    [
      ['Grain', 'Bread', 'Price'],
      ['All', '', '3'],
    ],
  ],
  [
    'a head over two columns',
    '<table><thead><tr><th colspan="2">Bread</th><th rowspan="2">Price</th></tr><tr><th>Grain</th><th>Kind</th></tr></thead><tbody><tr><td>Rye</td><td>Dark</td><td>3</td></tr></tbody></table>',
    [
      ['Bread', '', 'Price'],
      ['Grain', 'Kind', ''],
      ['Rye', 'Dark', '3'],
    ],
  ],
  [
    'a cell over rows and columns',
    '<table><tr><th>a</th><th>b</th><th>c</th></tr><tr><td rowspan="2" colspan="2">x</td><td>1</td></tr><tr><td>2</td></tr><tr><td>p</td><td>q</td><td>3</td></tr></table>',
    [
      ['a', 'b', 'c'],
      ['x', '', '1'],
      ['', '', '2'],
      ['p', 'q', '3'],
    ],
  ],
]

describe('a table with spans keeps its columns', () => {
  it.each(samples)('%s', (_, html, rows) => {
    const { document, problems } = parseFragment(html)
    expect(wordsOf(table(document.blocks))).toEqual(rows)
    expect(problems.map(({ message }) => message)).toEqual([
      'A cell over several rows or columns is split: its other places are empty',
    ])
  })

  it.each(samples)('%s, as the HTML importer reads it', (_, html, rows) => {
    const { markdown } = convertHtml(`<title>T</title><main><h1>T</h1>${html}</main>`)
    expect(wordsOf(table(parseFragment(markdown).document.blocks))).toEqual(rows)
  })
})

it('shows the caption above the table', () => {
  const [caption, block] = parseFragment(
    '<table id="t"><caption>Breads <em>of rye</em></caption><tr><td>a</td></tr></table>',
  ).document.blocks
  expect(caption).toMatchObject({ type: 'paragraph', aliases: ['t'] })
  expect(plainText({ blocks: [caption!] })).toBe('Breads of rye')
  expect(block?.type).toBe('table')
})

it('aligns a column as all its cells are aligned', () => {
  const { columns } = table(
    parseFragment(
      '<table><tr><th align="right">a</th><th style="text-align: center">b</th><th>c</th></tr><tr><td>1</td><td style="text-align:center">2</td><td align="right">3</td></tr></table>',
    ).document.blocks,
  )
  expect(columns.map(({ align }) => align)).toEqual(['right', 'center', undefined])
})

it('keeps the cells of a row that is wider than the first ones', () => {
  const rows = '<tr><td>a</td></tr>'.repeat(120)
  const read = table(parseFragment(`<table>${rows}<tr><td>b</td><td>c</td></tr></table>`).document.blocks)
  expect(read.columns).toHaveLength(2)
  expect(wordsOf(read).at(-1)).toEqual(['b', 'c'])
})

it('bounds what spans take', () => {
  const { document, problems } = parseFragment(
    `<table>${'<tr><td colspan="100000" rowspan="100000">a</td></tr>'.repeat(3_000)}</table>`,
  )
  const { columns, rows } = table(document.blocks)
  expect(columns).toHaveLength(200)
  expect(rows.reduce((sum, row) => sum + row.length, 0)).toBeLessThan(1_000_000)
  expect(problems).toHaveLength(1)
})

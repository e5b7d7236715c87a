/**
 * HTML tables: typed columns, select options, and cards, whose targets and covers are hidden columns. Cells contain
 * blocks, and the plain values that the type of the column requires.
 */
import {
  type Block,
  columnTypes,
  type Inline,
  type SelectOption,
  type Table,
  type TableCell,
  type TableColumn,
} from '../document/types.js'
import { plainText } from '../document/plain-text.js'
import { alignmentOfAttributes, alignmentOfColumn, layOutCells } from '../document/table-grid.js'
import { visitInlines } from '../document/visit.js'
import { trimInlines } from './caption.js'
import { spanOf } from './construct.js'
import { idsOf, withTargets } from './link-targets.js'
import type { ElementNode, Node } from './nodes.js'
import { defined, elementFlag, elementValue, type Reader } from './reader.js'

const isElement = (node: Node): node is ElementNode => node.kind === 'element'

/** Returns the table, in bold above it the caption; cells over several rows or columns are split, which is reported. */
export function readTable(table: ElementNode, reader: Reader): readonly Block[] {
  const { head, body, caption } = partsOf(table)
  const children = caption ? trimInlines(reader.inlines(caption.children, [{ type: 'bold' }])) : []
  const grid = layOutRows(head ? [head, ...body] : body, reader)
  const headCells = head ? grid[0]! : []
  const width = grid.reduce((widest, row) => Math.max(widest, row.length), 0)
  const columns = Array.from({ length: width }, (_, index) =>
    readColumn(headCells[index], alignmentOfColumn(grid, index, alignmentOf), reader),
  )
  const rows = body.map((row, at) => {
    const [first] = cellsOf(row)
    return grid[at + (head ? 1 : 0)]!.map((cell, index): TableCell => {
      if (cell === undefined) return { blocks: [] }
      const ids = [...(cell === first ? idsOf(row) : []), ...idsOf(cell)]
      return readCell(cell, columns[index]!, ids, reader)
    })
  })
  const view = elementValue(table, 'data-view') === 'cards' ? ('cards' as const) : ('grid' as const)
  const block: Table = defined({
    type: 'table' as const,
    span: spanOf(table),
    view,
    cardSize:
      view === 'cards'
        ? elementValue(table, 'data-card-size') === 'large'
          ? ('large' as const)
          : ('medium' as const)
        : undefined,
    fullWidth: elementFlag(table, 'data-full-width') || undefined,
    hideHeader: elementFlag(table, 'data-header-hidden') || (!head && view === 'grid') || undefined,
    columns,
    rows,
  })
  if (children.length === 0) return [block]
  // Two blocks side by side, though the element of one contains that of the other.
  const { start, end } = block.span
  const split = Math.max(start, caption!.end)
  return [
    { type: 'paragraph', span: { start, end: split }, children },
    { ...block, span: { start: split, end } },
  ]
}

function partsOf(table: ElementNode): {
  head?: ElementNode
  body: readonly ElementNode[]
  caption?: ElementNode | undefined
} {
  const body: ElementNode[] = []
  let head: ElementNode | undefined
  let caption: ElementNode | undefined
  for (const part of table.children.filter(isElement)) {
    if (part.name === 'caption') caption ??= part
    const rows =
      part.name === 'tr' ? [part] : part.children.filter(isElement).filter(({ name }) => name === 'tr')
    for (const row of rows) {
      const isHead =
        part.name === 'thead' || (body.length === 0 && cellsOf(row).every(({ name }) => name === 'th'))
      if (isHead && !head && cellsOf(row).length > 0) head = row
      else body.push(row)
    }
  }
  return head ? { head, body, caption } : { body, caption }
}

function layOutRows(rows: readonly ElementNode[], reader: Reader): (ElementNode | undefined)[][] {
  let isReported = false
  const report = (message: string, cell: ElementNode): void => {
    if (!isReported) reader.problem(message, { start: cell.start, end: cell.contentStart })
    isReported = true
  }
  return layOutCells(rows.map(cellsOf), {
    attribute: elementValue,
    onSpan: (cell) =>
      report('A cell over several rows or columns is split: its other places are empty', cell),
    onCut: (cell) => report('The table is too wide or too long: the cells from here on are left out', cell),
  })
}

function alignmentOf(cell: ElementNode): string | undefined {
  return alignmentOfAttributes(elementValue(cell, 'align'), elementValue(cell, 'style'))
}

function cellsOf(row: ElementNode): readonly ElementNode[] {
  return row.children.filter(isElement).filter(({ name }) => name === 'td' || name === 'th')
}

function readColumn(
  cell: ElementNode | undefined,
  shared: TableColumn['align'],
  reader: Reader,
): TableColumn {
  if (!cell) return defined({ title: [], type: 'text' as const, align: shared })
  const select = cell.children.find(
    (child): child is ElementNode => isElement(child) && child.name === 'select',
  )
  const title = trimInlines(reader.inlines(cell.children.filter((child) => child !== select)))
  const written = elementValue(cell, 'data-type')
  const type = columnTypes.find((candidate) => candidate === written)
  if (written && !type) reader.problem(`"${written}" is no type of column: read as text`, spanOf(cell))
  const align = alignmentOf(cell)
  const max = Number(elementValue(cell, 'data-max'))
  return defined({
    title,
    type: type ?? (select ? ('select' as const) : ('text' as const)),
    align: align === 'left' || align === 'center' || align === 'right' ? align : shared,
    width: elementValue(cell, 'width'),
    hidden: elementFlag(cell, 'data-hidden') || undefined,
    cardTarget: elementFlag(cell, 'data-card-target') || undefined,
    cardCover: elementFlag(cell, 'data-card-cover') || undefined,
    cardCoverDark: elementFlag(cell, 'data-card-cover-dark') || undefined,
    max: Number.isInteger(max) && max > 0 ? max : undefined,
    options: select ? readOptions(select, reader) : undefined,
  })
}

function readOptions(select: ElementNode, reader: Reader): readonly SelectOption[] {
  return select.children
    .filter(isElement)
    .filter(({ name }) => name === 'option')
    .map((option) => {
      const text = plainText(reader.inlines(option.children)).trim()
      const value = elementValue(option, 'value') ?? text
      return defined({
        value,
        label: elementValue(option, 'label') ?? (text || value),
        color: elementValue(option, 'color'),
      })
    })
}

function readCell(cell: ElementNode, column: TableColumn, ids: readonly string[], reader: Reader): TableCell {
  const outer = reader.referenceKind
  if (column.type === 'content-ref') reader.referenceKind = 'content-ref'
  else if (column.type === 'files') reader.referenceKind = 'file'
  else if (column.type === 'image' || column.cardCover || column.cardCoverDark) reader.referenceKind = 'image'
  const blocks = withTargets(reader, reader.blocks(cell.children), ids, spanOf(cell))
  reader.referenceKind = outer
  const objectFit = elementValue(cell, 'data-object-fit') ?? findObjectFit(cell)
  return defined({
    blocks,
    values: readValues(cell, column, blocks),
    href: findDestination(blocks),
    objectFit:
      objectFit === 'contain' || objectFit === 'fill' || objectFit === 'cover' ? objectFit : undefined,
  })
}

function findObjectFit(cell: ElementNode): string | undefined {
  const image = cell.children.find(
    (child): child is ElementNode => isElement(child) && child.attributes.has('data-object-fit'),
  )
  return image && elementValue(image, 'data-object-fit')
}

function readValues(
  cell: ElementNode,
  column: TableColumn,
  blocks: readonly Block[],
): readonly string[] | undefined {
  const text = (): string => plainText({ blocks }).trim()
  switch (column.type) {
    case 'text':
    case 'content-ref':
    case 'image':
      return undefined
    case 'checkbox':
      return [String(isTicked(cell) || /^(?:true|yes|x|\u2611|\u2705|\u2713|\u2714)$/iu.test(text()))]
    case 'select': {
      const values = findAttributes(cell, 'data-option')
      return values.length > 0 ? values : text() === '' ? [] : [text()]
    }
    case 'files':
    case 'users':
      return collectDestinations(blocks)
    case 'number':
    case 'rating':
      return text() === '' || text() === 'null' ? [] : [text()]
  }
}

function isTicked(cell: ElementNode): boolean {
  return cell.children.some(
    (child) => isElement(child) && child.name === 'input' && child.attributes.has('checked'),
  )
}

function findAttributes(cell: ElementNode, name: string): readonly string[] {
  const values: string[] = []
  const pending: Node[] = [...cell.children].toReversed()
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (!isElement(node)) continue
    const value = elementValue(node, name)
    if (value !== undefined) values.push(value)
    for (const child of node.children.toReversed()) pending.push(child)
  }
  return values
}

function collectDestinations(blocks: readonly Block[]): readonly string[] {
  const urls: string[] = []
  visitInlines({ blocks }, (inline: Inline) => {
    if (inline.type === 'link') urls.push(inline.url)
    else if (inline.type === 'inline-image') urls.push(inline.src)
    else if (inline.type === 'button' && inline.url) urls.push(inline.url)
  })
  for (const block of blocks)
    if (block.type === 'images') urls.push(...block.images.map((image) => image.src))
  return urls
}

function findDestination(blocks: readonly Block[]): string | undefined {
  return collectDestinations(blocks)[0]
}

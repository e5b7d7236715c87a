/**
 * Grid layout of a table (HTML's table model): which column each cell stands in, when cells span columns and rows. Shared
 * by all parsers of tables; a spanned position other than the first is empty, because a document has no spans.
 */

/** Wider tables are cut: they would not be readable. */
const maxColumns = 200
/** Positions including empty ones: a table of many columns and many short rows must not grow with their product. */
const maxPositions = 200_000
/** Rows that one cell may span. */
const maxRowSpan = 10_000

/** The attributes of a cell that its place and alignment depend on, as written. */
export type CellAttribute = 'colspan' | 'rowspan' | 'align' | 'style'

export interface GridOptions<Cell> {
  attribute(cell: Cell, name: CellAttribute): string | undefined
  /** Called for each cell that spans several positions. */
  onSpan(cell: Cell): void
  /** Called for the first cell of a row that is beyond the limits. */
  onCut(cell: Cell): void
}

/** Returns the rows of the grid: each cell at its first position, `undefined` where a cell reaches over. */
export function layOutCells<Cell>(
  rows: readonly (readonly Cell[])[],
  { attribute, onSpan, onCut }: GridOptions<Cell>,
): (Cell | undefined)[][] {
  const grid: (Cell | undefined)[][] = []
  /** Rows that each column is still covered by a cell above. */
  const covered: number[] = []
  let count = 0
  for (const cells of rows) {
    const row: (Cell | undefined)[] = []
    const cover = (): void => {
      while ((covered[row.length] ?? 0) > 0 && row.length < maxColumns) {
        covered[row.length]!--
        row.push(undefined)
      }
    }
    for (const cell of cells) {
      cover()
      if (row.length >= maxColumns || count + row.length >= maxPositions) {
        onCut(cell)
        break
      }
      const wide = spanOf(attribute(cell, 'colspan'), maxColumns)
      const high = spanOf(attribute(cell, 'rowspan'), maxRowSpan)
      if (wide > 1 || high > 1) onSpan(cell)
      for (let index = 0; index < wide && row.length < maxColumns; index++) {
        if (high > 1) covered[row.length] = high - 1
        row.push(index === 0 ? cell : undefined)
      }
    }
    cover()
    count += row.length
    grid.push(row)
  }
  return grid
}

function spanOf(written: string | undefined, limit: number): number {
  const span = Number(written ?? '1')
  return Number.isSafeInteger(span) && span > 1 ? Math.min(span, limit) : 1
}

/** Rows whose alignment is compared. */
const comparedRows = 50

/** Returns the alignment that all cells of a column have, by attribute or style. */
export function alignmentOfColumn<Cell>(
  grid: readonly (readonly (Cell | undefined)[])[],
  column: number,
  alignmentOf: (cell: Cell) => string | undefined,
): 'left' | 'center' | 'right' | undefined {
  let alignment: string | undefined
  for (const row of grid.slice(0, comparedRows)) {
    const cell = row[column]
    if (!cell) continue
    const written = alignmentOf(cell) ?? ''
    if (alignment !== undefined && written !== alignment) return undefined
    alignment = written
  }
  return alignment === 'left' || alignment === 'center' || alignment === 'right' ? alignment : undefined
}

/** Returns the alignment that the attributes `align` and `style` of a cell set, in lower case. */
export function alignmentOfAttributes(
  align: string | undefined,
  style: string | undefined,
): string | undefined {
  if (align !== undefined) return align.toLowerCase()
  return /(?:^|;)\s{0,4}text-align\s{0,4}:\s{0,4}(left|center|right)/i.exec(style ?? '')?.[1]!.toLowerCase()
}

/** Serializes tables as the API's JSON: definitions by column, records by row, rich cells as fragments. */
import { refJson } from './json-inlines.js'
import type { DocumentJson, JsonValue, JsonWriter } from './json-node.js'
import { plainText } from './plain-text.js'
import type { Table, TableCell, TableColumn } from './types.js'

/** Returns the table; columns have the ids `c0`, `c1` … and rows `r0`, `r1` …. */
export function tableJson(table: Table, key: string, writer: JsonWriter): DocumentJson {
  const ids = table.columns.map((_, index) => `c${index}`)
  const fragments: DocumentJson[] = []
  const records: Record<string, DocumentJson> = {}
  table.rows.forEach((row, rowIndex) => {
    const values: Record<string, JsonValue> = {}
    row.forEach((cell, index) => {
      const column = table.columns[index]!
      if (column.type === 'text') {
        const fragment = `r${rowIndex}c${index}`
        fragments.push({
          object: 'fragment',
          fragment,
          key: `${key}.${fragment}`,
          nodes: writer.blocks(cell.blocks, `${key}.${fragment}`),
        })
        values[ids[index]!] = fragment
      } else values[ids[index]!] = cellValue(cell, column, writer)
    })
    records[`r${rowIndex}`] = { orderIndex: String(rowIndex).padStart(6, '0'), values }
  })
  return {
    object: 'block',
    type: 'table',
    key,
    isVoid: true,
    data: {
      view: viewJson(table, ids),
      records,
      definition: Object.fromEntries(
        table.columns.map((column, index) => [ids[index]!, columnJson(column, ids[index]!)]),
      ),
      ...(table.fullWidth ? { fullWidth: true } : {}),
    },
    fragments,
  }
}

function viewJson(table: Table, ids: readonly string[]): DocumentJson {
  const visibleIds = ids.filter((_, index) => !table.columns[index]!.hidden)
  if (table.view === 'grid') {
    const widths = table.columns.flatMap((column, index) => {
      const width = Number.parseFloat(column.width ?? '')
      return Number.isFinite(width) ? [[ids[index]!, width] as const] : []
    })
    return {
      type: 'grid',
      columns: visibleIds,
      hideHeader: table.hideHeader ?? false,
      ...(widths.length > 0 ? { columnWidths: Object.fromEntries(widths), useNewSizing: true } : {}),
    }
  }
  const find = (isWanted: (column: TableColumn) => boolean | undefined): string | undefined =>
    ids.find((_, index) => isWanted(table.columns[index]!))
  const target = find((column) => column.cardTarget)
  const cover = find((column) => column.cardCover)
  const dark = find((column) => column.cardCoverDark)
  return {
    type: 'cards',
    cardSize: table.cardSize ?? 'medium',
    columns: visibleIds,
    ...(target ? { targetDefinition: target } : {}),
    ...(cover ? { coverDefinition: cover } : {}),
    ...(dark ? { coverDefinitionDark: dark } : {}),
    ...(table.hideHeader ? { hideColumnTitle: true } : {}),
  }
}

function columnJson(column: TableColumn, id: string): DocumentJson {
  const base = { id, title: plainText(column.title), type: column.type }
  switch (column.type) {
    case 'text':
      return { ...base, textAlignment: column.align ?? 'left' }
    case 'rating':
      return { ...base, max: column.max ?? 5 }
    case 'users':
      return { ...base, multiple: true }
    case 'select':
      return {
        ...base,
        multiple: true,
        options: (column.options ?? []).map(({ value, label, color }) => ({
          value,
          label,
          ...(color ? { color } : {}),
        })),
      }
    default:
      return base
  }
}

function cellValue(cell: TableCell, column: TableColumn, writer: JsonWriter): JsonValue {
  const first = cell.values?.[0]
  switch (column.type) {
    case 'checkbox':
      return first === 'true'
    case 'number':
    case 'rating': {
      const value = Number(first ?? Number.NaN)
      return Number.isFinite(value) ? value : null
    }
    case 'content-ref':
      return cell.href ? refJson(cell.href, 'content-ref', writer) : null
    case 'image': {
      if (!cell.href) return null
      const ref = refJson(cell.href, 'image', writer)
      return cell.objectFit ? { ref, objectFit: cell.objectFit } : ref
    }
    case 'files':
      return (cell.values ?? []).flatMap((url) => {
        const ref = writer.resolve(url, 'file')
        return typeof ref?.file === 'string' ? [ref.file] : []
      })
    default:
      return cell.values ?? []
  }
}

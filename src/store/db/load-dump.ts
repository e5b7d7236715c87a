/** Loads a logical dump into an empty database of either engine. */
import { type Kysely, sql } from 'kysely'
import type { Database, Tx } from './database.js'
import { migrations } from './migrate.js'
import type { Migration } from './migrations/types.js'
import {
  type DumpColumn,
  type DumpedRow,
  type TableName,
  dumpedTables,
  selfReferences,
} from './table-dump.js'

/** Returns the migrations that made a schema; undefined when this program does not know all of them. */
export function migrationsOf(names: readonly string[]): readonly Migration[] | undefined {
  const known = migrations.slice(0, names.length)
  return names.length > 0 && names.every((name, at) => known[at]?.name === name) ? known : undefined
}

export interface LoadedTable {
  readonly name: TableName
  readonly columns: readonly DumpColumn[]
  rows(): AsyncIterable<DumpedRow>
}

/** Parameters of one statement: below the limit of both engines. */
const maxParameters = 20_000
/** Characters of the rows of one statement. */
const maxStatementSize = 4_000_000

/** Loads all tables in one transaction; `tables` must be in the order of `dumpedTables`. Resolves with the number of rows. */
export async function loadTables(database: Database, tables: readonly LoadedTable[]): Promise<number> {
  return database.write(async (tx) => {
    let count = 0
    // Rows that migrations wrote.
    for (const name of dumpedTables.toReversed()) {
      if (tables.some((table) => table.name === name)) await sql`delete from ${sql.table(name)}`.execute(tx)
    }
    for (const table of tables) count += await loadTable(tx, table)
    return count
  })
}

async function loadTable(tx: Tx, { name, columns, rows }: LoadedTable): Promise<number> {
  const parent = selfReferences[name]
  const ordered = parent === undefined ? rows() : parentsFirst(await collect(rows()), columns, parent)
  let count = 0
  let batch: Record<string, unknown>[] = []
  let size = 0
  const insert = async () => {
    if (batch.length === 0) return
    await (tx as unknown as Kysely<any>).insertInto(name).values(batch).execute()
    count += batch.length
    batch = []
    size = 0
  }
  for await (const row of ordered) {
    const record: Record<string, unknown> = {}
    for (const [at, { name: column, type }] of columns.entries()) {
      const value = row[at]
      record[column] = type === 'bytes' && typeof value === 'string' ? Buffer.from(value, 'base64') : value
      size += typeof value === 'string' ? value.length : 8
    }
    batch.push(record)
    if (batch.length * columns.length >= maxParameters || size >= maxStatementSize) await insert()
  }
  await insert()
  return count
}

async function collect(rows: AsyncIterable<DumpedRow>): Promise<readonly DumpedRow[]> {
  const all: DumpedRow[] = []
  for await (const row of rows) all.push(row)
  return all
}

/** Returns the rows with each after the row of the same table that it refers to. */
function parentsFirst(
  rows: readonly DumpedRow[],
  columns: readonly DumpColumn[],
  parentColumn: string,
): readonly DumpedRow[] {
  const id = columns.findIndex(({ name }) => name === 'id')
  const parent = columns.findIndex(({ name }) => name === parentColumn)
  const byId = new Map(rows.map((row) => [row[id], row]))
  const ordered = new Set<DumpedRow>()
  for (const row of rows) {
    const ancestors: DumpedRow[] = []
    for (let next: DumpedRow | undefined = row; next !== undefined && !ordered.has(next);) {
      ancestors.push(next)
      next = byId.get(next[parent]!)
      if (next !== undefined && ancestors.includes(next)) break
    }
    for (const one of ancestors.toReversed()) ordered.add(one)
  }
  return [...ordered]
}

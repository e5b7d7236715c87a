/**
 * Logical dump: the rows of all tables in one snapshot of the database, in a form that either engine can load.
 *
 * Reads on a connection of its own, without a time limit: a long dump takes no connection from requests. Tables that are
 * derived from others, or that only coordinate processes, are not dumped.
 */
import { join } from 'node:path'
import { sqliteFile } from './sqlite-file.js'
import type { Engine } from './engine.js'
import { tableFacts } from './table-facts.js'
import type { Tables } from './tables.js'

export type TableName = keyof Tables

/** Search index and stored links are derived from content; counters and commit records belong to running processes. */
const derived: ReadonlySet<TableName> = new Set<TableName>([
  'search_spaces',
  'search_pages',
  'search_sections',
  'search_vocabulary',
  'search_guards',
  'space_links',
  'space_link_states',
  'attempts',
  'commits',
])

/** The tables of a dump, parents before those that refer to them. */
export const dumpedTables: readonly TableName[] = (Object.keys(tableFacts) as TableName[]).filter(
  (name) => !derived.has(name),
)

/** Tables whose rows refer to other rows of the same table, with the referring column. Small: all rows are in memory. */
export const selfReferences: Partial<Record<TableName, string>> = {
  api_tokens: 'parent_id',
  collections: 'parent_id',
  comments: 'comment_id',
  site_section_groups: 'parent_id',
}

export interface DumpColumn {
  readonly name: string
  readonly type: 'text' | 'number' | 'bytes'
}

/** Values in the order of the columns; bytes as base64. */
export type DumpedRow = readonly (string | number | null)[]

export interface TableDump {
  /** Names of the migrations of the schema, in order. */
  readonly migrations: readonly string[]
  listColumns(table: TableName): Promise<readonly DumpColumn[]>
  /** Yields rows in an order that new rows change little: those of an earlier dump stay together. */
  readRows(table: TableName, columns: readonly DumpColumn[]): AsyncIterable<DumpedRow>
  close(): Promise<void>
}

export interface DumpSource {
  readonly engine: Engine
  readonly dataFolder: string
  readonly url: string | undefined
}

/** Opens a snapshot of the database; it must be closed. */
export function openTableDump({ engine, dataFolder, url }: DumpSource): Promise<TableDump> {
  return engine === 'sqlite' ? openSqliteDump(join(dataFolder, sqliteFile)) : openPostgresDump(url!)
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Columns of a query, in their order. */
const listOf = (columns: readonly DumpColumn[]): string => columns.map(({ name }) => quoted(name)).join(', ')

type Value = string | number | bigint | Uint8Array | null

/** Returns the value as it is stored in JSON. */
function toJson(value: Value): string | number | null {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  return typeof value === 'bigint' ? Number(value) : value
}

async function openSqliteDump(file: string): Promise<TableDump> {
  const { connectSqlite } = await import('./sqlite/connection.js')
  const connection = await connectSqlite(file, 'read')
  const all = (query: string) => connection.prepare(query).all() as Record<string, Value>[]
  // The snapshot begins with the first read.
  connection.exec('begin')
  const migrations = all('select name from migrations order by name').map(({ name }) => String(name))
  const types: Readonly<Record<string, DumpColumn['type']>> = { INTEGER: 'number', BLOB: 'bytes' }
  return {
    migrations,
    listColumns: async (table) =>
      all(`select name, type from pragma_table_info('${table}')`).map(({ name, type }) => ({
        name: String(name),
        type: types[String(type)] ?? 'text',
      })),
    async *readRows(table, columns) {
      // In the order of insertion.
      const statement = connection.prepare(`select ${listOf(columns)} from ${quoted(table)} order by rowid`)
      for (const row of statement.iterate() as Iterable<Record<string, Value>>)
        yield columns.map(({ name }) => toJson(row[name]!))
    },
    async close() {
      connection.close()
    },
  }
}

/** Rows in one round trip. */
const rowsPerFetch = 500

async function openPostgresDump(url: string): Promise<TableDump> {
  // Imported on demand: the client takes 11 MB.
  const { connectPostgres } = await import('./postgres/dialect.js')
  const pool = connectPostgres(url, { statementTimeout: Infinity })
  const client = await pool.connect().catch(async (error: unknown) => {
    await pool.end()
    throw error
  })
  const all = async (query: string, values: readonly unknown[] = []) =>
    (await client.query({ text: query, values: [...values], rowMode: 'array' })).rows as Value[][]
  await all('begin isolation level repeatable read read only')
  const migrations = (await all('select name from migrations order by name')).map(([name]) => String(name))
  const types: Readonly<Record<string, DumpColumn['type']>> = { bigint: 'number', bytea: 'bytes' }
  return {
    migrations,
    listColumns: async (table) => {
      const rows = await all(
        `select attname, format_type(atttypid, null) from pg_attribute
          where attrelid = to_regclass($1) and attnum > 0 and not attisdropped order by attnum`,
        [table],
      )
      return rows.map(([name, type]) => ({ name: String(name), type: types[String(type)] ?? 'text' }))
    },
    async *readRows(table, columns) {
      const names = new Set(columns.map(({ name }) => name))
      const age = ['created_at', 'put_at'].find((name) => names.has(name))
      const key = await all(
        `select attname from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
          where indrelid = to_regclass($1) and indisprimary order by array_position(indkey::int2[], attnum)`,
        [table],
      )
      const order = [...(age === undefined ? [] : [age]), ...key.map(([name]) => String(name))]
      await all(
        `declare dump no scroll cursor for select ${listOf(columns)} from ${quoted(table)}
          order by ${order.map(quoted).join(', ')}`,
      )
      for (;;) {
        const rows = await all(`fetch ${rowsPerFetch} from dump`)
        for (const row of rows) yield row.map(toJson)
        if (rows.length < rowsPerFetch) break
      }
      await all('close dump')
    },
    async close() {
      client.release()
      await pool.end()
    },
  }
}

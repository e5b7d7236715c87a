/**
 * Keyset pagination: lists are paged by the sort key of the last item, never by an offset.
 *
 * A cursor contains that key and the id, so it stays valid while rows are added and deleted around it, and page 1,000
 * costs what page 1 does. Permission filters belong into the query that is passed, so that they apply before the limit;
 * this file knows no table. `access/route` checks to which list a cursor belongs.
 */
import { sql } from 'kysely'
import type { Expression, RawBuilder, SelectQueryBuilder } from 'kysely'
import { ApiError } from '../../contract/errors.js'
import type { Db } from './database.js'

export interface OrderColumn {
  /** A column as `table.column`, or an expression; never null, because the engines sort null differently. */
  readonly column: string | Expression<unknown>
  readonly type: 'text' | 'integer'
  readonly direction: 'asc' | 'desc'
}

export interface PageRequest {
  /** A cursor of an earlier response. */
  readonly page?: string | undefined
  readonly limit: number
}

export interface ListOptions extends PageRequest {
  readonly order: readonly OrderColumn[]
  /** The unique column that breaks ties, as `table.column`, in the direction of the last order column. Absent where there are no ties. */
  readonly id?: string
  /** The number of items, where it is known without counting. */
  readonly count?: () => Promise<number>
}

export interface ListPage<Item> {
  readonly items: readonly Item[]
  /** Absent on the last page. */
  readonly next?: { readonly page: string }
  /** Number of items of the whole list; absent where it is more than `maxCounted`. */
  readonly count?: number
}

/** Counting reads what it counts: longer lists have no count. */
export const maxCounted = 10_000

type Key = readonly (string | number)[]

/** Returns one page of the query's rows; throws `invalid_page_cursor` for a cursor whose values are not of the order's types. */
export async function listPage<Item>(
  db: Db,
  query: SelectQueryBuilder<any, any, Item>,
  { order, id, page, limit, count }: ListOptions,
): Promise<ListPage<Item>> {
  const columns: OrderColumn[] = [
    ...order,
    ...(id === undefined
      ? []
      : [{ column: id, type: 'text', direction: order.at(-1)?.direction ?? 'asc' } as const]),
  ]
  const after = page === undefined ? undefined : decodeCursor(page, columns)
  const counted = async () => {
    if (count !== undefined) return { count: await count() }
    const total = await countRows(db, query)
    return total > maxCounted ? {} : { count: total }
  }
  if (limit === 0) return { items: [], ...(await counted()) }

  let rows = query.select(columns.map((column, at) => refer(column).as(keyAlias(at)))).limit(limit + 1)
  if (after) rows = rows.where(isBehind(columns, after))
  for (const column of columns) rows = rows.orderBy(refer(column), column.direction)
  const found = (await rows.execute()) as Record<string, string | number>[]

  const pageRows = found.slice(0, limit)
  const last = pageRows.at(-1)
  const items = withoutKeys(pageRows, columns.length) as Item[]
  const isLast = found.length <= limit || last === undefined
  // The only page of a list needs no counting query.
  const total = isLast && after === undefined ? { count: items.length } : await counted()
  if (isLast) return { items, ...total }
  const key = columns.map((_, at) => last[keyAlias(at)]!)
  return { items, next: { page: encodeCursor(key) }, ...total }
}

/**
 * Returns one page of items that are in memory, in the order of their keys: texts that are compared one by one, where a
 * key comes before those that it begins.
 */
export function pageOfItems<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => readonly string[],
  { page, limit }: PageRequest,
): ListPage<Item> {
  const after = page === undefined ? undefined : decodeTexts(page)
  const rest = after === undefined ? items : items.filter((item) => compareKeys(keyOf(item), after) > 0)
  const pageItems = rest.slice(0, limit)
  const last = pageItems.at(-1)
  const hasMore = last !== undefined && rest.length > limit
  return {
    items: pageItems,
    ...(hasMore && { next: { page: encodeCursor(keyOf(last)) } }),
    count: items.length,
  }
}

/** Byte by byte, as both engines sort. */
function compareKeys(a: readonly string[], b: readonly string[]): number {
  for (const [at, text] of a.entries()) {
    const other = b[at]
    if (other === undefined) return 1
    if (text !== other) return text < other ? -1 : 1
  }
  return a.length - b.length
}

/** Returns the number of rows, at most `maxCounted` + 1. */
async function countRows(db: Db, query: SelectQueryBuilder<any, any, unknown>): Promise<number> {
  const rows = query
    .clearSelect()
    .clearOrderBy()
    .select(sql`1`.as('one'))
    .limit(maxCounted + 1)
  const { rows: answer } = await sql<{
    count: number
  }>`select count(*) as count from (${rows}) as counted`.execute(db)
  return answer[0]!.count
}

function refer({ column }: OrderColumn): RawBuilder<unknown> {
  return typeof column === 'string' ? sql.ref(column) : sql`${column}`
}

function keyAlias(at: number): string {
  return `list_key_${at}`
}

/** Copied name by name: an object that a member is deleted from is slow to read ever after. */
function withoutKeys(rows: readonly Record<string, unknown>[], length: number): unknown[] {
  const keys = new Set(Array.from({ length }, (_, at) => keyAlias(at)))
  const names = Object.keys(rows[0] ?? {}).filter((name) => !keys.has(name))
  return rows.map((row) => {
    const item: Record<string, unknown> = {}
    for (const name of names) item[name] = row[name]
    return item
  })
}

/** With one direction the columns are compared as one tuple, which an index supports; else column by column. */
function isBehind(columns: readonly OrderColumn[], key: Key): RawBuilder<boolean> {
  const comparison = (at: number) => sql.raw(columns[at]!.direction === 'asc' ? '>' : '<')
  if (columns.every(({ direction }) => direction === columns[0]!.direction)) {
    return sql<boolean>`(${sql.join(columns.map(refer))}) ${comparison(0)} (${sql.join(key)})`
  }
  const alternatives = columns.map((column, at) => {
    const equal = columns.slice(0, at).map((earlier, index) => sql`${refer(earlier)} = ${key[index]}`)
    return sql`(${sql.join([...equal, sql`${refer(column)} ${comparison(at)} ${key[at]}`], sql` and `)})`
  })
  return sql<boolean>`(${sql.join(alternatives, sql` or `)})`
}

function encodeCursor(key: Key): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url')
}

/** Checks that every value is of its column's type: PostgreSQL fails on another, instead of returning nothing. */
function decodeCursor(page: string, columns: readonly OrderColumn[]): Key {
  const key = parseList(Buffer.from(page, 'base64url').toString())
  const fits =
    key.length === columns.length &&
    columns.every(({ type }, at) =>
      type === 'integer' ? Number.isSafeInteger(key[at]) : isStorable(key[at]),
    )
  if (!fits) throw new ApiError('invalid_page_cursor')
  return key as Key
}

function decodeTexts(page: string): readonly string[] {
  const key = parseList(Buffer.from(page, 'base64url').toString())
  if (key.length === 0 || !key.every((text) => typeof text === 'string'))
    throw new ApiError('invalid_page_cursor')
  return key
}

function parseList(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

/** PostgreSQL's text cannot hold the character 0. */
function isStorable(value: unknown): boolean {
  return typeof value === 'string' && !value.includes('\0')
}

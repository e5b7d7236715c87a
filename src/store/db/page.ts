/**
 * The one way a list is paged: by the sort key of the last item, never by counting rows from the start.
 *
 * A cursor holds that key and the id behind it, so it stays valid while rows are added and deleted around it,
 * and page 1,000 costs what page 1 does. Permission filters belong into the query that comes in, so that they act
 * before the limit; this file knows no table. To which list a cursor belongs is `access/route`'s to say.
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
  /** A cursor that an earlier answer gave. */
  readonly page?: string | undefined
  readonly limit: number
}

export interface ListOptions extends PageRequest {
  readonly order: readonly OrderColumn[]
  /** The unique column that breaks ties, as `table.column`; it goes the way of the last order column. Absent where there are none. */
  readonly id?: string
  /** How many items there are, of a list that knows it without counting. */
  readonly count?: () => Promise<number>
}

export interface ListPage<Item> {
  readonly items: readonly Item[]
  /** Absent on the last page. */
  readonly next?: { readonly page: string }
  /** All items of the list, whatever the page; absent where they are more than `mostCounted`. */
  readonly count?: number
}

/** Counting walks what it counts: beyond so many items a list does not say how long it is. */
export const mostCounted = 10_000

type Key = readonly (string | number)[]

/** Answers one page of the query's rows; throws `invalid_page_cursor` for a cursor whose values are not of the order's types. */
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
    return total > mostCounted ? {} : { count: total }
  }
  if (limit === 0) return { items: [], ...(await counted()) }

  let rows = query.select(columns.map((column, at) => refer(column).as(keyAlias(at)))).limit(limit + 1)
  if (after) rows = rows.where(isBehind(columns, after))
  for (const column of columns) rows = rows.orderBy(refer(column), column.direction)
  const found = (await rows.execute()) as Record<string, string | number>[]

  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  const items = withoutKeys(shown, columns.length) as Item[]
  const isLast = found.length <= limit || last === undefined
  // A list of one page is counted already.
  const total = isLast && after === undefined ? { count: items.length } : await counted()
  if (isLast) return { items, ...total }
  const key = columns.map((_, at) => last[keyAlias(at)]!)
  return { items, next: { page: encodeCursor(key) }, ...total }
}

/** Answers how many rows there are, or one more than are counted. */
async function countRows(db: Db, query: SelectQueryBuilder<any, any, unknown>): Promise<number> {
  const rows = query
    .clearSelect()
    .clearOrderBy()
    .select(sql`1`.as('one'))
    .limit(mostCounted + 1)
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

/** In one direction the columns compare as one tuple, which an index can answer; else column by column. */
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

/** Every value is checked to be of its column's type: PostgreSQL would fail on another, not answer nothing. */
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

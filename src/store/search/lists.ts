/** Lists in statements, as one parameter: a statement is the same however long its list is. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { engineOf } from '../db/database.js'
import type { Db } from '../db/database.js'

/** Answers the condition that a column holds one of the items; PostgreSQL looks each up in an index that has the column. */
export function isOneOf(db: Db, column: string, items: readonly string[]): RawBuilder<SqlBool> {
  const held = sql.ref(column)
  if (engineOf(db) === 'sqlite')
    return sql`${held} in (select value from json_each(${JSON.stringify(items)}))`
  // Elements of JSON would be joined, by a planner that takes them for a hundred and walks through the whole table.
  return sql`${held} = any(${items}::text[])`
}

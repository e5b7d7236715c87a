/** Lists in statements as one parameter, so that a statement does not depend on the length of its list. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { engineOf } from '../db/database.js'
import type { Db } from '../db/database.js'

/** Returns the condition that a column equals one of the items; PostgreSQL looks each up in an index of the column. */
export function isOneOf(db: Db, column: string, items: readonly string[]): RawBuilder<SqlBool> {
  const value = sql.ref(column)
  if (engineOf(db) === 'sqlite')
    return sql`${value} in (select value from json_each(${JSON.stringify(items)}))`
  // JSON elements would be joined by a planner that assumes a hundred of them and scans the whole table.
  return sql`${value} = any(${items}::text[])`
}

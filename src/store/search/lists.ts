/** Lists in statements: in parts, or as one parameter, so that a statement is the same however long its list is. */
import { type RawBuilder, sql } from 'kysely'
import { engineOf } from '../db/database.js'
import type { Db } from '../db/database.js'

/** Answers a list in parts that are each small enough for one statement. */
export function* chunks<Item>(items: readonly Item[], size = 200): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}

/** Answers a query for the items of a list, to be used behind `in`. */
export function listed<Item extends string | number>(db: Db, items: readonly Item[]): RawBuilder<Item> {
  const list = JSON.stringify(items)
  if (engineOf(db) === 'sqlite') return sql`(select value from json_each(${list}))`
  const type = sql.raw(typeof items[0] === 'number' ? 'bigint' : 'text')
  return sql`(select value::${type} from jsonb_array_elements_text(${list}::jsonb) as list (value))`
}

/** The filter of lists that take a part of a name. */
import { type RawBuilder, sql } from 'kysely'

/** True where the column, as `table.column`, contains the text in any case (of Latin letters: SQLite folds no others). */
export function contains(column: string, text: string): RawBuilder<boolean> {
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`
}

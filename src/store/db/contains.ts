/** Substring filter of lists. */
import { type RawBuilder, sql } from 'kysely'
import { foldLatin } from '../../core/email.js'

/** True where the column, as `table.column`, contains the text in any case (of A to Z: `lower` folds no others, on neither engine). */
export function contains(column: string, text: string): RawBuilder<boolean> {
  const pattern = `%${foldLatin(text).replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`
}

/** The file of an SQLite database, and the integrity check of the engine. */
import { sql } from 'kysely'
import { engineOf } from './database.js'
import type { Db } from './database.js'

/** Name of the database file in the data folder. */
export const sqliteFile = 'octavo.sqlite'

/** Returns what the engine finds wrong with its files; nothing for PostgreSQL, which checks itself. */
export async function checkIntegrity(db: Db): Promise<string[]> {
  if (engineOf(db) === 'postgres') return []
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check`.execute(db)
  return rows.map((row) => row.quick_check).filter((line) => line !== 'ok')
}

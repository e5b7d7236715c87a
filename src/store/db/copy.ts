/** Backup of a SQLite database, consistent under concurrent writes, and its integrity check. */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { engineOf } from './database.js'
import type { Db } from './database.js'
import { preparePrivateFile } from '../files/private-permissions.js'
import { connectSqlite } from './sqlite/connection.js'

/** Name of the database file in the data folder, and in a backup. */
export const sqliteFile = 'octavo.sqlite'

/** Writes the current state into a new file; resolves once it is on disk. */
export async function copySqlite(dataFolder: string, target: string): Promise<void> {
  const connection = await connectSqlite(join(dataFolder, sqliteFile), 'write')
  try {
    // Written into an existing empty file, which keeps its mode.
    preparePrivateFile(target)
    connection.exec(`vacuum into '${target.replaceAll("'", "''")}'`)
  } finally {
    connection.close()
  }
  const file = await open(target, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Returns what the engine finds wrong with its files; nothing for PostgreSQL, which checks itself. */
export async function checkIntegrity(db: Db): Promise<string[]> {
  if (engineOf(db) === 'postgres') return []
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check`.execute(db)
  return rows.map((row) => row.quick_check).filter((line) => line !== 'ok')
}

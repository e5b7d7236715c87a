/** A copy of a SQLite database that is consistent although others write meanwhile, and a look at its health. */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { engineOf } from './database.js'
import type { Db } from './database.js'
import { preparePrivateFile } from '../files/private.js'
import { connectSqlite } from './sqlite/connection.js'

/** File of the database in the data folder, and in a backup. */
export const sqliteFile = 'octavo.sqlite'

/** Writes the state of this moment into a new file, on disk when it answers. */
export async function copySqlite(dataFolder: string, target: string): Promise<void> {
  const connection = await connectSqlite(join(dataFolder, sqliteFile), 'write')
  try {
    // An empty file may be written into, and keeps its mode.
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

/** Answers what the engine finds wrong with its own files; nothing for PostgreSQL, which looks after itself. */
export async function checkDatabase(db: Db): Promise<string[]> {
  if (engineOf(db) === 'postgres') return []
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check`.execute(db)
  return rows.map((row) => row.quick_check).filter((line) => line !== 'ok')
}

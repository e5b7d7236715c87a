/** One connection to read by, for a thread of its own: neither migrates nor hears of commits. */
import { Kysely } from 'kysely'
import { type Db, register } from './database.js'
import { connectSqlite } from './sqlite/connection.js'
import { sqliteDialect } from './sqlite/dialect.js'
import { sessionOn } from './sqlite/session.js'
import type { Tables } from './tables.js'

/** Where the rows are: a file of SQLite, or a server. */
export type ReaderSettings = { readonly file: string } | { readonly url: string }

/** Bytes of the file that are read where the system holds them; pages behind are copied. */
const mostMapped = 2 ** 30

/** Opens the connection. */
export async function openReader(settings: ReaderSettings): Promise<Db> {
  if ('file' in settings) {
    const connection = await connectSqlite(settings.file, 'read')
    // A search reads a few hundred rows all over the file: a sixth of its time goes into copying their pages.
    connection.exec(`pragma mmap_size = ${mostMapped}`)
    return register(new Kysely<Tables>({ dialect: sqliteDialect(sessionOn(connection), 'read') }), 'sqlite')
  }
  const { connectPostgres, postgresDialect } = await import('./postgres/dialect.js')
  const pool = connectPostgres(settings.url, { most: 1 })
  return register(new Kysely<Tables>({ dialect: postgresDialect(pool) }), 'postgres')
}

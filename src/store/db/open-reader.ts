/** One read connection for a worker thread: does not migrate and does not listen for commits. */
import { Kysely } from 'kysely'
import { type Db, register } from './database.js'
import { connectSqlite } from './sqlite/connection.js'
import { sqliteDialect } from './sqlite/dialect.js'
import { sessionOn } from './sqlite/session.js'
import type { Tables } from './tables.js'

/** Location of the database: a SQLite file, or a server. */
export type ReaderSettings = { readonly file: string } | { readonly url: string }

/** Opens the connection. */
export async function openReader(settings: ReaderSettings): Promise<Db> {
  if ('file' in settings) {
    const session = sessionOn(await connectSqlite(settings.file, 'read'))
    return register(new Kysely<Tables>({ dialect: sqliteDialect(session, 'read') }), 'sqlite')
  }
  const { connectPostgres, postgresDialect } = await import('./postgres/dialect.js')
  const pool = connectPostgres(settings.url, { maxConnections: 1 })
  return register(new Kysely<Tables>({ dialect: postgresDialect(pool) }), 'postgres')
}

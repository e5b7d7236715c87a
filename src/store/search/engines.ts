/** Which engine finds words, by the database that is asked. */
import { engineOf } from '../db/database.js'
import type { Db } from '../db/database.js'
import type { SearchEngine } from './engine.js'
import { postgresSearch } from './postgres.js'
import { sqliteSearch } from './sqlite.js'

export function engineBehind(db: Db): SearchEngine {
  return engineOf(db) === 'sqlite' ? sqliteSearch : postgresSearch
}

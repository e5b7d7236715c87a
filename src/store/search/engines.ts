/** Selects the search engine of a database. */
import { engineOf } from '../db/database.js'
import type { Db } from '../db/database.js'
import type { SearchEngine } from './engine.js'
import { postgresSearch } from './postgres.js'
import { sqliteSearch } from './sqlite.js'

export function searchEngineOf(db: Db): SearchEngine {
  return engineOf(db) === 'sqlite' ? sqliteSearch : postgresSearch
}

/**
 * What was read from the database and may be answered again, until anything at all is committed.
 *
 * One memory holds values by key; every look compares the database's generation first, so a token
 * that another process revoked is gone with the next request. Costs about 3 µs a look. Absence is
 * not remembered: an attacker's guesses must not push out what people use.
 */
import type { Database } from './database.js'

export interface Memory<Value> {
  /** Returns the remembered value, or loads and remembers it. */
  get(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined>
  /** Returns the remembered value without loading; undefined when it must be loaded. */
  peek(key: string): Value | undefined
}

export function createMemory<Value>(database: Database, limit: number): Memory<Value> {
  let generation = -1
  let values = new Map<string, Value>()

  /** Forgets what is older than the database is now, and answers how new the rest is. */
  function forgetOlder(): number {
    const current = database.generation()
    if (current !== generation) {
      generation = current
      if (values.size > 0) values = new Map()
    }
    return current
  }

  return {
    peek(key) {
      forgetOlder()
      return values.get(key)
    },
    async get(key, load) {
      // Taken before the first read: what is committed from here on may be missing in what is loaded.
      const before = forgetOlder()
      const known = values.get(key)
      if (known !== undefined) return known
      const value = await load()
      if (value !== undefined && forgetOlder() === before) {
        if (values.size >= limit) values.delete(values.keys().next().value!)
        values.set(key, value)
      }
      return value
    },
  }
}

/** One memory per database, made when first asked for: what a scope keeps of the things it loads. */
export function memoryPerDatabase<Value>(limit: number): (database: Database) => Memory<Value> {
  const memories = new WeakMap<Database, Memory<Value>>()
  return (database) => {
    let memory = memories.get(database)
    if (memory === undefined) memories.set(database, (memory = createMemory(database, limit)))
    return memory
  }
}

/** Data versions on SQLite: `pragma data_version` changes with every commit, and then the commit log is read. */
import { type CommitLog, type DataVersion, createCommitLog } from '../commits.js'
import type { SqliteConnection } from './connection.js'

/**
 * Returns the data versions of SQLite. `data_version` of the reading connection changes with every commit of another
 * connection, our writer or another process, and costs 3 µs; the commit log is read only when it changed.
 */
export function sqliteDataVersions(
  reader: SqliteConnection,
): { dataVersion(): DataVersion; currentVersion(): DataVersion; forget(): void } & CommitLog {
  const log = createCommitLog()
  const dataVersionQuery = reader.prepare('pragma data_version')
  const since = reader.prepare('select id, concerns from commits where id > ? order by id')
  let version = -1
  let lastId = -1
  // Queried once per turn of the event loop: every request of the turn was sent before, so a commit that its sender
  // knew of is older than the result.
  let cached: DataVersion | undefined
  const forget = () => (cached = undefined)

  function poll(): DataVersion {
    const current = dataVersionQuery.get().data_version as number
    if (current === version) return log.now()
    version = current
    const rows = since.all(lastId) as { id: number; concerns: string }[]
    // Rows are numbered without gaps. A commit without a row may have changed anything.
    const isComplete = rows.length > 0 && rows[0]!.id === lastId + 1
    lastId = rows.at(-1)?.id ?? lastId
    return log.record(isComplete ? rows.flatMap(({ concerns }) => concerns.split(' ')) : ['everybody'])
  }

  return {
    ...log,
    forget,
    currentVersion() {
      const now = poll()
      if (cached !== undefined) cached = now
      return now
    },
    dataVersion() {
      if (cached === undefined) {
        cached = poll()
        setImmediate(forget)
      }
      return cached
    },
  }
}

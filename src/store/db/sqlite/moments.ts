/** The moments of SQLite: a number moves with every commit, and the record of commits is read when it moved. */
import { type CommitLog, type Moment, createCommitLog } from '../commits.js'
import type { SqliteConnection } from './connection.js'

/**
 * SQLite's moments. `data_version` moves on the reading connection with every commit of another one, our writer
 * or another process, and costs 3 µs; the record is read when it moved.
 */
export function sqliteMoments(
  reader: SqliteConnection,
): { moment(): Moment; momentNow(): Moment; forget(): void } & CommitLog {
  const log = createCommitLog()
  const dataVersion = reader.prepare('pragma data_version')
  const since = reader.prepare('select id, concerns from commits where id > ? order by id')
  let version = -1
  let lastId = -1
  // Asked once for all that is done before the process listens again: whatever came in by then was sent before,
  // so a commit that its sender knew of is older than the answer.
  let asked: Moment | undefined
  const forget = () => (asked = undefined)

  function ask(): Moment {
    const current = dataVersion.get().data_version as number
    if (current === version) return log.now()
    version = current
    const rows = since.all(lastId) as { id: number; concerns: string }[]
    // Rows are numbered without gaps. Whoever wrote without the record may have changed anything.
    const isWhole = rows.length > 0 && rows[0]!.id === lastId + 1
    lastId = rows.at(-1)?.id ?? lastId
    return log.follow(isWhole ? rows.flatMap(({ concerns }) => concerns.split(' ')) : ['everybody'])
  }

  return {
    ...log,
    forget,
    momentNow() {
      const now = ask()
      if (asked !== undefined) asked = now
      return now
    },
    moment() {
      if (asked === undefined) {
        asked = ask()
        setImmediate(forget)
      }
      return asked
    },
  }
}

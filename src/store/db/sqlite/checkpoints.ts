/**
 * Checkpoints: copies the write-ahead log into the database file from time to time, in the writer thread, so that the
 * thread that commits does not wait for it.
 *
 * The log is copied while others write; what they added meanwhile is copied between two of their transactions, because the
 * log begins anew only when all of it has been copied.
 */
import type { Session } from './session.js'
import type { Turns } from './dialect.js'

/** Commits between checkpoints: an edit of a page writes about thirty pages of the file. */
const commitsBetween = 32
/** Pages of the log above which the rest is copied while no one writes; the engine's own limit. */
const maxLogPages = 1_000

/** Returns a function to call after each commit. `session` executes in another thread; `turns` admits writers. */
export function createCheckpoints(session: Session, turns: Turns): () => void {
  let commits = 0
  let isRunning = false

  const copyLog = async () => {
    const { rows } = await session({ sql: 'pragma wal_checkpoint(passive)', parameters: [] })
    return rows[0] as { readonly busy: number; readonly log: number }
  }

  async function run(): Promise<void> {
    const { log } = await copyLog()
    if (log <= maxLogPages) return
    await turns.take()
    try {
      await copyLog()
    } finally {
      turns.end()
    }
  }

  return () => {
    commits += 1
    if (commits < commitsBetween || isRunning) return
    ;[commits, isRunning] = [0, true]
    // Copying is tried again after the next commits: a full disk fails the writers first.
    run()
      .catch(() => {})
      .finally(() => (isRunning = false))
  }
}

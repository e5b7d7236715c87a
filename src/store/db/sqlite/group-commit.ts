/**
 * Group commit: transactions commit in this thread without waiting for the disk, and one sync of the write-ahead log makes
 * all of them durable that committed before it began. Writers are acknowledged after it.
 *
 * A message to a writer thread for each statement costs more than executing it, and a sync for each commit lets a server
 * acknowledge no more writers than its disk makes syncs. SQLite itself syncs the log before it copies or reuses it, so a
 * power cut never damages the file; it loses at most commits that no writer was told of, though readers may have seen them.
 */
import { type FileHandle, open } from 'node:fs/promises'

export interface GroupCommit {
  /** To be called after each commit of this thread. */
  noteCommit(): void
  /** Resolves when everything that was committed before the call is on disk. */
  untilDurable(): Promise<void>
}

/** Returns a group commit; `syncLog` resolves when what was written to the log before its call is on disk. */
export function createGroupCommit(syncLog: () => Promise<void>): GroupCommit {
  let [committed, durable] = [0, 0]
  let running: Promise<void> | undefined
  let following: Promise<void> | undefined

  async function sync(): Promise<void> {
    const upTo = committed
    await syncLog()
    durable = upTo
  }

  function start(): Promise<void> {
    following = undefined
    running = sync().finally(() => (running = undefined))
    return running
  }

  return {
    noteCommit: () => void (committed += 1),
    async untilDurable() {
      if (durable === committed) return
      // A sync that has begun may miss the last commits.
      await (running === undefined ? start() : (following ??= running.then(start)))
    },
  }
}

export interface LogFile {
  sync(): Promise<void>
  close(): Promise<void>
}

/**
 * Returns the write-ahead log of a database file. A failed sync ends the process: whether the commits are on disk is unknown,
 * and a second sync may succeed without writing them. After the restart the file says what was stored.
 */
export function openLogFile(file: string): LogFile {
  let handle: Promise<FileHandle> | undefined
  return {
    async sync() {
      try {
        // The log exists until the last connection closes. The engine's locks are on other files: they do not end with this handle.
        handle ??= open(`${file}-wal`, 'r+')
        await (await handle).datasync()
      } catch (error) {
        process.nextTick(() => {
          throw new Error('The write-ahead log could not be synced', { cause: error })
        })
        throw error
      }
    },
    close: async () => void (await (await handle)?.close()),
  }
}

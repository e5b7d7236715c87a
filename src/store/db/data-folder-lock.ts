/**
 * File lock of a data folder, which the operating system releases when a process ends, however it ends.
 *
 * Two servers on one folder work, since each waits for the other's writes, but are rarely intended: the second one warns.
 */
import { join } from 'node:path'
import { preparePrivateFile } from '../files/private-permissions.js'
import { isBusy } from './sqlite/connection.js'
import { loadEngine } from './sqlite/engine.js'

export interface DataFolderLock {
  /** False when another server holds the lock. */
  readonly isAlone: boolean
  release(): void
}

/** Tries to lock the folder, without waiting. */
export async function lockDataFolder(dataFolder: string): Promise<DataFolderLock> {
  const { DatabaseSync } = await loadEngine()
  // Never written, only locked.
  const file = join(dataFolder, 'serving.lock')
  preparePrivateFile(file)
  const connection = new DatabaseSync(file)
  const release = () => connection.close()
  try {
    connection.exec('pragma busy_timeout = 0; begin exclusive')
    return { isAlone: true, release }
  } catch (error) {
    if (!isBusy(error)) throw error
    return { isAlone: false, release }
  }
}

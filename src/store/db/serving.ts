/**
 * Who serves a data folder: a lock that the system takes back when a process ends, however it ends.
 *
 * Two servers on one folder work, since each waits for the other's writes; but nobody means it, so the second says so.
 */
import { join } from 'node:path'
import { preparePrivateFile } from '../files/private.js'
import { isBusy } from './sqlite/connection.js'
import { loadEngine } from './sqlite/engine.js'

export interface Serving {
  /** False when another server has the folder. */
  readonly isAlone: boolean
  release(): void
}

/** Takes the lock of the folder, or learns that somebody else has it; waits for nobody. */
export async function serveFolder(dataFolder: string): Promise<Serving> {
  const { DatabaseSync } = await loadEngine()
  // Never written: it is there to be locked.
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

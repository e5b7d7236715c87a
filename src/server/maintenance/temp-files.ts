/** Temporary files: removes uploads and archives that killed processes left in the spool folder. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Milliseconds; longer than any request takes. */
const abandonedAfter = 24 * 60 * 60 * 1000

/** Removes the files that killed processes left in the folder; returns how many. */
export async function removeAbandonedFiles(folder: string, now: number): Promise<number> {
  let removed = 0
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const stats = await stat(path).catch(() => undefined)
    if (stats === undefined || now - stats.mtimeMs <= abandonedAfter) continue
    await rm(path, { force: true, recursive: true })
    removed += 1
  }
  return removed
}

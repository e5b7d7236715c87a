/** The folder of uploads and archives on their way, where killed processes leave theirs behind. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Older than any request. */
const abandonedAfter = 24 * 60 * 60 * 1000

/** Removes what killed processes left in the folder, and answers how many files that was. */
export async function clearAbandoned(folder: string, now: number): Promise<number> {
  let cleared = 0
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found === undefined || now - found.mtimeMs <= abandonedAfter) continue
    await rm(path, { force: true, recursive: true })
    cleared += 1
  }
  return cleared
}

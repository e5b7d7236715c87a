/** A folder of this machine read as the entries of an import. Links are never followed; nothing is written. */
import { constants } from 'node:fs'
import { lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiError } from '../../contract/errors.js'
import {
  type ArchiveEntry,
  type ArchiveLimits,
  checkCollisions,
  checkPath,
  collectBytes,
  countAgainst,
  defaultLimits,
  invalid,
  isSkipped,
  printable,
} from './archive.js'

/**
 * Yields the files under `folder` in the order of their paths, without `.git` and `node_modules`.
 * Throws an ApiError for links and other special files, and for whatever passes the limits.
 */
export async function* readFolder(
  folder: string,
  limits: Partial<ArchiveLimits> = {},
): AsyncGenerator<ArchiveEntry> {
  const count = countAgainst({ ...defaultLimits, ...limits })
  const entries: ArchiveEntry[] = []
  const waiting = ['']
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
    for (const found of await listFolder(join(folder, parent))) {
      const given = parent === '' ? found.name : `${parent}/${found.name}`
      if (isSkipped(given) || found.name === 'node_modules') continue
      const path = checkPath(given)
      if (found.name.includes('\\')) throw refuse(path, 'the name holds a backslash')
      if (found.isSymbolicLink()) throw refuse(path, 'it is a symbolic link')
      if (found.isDirectory()) {
        waiting.push(path)
        continue
      }
      if (!found.isFile()) throw refuse(path, 'it is no ordinary file')
      const { size } = await lstat(join(folder, path))
      count(path, size)
      const stream = () => readFile(join(folder, path), path, size)
      entries.push({ path, size, stream, open: () => collectBytes(stream()) })
    }
  }
  checkCollisions(entries.map(({ path }) => path))
  yield* entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

async function listFolder(path: string) {
  try {
    return await readdir(path, { withFileTypes: true })
  } catch (error) {
    throw invalid(`the folder ${printable(path)} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** A file that grew or became a link since it was listed is an error, not a surprise. */
async function* readFile(file: string, path: string, size: number): AsyncGenerator<Uint8Array> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch(
    (error: NodeJS.ErrnoException) => {
      throw invalid(`the file "${printable(path)}" cannot be read (${error.code})`)
    },
  )
  try {
    let read = 0
    for await (const piece of handle.createReadStream({ autoClose: false }) as AsyncIterable<Uint8Array>) {
      read += piece.length
      if (read > size) break
      yield piece
    }
    if (read !== size) throw invalid(`the file "${printable(path)}" changed while it was read`)
  } finally {
    await handle.close()
  }
}

function refuse(path: string, problem: string): ApiError {
  return new ApiError('archive_unsafe_path', { path: printable(path), problem })
}

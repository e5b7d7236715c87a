/** Folder reader: a local folder as import entries. Symbolic links are never followed; nothing is written. */
import { constants, type Dirent } from 'node:fs'
import { lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseConfig } from '../../core/markdown/gitbook-yaml.js'
import { configFile, joinPath } from '../../core/pages/paths.js'
import { limits as bounds } from '../../contract/limits.js'
import { decodeText } from '../../store/content/encoding.js'
import {
  type ArchiveEntry,
  type ArchiveItem,
  type LeftOutItem,
  type ArchiveReadOptions,
  byPath,
  collectBytes,
  createLimitCheck,
  defaultLimits,
  findPathProblem,
  invalid,
  isSkipped,
  linkLeftOut,
  printable,
  specialLeftOut,
} from './archive.js'
import { createExclusion, excludedFolder } from './exclusion.js'

/**
 * Yields the skipped items, then the files under `folder` in path order, without `.git`. Throws an ApiError when a
 * limit is exceeded.
 */
export async function* readFolder(
  folder: string,
  { exclude = [], limits = {} }: ArchiveReadOptions = {},
): AsyncGenerator<ArchiveItem> {
  const count = createLimitCheck({ ...defaultLimits, ...limits })
  const isExcluded = createExclusion([...exclude, ...(await excludedByConfig(folder))])
  const entries: ArchiveEntry[] = []
  const leftOut: LeftOutItem[] = []
  const pending = ['']
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    for (const found of await listFolder(join(folder, parent))) {
      const path = joinPath(parent, found.name)
      if (isSkipped(path)) continue
      const reason = reasonToLeaveOut(path, found)
      if (reason !== undefined) {
        leftOut.push({ path: printable(path), leftOut: reason })
      } else if (found.isDirectory()) {
        if (isExcluded(path)) leftOut.push(excludedFolder(path))
        else pending.push(path)
      } else {
        const { size } = await lstat(join(folder, path))
        count(path, size)
        const stream = () => readFile(join(folder, path), path, size)
        entries.push({ path, size, stream, open: () => collectBytes(stream()) })
      }
    }
  }
  yield* leftOut.toSorted(byPath)
  yield* entries.toSorted(byPath)
}

/** Names that a zip cannot contain are skipped, rather than refusing a folder that its owner has on this machine. */
function reasonToLeaveOut(path: string, found: Dirent): string | undefined {
  if (found.isSymbolicLink()) return linkLeftOut
  if (!found.isFile() && !found.isDirectory()) return specialLeftOut
  if (found.name.includes('\\')) return 'Left out: the name holds a backslash.'
  const problem = findPathProblem(path)
  return problem === undefined ? undefined : `Left out: ${problem}.`
}

async function excludedByConfig(folder: string): Promise<readonly string[]> {
  const file = join(folder, configFile)
  const found = await lstat(file).catch(() => undefined)
  if (found?.isFile() !== true || found.size > bounds.summaryBytes) return []
  return parseConfig(decodeText(await collectBytes(readFile(file, configFile, found.size)))).exclude
}

async function listFolder(path: string) {
  try {
    return await readdir(path, { withFileTypes: true })
  } catch (error) {
    throw invalid(`the folder ${printable(path)} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** A file that changed its size or became a link since it was listed is an error. */
async function* readFile(file: string, path: string, size: number): AsyncGenerator<Uint8Array> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch(
    (error: NodeJS.ErrnoException) => {
      throw invalid(`the file "${printable(path)}" cannot be read (${error.code})`)
    },
  )
  try {
    let read = 0
    for await (const chunk of handle.createReadStream({ autoClose: false }) as AsyncIterable<Uint8Array>) {
      read += chunk.length
      if (read > size) break
      yield chunk
    }
    if (read !== size) throw invalid(`the file "${printable(path)}" changed while it was read`)
  } finally {
    await handle.close()
  }
}

/**
 * File storage in a directory: `<folder>/ab/cdef…`, one file for each content; derived files in `derived`.
 *
 * Atomic writes: a file gets its name only when it is complete and on disk, so a killed process leaves at worst a temporary
 * file, which `openDirectory` deletes after a day.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { Hash } from '../../core/ids.js'
import { ignoreMissing } from './ignore-missing.js'
import { makePrivateFolder } from './private-permissions.js'
import { openDerivedDirectory } from './derived-directory.js'
import { isHash, spool, syncFolder } from './storage.js'
import type { FileStorage } from './storage.js'

const abandonedAfter = 24 * 60 * 60 * 1000

/** Returns the storage in a folder, which is created if missing. */
export async function openDirectory(folder: string): Promise<FileStorage> {
  const arriving = join(folder, 'arriving')
  await makePrivateFolder(folder)
  await makePrivateFolder(arriving)
  await clearAbandoned(arriving)

  const pathOf = (hash: Hash) => join(folder, hash.slice(0, 2), hash.slice(2))

  async function find(hash: Hash): Promise<{ size: number; storedAt: number } | undefined> {
    if (!isHash(hash)) return undefined
    const found = await ignoreMissing(stat(pathOf(hash)))
    return found && { size: found.size, storedAt: found.mtimeMs }
  }

  const findSize = async (hash: Hash) => (await find(hash))?.size

  return {
    async put(content) {
      // On the same file system as its destination, so that it can be renamed.
      const temporary = join(arriving, randomUUID())
      try {
        const stored = await spool(content, temporary)
        const path = pathOf(stored.hash)
        const now = new Date()
        const exists = await ignoreMissing(utimes(path, now, now).then(() => true))
        if (exists === undefined) {
          if (await makePrivateFolder(dirname(path))) await syncFolder(folder)
          await rename(temporary, path)
        }
        // Also when the file existed: a concurrent put may not have synced yet.
        await syncFolder(dirname(path))
        return stored
      } finally {
        await rm(temporary, { force: true })
      }
    },
    async open(hash, range) {
      const size = await findSize(hash)
      if (size === undefined) return undefined
      if (!range) return createReadStream(pathOf(hash))
      const { start, end = size } = range
      // `end` is inclusive there, so an empty range cannot be expressed.
      return end > start ? createReadStream(pathOf(hash), { start, end: end - 1 }) : Readable.from([])
    },
    findSize,
    find,
    async *list() {
      for (const first of await readdir(folder)) {
        if (first.length !== 2) continue
        for (const rest of await readdir(join(folder, first))) {
          const hash = `${first}${rest}` as Hash
          const found = await find(hash)
          if (found !== undefined) yield { hash, ...found }
        }
      }
    },
    async delete(hash) {
      if (isHash(hash)) await rm(pathOf(hash), { force: true })
    },
    derived: openDerivedDirectory(join(folder, 'derived'), arriving),
  }
}

async function clearAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > abandonedAfter) await rm(path, { force: true })
  }
}

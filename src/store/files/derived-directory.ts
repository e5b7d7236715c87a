/** Derived files in a directory: `<folder>/ab/cdef…/<name>`, a folder for each file. */
import { randomUUID } from 'node:crypto'
import { readFile, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hash } from '../../core/ids.js'
import { ignoreMissing } from './ignore-missing.js'
import { makePrivateFolder } from './private-permissions.js'
import { type DerivedFiles, isHash, spool } from './storage.js'

/** Returns the derived files of a folder, which is created with the first file; `arriving` is on the same file system. */
export function openDerivedDirectory(folder: string, arriving: string): DerivedFiles {
  const folderOf = (of: Hash) => join(folder, of.slice(0, 2), of.slice(2))
  const namesIn = async (path: string) => (await ignoreMissing(readdir(path))) ?? []

  return {
    async put(of, name, bytes) {
      const temporary = join(arriving, randomUUID())
      try {
        // Synced before it is renamed: half a picture would be served for ever.
        await spool(bytes, temporary)
        await makePrivateFolder(folderOf(of))
        await rename(temporary, join(folderOf(of), name))
      } finally {
        await rm(temporary, { force: true })
      }
    },
    read: (of, name) => ignoreMissing(readFile(join(folderOf(of), name))),
    async *list() {
      for (const first of await namesIn(folder)) {
        for (const rest of await namesIn(join(folder, first))) {
          const of = `${first}${rest}`
          if (isHash(of)) yield of
        }
      }
    },
    async delete(of) {
      if (isHash(of)) await rm(folderOf(of), { recursive: true, force: true })
    },
  }
}

/** Small files with names that their writer chooses, in a folder or below a prefix of an S3 bucket. */
import { randomUUID } from 'node:crypto'
import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreMissing } from './ignore-missing.js'
import { makePrivateFolder, privateFileMode } from './private-permissions.js'
import { syncFolder } from './storage.js'

export interface NamedFiles {
  /** Returns the bytes, undefined when there is no file of this name. */
  read(name: string): Promise<Uint8Array | undefined>
  /** Writes a whole file, or nothing; resolves once it is durable. */
  write(name: string, bytes: Uint8Array): Promise<void>
  /** Returns all names, sorted. */
  list(): Promise<readonly string[]>
  /** Deletes the file, if it exists. */
  delete(name: string): Promise<void>
}

const arriving = '.arriving-'

/** Returns the files of a folder, which is created by the first write. */
export function openNamedFolder(folder: string): NamedFiles {
  return {
    read: (name) => ignoreMissing(readFile(join(folder, name))),
    async write(name, bytes) {
      await makePrivateFolder(folder)
      const temporary = join(folder, `${arriving}${randomUUID()}`)
      try {
        await writeFile(temporary, bytes, { flag: 'wx', flush: true, mode: privateFileMode })
        await rename(temporary, join(folder, name))
        await syncFolder(folder)
      } finally {
        await rm(temporary, { force: true })
      }
    },
    async list() {
      const names = (await ignoreMissing(readdir(folder))) ?? []
      return names.filter((name) => !name.startsWith(arriving)).toSorted()
    },
    async delete(name) {
      await rm(join(folder, name), { force: true })
    },
  }
}

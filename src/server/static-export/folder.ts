/**
 * Atomic replacement of a folder: a static export is written beside its target and renamed into place when it is
 * complete, so that a web server never serves half of one. Removes only its own temporary folder and an earlier static
 * export, which it recognizes by a marker file.
 */
import { randomUUID } from 'node:crypto'
import { closeSync, open, writeSync } from 'node:fs'
import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const openFile = promisify(open)

/** Thrown with a message for the person who runs the command. */
export class StaticExportRefused extends Error {}

/** File by which a static export is recognized. */
export const exportMarker = '~octavo/twin.json'

export interface ExportFolder {
  /** Writes a file; the name is its path from the top of the export. */
  write(name: string, content: string | Uint8Array): Promise<void>
  /** Totals so far. */
  readonly files: number
  readonly bytes: number
}

/** Has `fill` write an export and moves it to `target`; an earlier export there is removed when the new one is complete. */
export async function writeExportFolder<Result>(
  target: string,
  fill: (folder: ExportFolder) => Promise<Result>,
): Promise<Result> {
  const path = resolve(target)
  const name = basename(path)
  if (name === '') throw new StaticExportRefused(`${path} cannot be the folder of a site: choose another.`)
  await requireReplaceable(path)
  await mkdir(dirname(path), { recursive: true })
  const partPath = join(dirname(path), `.${name}.${randomUUID()}.part`)
  await mkdir(partPath)
  try {
    const result = await fill(openFolder(partPath))
    await replaceFolder(partPath, path)
    return result
  } finally {
    // Its name is random: it belongs to this process alone.
    await rm(partPath, { recursive: true, force: true })
  }
}

async function findStats(path: string) {
  return lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
}

/** Throws unless the path is free, an empty folder, or an earlier export. */
async function requireReplaceable(path: string): Promise<void> {
  const existing = await findStats(path)
  if (existing === undefined) return
  if (!existing.isDirectory()) throw new StaticExportRefused(`${path} is no folder: choose another place.`)
  if ((await findStats(join(path, exportMarker))) !== undefined) return
  if ((await readdir(path)).length > 0)
    throw new StaticExportRefused(`The folder ${path} holds something else than a site: choose another.`)
}

async function replaceFolder(partPath: string, path: string): Promise<void> {
  if ((await findStats(path)) === undefined) return rename(partPath, path)
  const replacedPath = `${partPath}.old`
  await rename(path, replacedPath)
  try {
    // Checked again after the rename: no other process writes there any more.
    await requireReplaceable(replacedPath)
    await rename(partPath, path)
  } catch (error) {
    await rename(replacedPath, path)
    throw error
  }
  await rm(replacedPath, { recursive: true, force: true })
}

function openFolder(root: string): ExportFolder {
  const folders = new Map<string, Promise<unknown>>()
  let [files, bytes] = [0, 0]
  return {
    async write(name, content) {
      const parts = name.split('/')
      if (parts.some((part) => part === '' || part === '.' || part === '..' || /[\\\u0000]/.test(part)))
        throw new Error(`"${name}" is no name of a file in a folder`)
      const folder = dirname(join(root, name))
      let creation = folders.get(folder)
      if (creation === undefined) folders.set(folder, (creation = mkdir(folder, { recursive: true })))
      await creation
      // Never overwrites: a file system that treats two names as one causes an error.
      bytes += await writeNew(join(root, name), content)
      files += 1
    },
    get files() {
      return files
    },
    get bytes() {
      return bytes
    },
  }
}

/**
 * Writes a file that is not there yet, and returns its bytes. Creating it may wait for the disk; the write is a copy
 * into the page cache, which costs less than handing it to another thread.
 */
async function writeNew(path: string, content: string | Uint8Array): Promise<number> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const file = await openFile(path, 'wx')
  try {
    for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done)
  } finally {
    closeSync(file)
  }
  return bytes.length
}

/**
 * Folder export: writes an export to a local folder. Nothing is written outside of it: names are checked, and folders
 * that are symbolic links are refused. Files are written atomically (temporary file and rename).
 */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ExportFile } from './export.js'

/** An error with a sentence for the user of the command line. */
export class ExportError extends Error {}

export interface FolderOptions {
  /** Writes into a folder that is not empty; files of the same names are replaced, others stay. */
  readonly force: boolean
  readonly progress?: (filesWritten: number) => void
}

/** Writes the files and returns their number; throws `ExportError` before anything is written, where possible. */
export async function writeFolder(
  folder: string,
  files: readonly ExportFile[],
  { force, progress }: FolderOptions,
): Promise<number> {
  await mkdir(folder, { recursive: true })
  if (!force && (await readdir(folder)).length > 0) {
    throw new ExportError(`The folder ${folder} is not empty: choose another, or say --force.`)
  }
  for (const { path } of files) checkPath(path)
  const folders = new Set<string>()
  const written = new Map<string, { readonly path: string; readonly inode: number }>()
  for (const [index, file] of files.entries()) {
    const target = join(folder, file.path)
    await makeFolder(folder, dirname(file.path), folders)
    const sameName = written.get(file.path.toLowerCase())
    if (sameName !== undefined && (await findInode(target)) === sameName.inode) {
      throw new ExportError(
        `${sameName.path} and ${file.path} are one file in ${folder}: its file system does not tell cases apart.`,
      )
    }
    const temporary = join(folder, `.octavo-${randomUUID()}`)
    try {
      await pipeline(Readable.from(file.stream()), createWriteStream(temporary, { flags: 'wx' }))
      await rename(temporary, target)
    } finally {
      await rm(temporary, { force: true })
    }
    written.set(file.path.toLowerCase(), { path: file.path, inode: (await findInode(target))! })
    progress?.(index + 1)
  }
  return files.length
}

function checkPath(path: string): void {
  const parts = path.split('/')
  const isUnsafe =
    parts.some((part) => part === '' || part === '.' || part === '..' || part.toLowerCase() === '.git') ||
    path.includes('\u0000') ||
    (process.platform === 'win32' && /[\\:*?"<>|]/.test(path))
  if (isUnsafe) throw new ExportError(`The file ${path} cannot be written: its name leads elsewhere.`)
}

async function makeFolder(root: string, path: string, known: Set<string>): Promise<void> {
  if (path === '.' || known.has(path)) return
  await makeFolder(root, dirname(path), known)
  const full = join(root, path)
  try {
    await mkdir(full)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (!(await lstat(full)).isDirectory()) {
      throw new ExportError(`${full} is no folder: move it away, or choose another place.`)
    }
  }
  known.add(path)
}

async function findInode(path: string): Promise<number | undefined> {
  return (await lstat(path).catch(() => undefined))?.ino
}

/**
 * The folder of a twin: written beside its place and put there when it is whole, so that whoever serves it never has
 * half of one. Nothing is ever removed but what was made here, and a twin, which is known by a mark in it.
 */
import { randomUUID } from 'node:crypto'
import { closeSync, open, writeSync } from 'node:fs'
import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const openFile = promisify(open)

/** Thrown with a sentence for the person at the keyboard. */
export class TwinRefused extends Error {}

/** What a twin is known by. */
export const twinMark = '~octavo/twin.json'

export interface TwinFolder {
  /** Writes a file by its name from the top of the twin. */
  write(name: string, content: string | Uint8Array): Promise<void>
  /** How much was written. */
  readonly files: number
  readonly bytes: number
}

/** Has `fill` write a twin, and puts it at `target`; a twin that stood there goes when the new one is whole. */
export async function writeTwinFolder<Result>(
  target: string,
  fill: (folder: TwinFolder) => Promise<Result>,
): Promise<Result> {
  const place = resolve(target)
  const name = basename(place)
  if (name === '') throw new TwinRefused(`${place} cannot be the folder of a site: choose another.`)
  await requireReplaceable(place)
  await mkdir(dirname(place), { recursive: true })
  const arriving = join(dirname(place), `.${name}.${randomUUID()}.part`)
  await mkdir(arriving)
  try {
    const result = await fill(openFolder(arriving))
    await exchange(arriving, place)
    return result
  } finally {
    // Its name was made here, and nobody else has it.
    await rm(arriving, { recursive: true, force: true })
  }
}

async function find(path: string) {
  return lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
}

/** Throws where something stands that is neither a twin nor empty. */
async function requireReplaceable(place: string): Promise<void> {
  const there = await find(place)
  if (there === undefined) return
  if (!there.isDirectory()) throw new TwinRefused(`${place} is no folder: choose another place.`)
  if ((await find(join(place, twinMark))) !== undefined) return
  if ((await readdir(place)).length > 0)
    throw new TwinRefused(`The folder ${place} holds something else than a site: choose another.`)
}

async function exchange(arriving: string, place: string): Promise<void> {
  if ((await find(place)) === undefined) return rename(arriving, place)
  const leaving = `${arriving}.old`
  await rename(place, leaving)
  try {
    // What was put there meanwhile is looked at where nobody else writes any more.
    await requireReplaceable(leaving)
    await rename(arriving, place)
  } catch (error) {
    await rename(leaving, place)
    throw error
  }
  await rm(leaving, { recursive: true, force: true })
}

function openFolder(root: string): TwinFolder {
  const folders = new Map<string, Promise<unknown>>()
  let [files, bytes] = [0, 0]
  return {
    async write(name, content) {
      const parts = name.split('/')
      if (parts.some((part) => part === '' || part === '.' || part === '..' || /[\\\u0000]/.test(part)))
        throw new Error(`"${name}" is no name of a file in a folder`)
      const folder = dirname(join(root, name))
      let making = folders.get(folder)
      if (making === undefined) folders.set(folder, (making = mkdir(folder, { recursive: true })))
      await making
      // Never over another: where a file system takes two names for one, it is told.
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
 * Writes a file that is not there yet, and returns its bytes. Making it may wait for the disk; the rest is a copy into
 * memory of the system, which takes less than handing it to another thread.
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

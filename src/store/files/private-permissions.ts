/**
 * What is remembered is for the account that runs Octavo alone: folders 0700, files 0600, whatever its umask allows,
 * and folders that were open to others are closed. What a person exports is theirs, and is not written here.
 */
import { closeSync, fchmodSync, openSync } from 'node:fs'
import { chmod, mkdir, stat } from 'node:fs/promises'

/** The mode of every file that is written. */
export const privateFileMode = 0o600
const privateFolderMode = 0o700
const othersMask = 0o077

/** Thrown with a sentence for the operator. */
export class InsecurePermissions extends Error {}

/** Makes a folder that is missing, and closes one that is there to others; returns the first that was made. */
export async function makePrivateFolder(path: string): Promise<string | undefined> {
  const made = await mkdir(path, { recursive: true, mode: privateFolderMode })
  await restrictPermissions(path, privateFolderMode)
  return made
}

/** Closes a folder or file to others, where there is one. Throws `OpenToOthers` when it belongs to somebody else and stands open. */
export async function restrictPermissions(path: string, mode: number): Promise<void> {
  // Windows inherits who may read what from the folder around.
  if (process.platform === 'win32') return
  const found = await stat(path).catch(() => undefined)
  if (found === undefined || (found.mode & othersMask) === 0) return
  await chmod(path, mode).catch((error: NodeJS.ErrnoException) => {
    throw new InsecurePermissions(
      `Other accounts may read ${path}, and it cannot be closed to them (${error.code}): make it belong to the account that runs Octavo, and say "chmod go= ${path}".`,
    )
  })
}

/** Makes an empty file of its own before a library that knows no modes writes into it, and closes one that is there. */
export function preparePrivateFile(path: string): void {
  const file = openSync(path, 'a', privateFileMode)
  try {
    if (process.platform !== 'win32') fchmodSync(file, privateFileMode)
  } finally {
    closeSync(file)
  }
}

/**
 * Private file permissions: data is accessible only to the account that runs Octavo: folders 0700, files 0600, whatever its
 * umask, and permissions of existing folders are restricted. Not used for exports of users.
 */
import { closeSync, fchmodSync, openSync } from 'node:fs'
import { chmod, mkdir, stat } from 'node:fs/promises'

/** The mode of all files that are written. */
export const privateFileMode = 0o600
const privateFolderMode = 0o700
const othersMask = 0o077

/** Thrown with a message for the operator. */
export class InsecurePermissions extends Error {}

/** Creates a missing folder, or restricts an existing one; returns the first created folder. */
export async function makePrivateFolder(path: string): Promise<string | undefined> {
  const made = await mkdir(path, { recursive: true, mode: privateFolderMode })
  await restrictPermissions(path, privateFolderMode)
  return made
}

/** Restricts a folder or file, if it exists. Throws `InsecurePermissions` when it belongs to another account and is accessible to others. */
export async function restrictPermissions(path: string, mode: number): Promise<void> {
  // Windows inherits permissions from the parent folder.
  if (process.platform === 'win32') return
  const found = await stat(path).catch(() => undefined)
  if (found === undefined || (found.mode & othersMask) === 0) return
  await chmod(path, mode).catch((error: NodeJS.ErrnoException) => {
    throw new InsecurePermissions(
      `Other accounts may read ${path}, and it cannot be closed to them (${error.code}): make it belong to the account that runs Octavo, and say "chmod go= ${path}".`,
    )
  })
}

/** Creates an empty private file, for libraries that cannot set modes, or restricts an existing one. */
export function preparePrivateFile(path: string): void {
  const file = openSync(path, 'a', privateFileMode)
  try {
    if (process.platform !== 'win32') fchmodSync(file, privateFileMode)
  } finally {
    closeSync(file)
  }
}

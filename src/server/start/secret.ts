/**
 * Signing secret of the installation: from the settings, or generated once and stored in the database, so that all
 * processes sign alike. Older versions stored it in a file, which is migrated.
 */
import { randomBytes } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../store/db/database.js'
import { findInInstallation, setOnce } from '../../store/db/installation.js'
import type { Settings } from '../settings/settings.js'

const storedName = 'secret'

/** File of older versions in the data folder and in their backups. */
export const secretFile = 'secret'

/** Returns the secret; the first process that needs it generates it. */
export async function loadSecret(
  { secret, data }: Pick<Settings, 'secret' | 'data'>,
  database: Database,
): Promise<string> {
  if (secret !== undefined) return secret
  const known = await findInInstallation(database.read, storedName)
  if (known !== undefined) return known
  const file = join(data, secretFile)
  const former = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  const stored = await setOnce(database, storedName, former ?? randomBytes(32).toString('base64url'))
  // The file is obsolete now; one that differs belongs to another machine and stays.
  if (former === stored) await rm(file)
  return stored
}

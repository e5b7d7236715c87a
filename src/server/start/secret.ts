/**
 * The secret that signs what leaves the process: the one of the settings, or the one that the database keeps, so that
 * all processes of an installation sign alike. Older versions kept it in a file, which is taken over.
 */
import { randomBytes } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../store/db/database.js'
import { findInInstallation, setOnce } from '../../store/db/installation.js'
import type { Settings } from '../settings/settings.js'

const name = 'secret'

/** File of older versions in the data folder, and in backups that they wrote. */
export const secretFile = 'secret'

/** Returns the secret; made by the first process that needs it. */
export async function loadSecret(
  { secret, data }: Pick<Settings, 'secret' | 'data'>,
  database: Database,
): Promise<string> {
  if (secret !== undefined) return secret
  const known = await findInInstallation(database.read, name)
  if (known !== undefined) return known
  const file = join(data, secretFile)
  const former = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  const kept = await setOnce(database, name, former ?? randomBytes(32).toString('base64url'))
  // Two places for one secret would be one too many; a file that differs is another machine's, and stays.
  if (former === kept) await rm(file)
  return kept
}

/**
 * Restore: loads a backup into an empty database of either engine, and its files into either file storage.
 *
 * Files come first and all rows in one transaction after them, so a restore that fails leaves an empty database and can be
 * repeated. The schema of the backup is created, filled and then migrated to the current one. The search index and stored
 * links are derived from the rows by the server, which starts with them.
 */
import type { Hash } from '../../core/ids.js'
import { catchUpIndexes } from '../../resources/search/index-space.js'
import { hasUsers } from '../../resources/users/store.js'
import type { Database } from '../../store/db/database.js'
import { loadTables, migrationsOf } from '../../store/db/load-dump.js'
import { openDatabase } from '../../store/db/open.js'
import { dumpedTables } from '../../store/db/table-dump.js'
import type { FileStorage } from '../../store/files/storage.js'
import type { Reporter } from '../reporter.js'
import { readChunks } from './create-backup.js'
import { BackupError, type Manifest, type Repository } from './repository.js'

export interface RestoreTarget {
  readonly dataFolder: string
  readonly url: string | undefined
  readonly files: FileStorage
}

/** Restores a backup; throws `BackupError` when the target holds data, or the backup is damaged. */
export async function restoreBackup(
  repository: Repository,
  manifest: Manifest,
  { dataFolder, url, files }: RestoreTarget,
  report: Reporter,
  now: number,
): Promise<void> {
  const migrations = migrationsOf(manifest.migrations)
  if (migrations === undefined) {
    throw new BackupError(
      `The backup was made by a newer version of Octavo (it knows the migration "${manifest.migrations.at(-1)}"). Restore it with that version.`,
    )
  }
  const former = await openDatabase({ dataFolder, url, migrations })
  try {
    if (await hasUsers(former.read)) {
      const place = url === undefined ? dataFolder : 'The database of OCTAVO_DATABASE_URL'
      throw new BackupError(`${place} holds data already: restore into an empty one.`)
    }
    await restoreFiles(repository, manifest, files, report)
    await restoreRows(repository, manifest, former)
  } finally {
    await former.close()
  }
  const database = await openDatabase({ dataFolder, url })
  try {
    await catchUpIndexes(database, now)
  } finally {
    await database.close()
  }
}

async function restoreFiles(
  repository: Repository,
  manifest: Manifest,
  files: FileStorage,
  report: Reporter,
): Promise<void> {
  const task = report.startTask('Files', manifest.files)
  let done = 0
  try {
    for await (const [hash, stored] of readChunks(repository, manifest.fileChunks)) {
      const content = await repository.openFile(stored as Hash)
      const restored = await files.put(content).catch((error: unknown) => {
        throw new BackupError(`The backup is damaged: the file ${hash} cannot be read.`, { cause: error })
      })
      if (restored.hash !== hash) {
        await files.delete(restored.hash)
        throw new BackupError(`The backup is damaged: the file ${hash} was changed.`)
      }
      task.advance((done += 1))
    }
  } finally {
    task.end()
  }
}

async function restoreRows(repository: Repository, manifest: Manifest, database: Database): Promise<void> {
  const byName = new Map(manifest.tables.map((table) => [table.name, table]))
  const tables = dumpedTables.flatMap((name) => {
    const table = byName.get(name)
    if (table === undefined) return []
    return { name, columns: table.columns, rows: () => readChunks(repository, table.chunks) }
  })
  await loadTables(database, tables)
}

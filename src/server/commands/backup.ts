/**
 * `octavo backup` and `octavo restore`: a consistent copy of the data folder.
 *
 * The database snapshot comes first and the files after it: every file that the snapshot refers to exists, because files
 * are stored before they are referred to. `backup.json` is written last and marks the backup as complete. Does not copy
 * a PostgreSQL database, which has tools of its own.
 */
import { constants, createReadStream } from 'node:fs'
import { chmod, copyFile, open, readFile, readdir, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import type { Hash } from '../../core/ids.js'
import { listBlobs } from '../../store/content/verify.js'
import { copySqlite, sqliteFile } from '../../store/db/copy.js'
import { openDirectory } from '../../store/files/directory.js'
import {
  makePrivateFolder,
  preparePrivateFile,
  privateFileMode,
} from '../../store/files/private-permissions.js'
import { isHash } from '../../store/files/storage.js'
import { filesFolder, openFiles } from '../start/open.js'
import { secretFile } from '../start/secret.js'
import type { Settings } from '../settings/settings.js'
import {
  CommandError,
  type CommandContext,
  exists,
  reportOf,
  settingsOf,
  withData,
} from './command-context.js'
import type { Reporter } from '../reporter.js'

const manifestFile = 'backup.json'

interface Manifest {
  readonly format: 1
  readonly createdAt: string
  readonly engine: 'sqlite' | 'postgres'
  readonly files: number
}

export function addBackup(program: Command): void {
  program
    .command('backup')
    .description('Copy everything into a new folder, also while a server runs')
    .argument('<folder>')
    .action((folder: string, _flags: object, command: Command) =>
      withData(command, (context) => runBackup(context, resolve(folder))),
    )
  program
    .command('restore')
    .description('Make the data folder from a backup; it must not hold data already')
    .argument('<folder>', 'as "backup" wrote it')
    .action(async (folder: string, _flags: object, command: Command) => {
      await runRestore(await settingsOf(command), reportOf(command), resolve(folder))
    })
}

async function runBackup(
  { settings, database, services, report, now }: CommandContext,
  folder: string,
): Promise<void> {
  await makePrivateFolder(folder)
  if ((await readdir(folder)).length > 0)
    throw new CommandError(`${folder} is not empty: choose a new folder.`)
  if (database.engine === 'sqlite') await copySqlite(settings.data, join(folder, sqliteFile))
  else report.warn('The database is PostgreSQL: copy it with pg_dump before this; files follow.', {})

  const blobs = await listBlobs(database.read)
  const copies = await openDirectory(filesFolder({ data: folder }))
  const task = report.startTask('Files', blobs.length)
  try {
    for (const [index, { hash }] of blobs.entries()) {
      const bytes = await services.files.open(hash)
      if (bytes === undefined) throw new CommandError(`The file ${hash} is missing: see "octavo doctor".`)
      const stored = await copies.put(bytes)
      if (stored.hash !== hash) throw new CommandError(`The file ${hash} is damaged: see "octavo doctor".`)
      task.advance(index + 1)
    }
  } finally {
    task.end()
  }
  const manifest: Manifest = {
    format: 1,
    createdAt: new Date(now).toISOString(),
    engine: database.engine,
    files: blobs.length,
  }
  await writeFile(join(folder, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`, {
    flush: true,
    mode: privateFileMode,
  })
  report.result(`The backup is whole: ${folder}, ${blobs.length} files`, { folder, ...manifest })
}

async function runRestore(settings: Settings, report: Reporter, folder: string): Promise<void> {
  const manifest = await readManifest(folder)
  const database = join(settings.data, sqliteFile)
  if (await exists(database)) {
    throw new CommandError(`${settings.data} holds data already: name another folder with --data.`)
  }
  const spoolFolder = join(settings.data, 'spool')
  await makePrivateFolder(settings.data)
  await makePrivateFolder(spoolFolder)
  const files = await openFiles(settings, spoolFolder)
  const stored = await listStoredFiles(filesFolder({ data: folder }))
  const task = report.startTask('Files', stored.length)
  try {
    for (const [index, { hash, path }] of stored.entries()) {
      const { hash: actualHash } = await files.put(createReadStream(path))
      if (actualHash !== hash)
        throw new CommandError(`The backup is damaged: ${path} is not what its name says.`)
      task.advance(index + 1)
    }
  } finally {
    task.end()
  }
  // Backups of older versions only: newer ones store it in the database.
  const secret = join(folder, secretFile)
  if (await exists(secret)) await copySecret(secret, join(settings.data, secretFile))
  // Last: without a database the folder counts as empty, so a failed restore can be repeated.
  if (manifest.engine === 'sqlite') await copyDurably(join(folder, sqliteFile), database)
  else report.warn('The database was PostgreSQL: restore it with its own tools.', {})
  report.result(`${settings.data} is as it was on ${manifest.createdAt}.`, {
    data: settings.data,
    ...manifest,
  })
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch(() => undefined)
  if (text === undefined)
    throw new CommandError(`${folder} is no backup, or not a whole one: it has no ${manifestFile}.`)
  const manifest = JSON.parse(text) as Manifest
  if (manifest.format !== 1) throw new CommandError(`${folder} was written by a newer version of Octavo.`)
  return manifest
}

async function listStoredFiles(folder: string): Promise<{ hash: Hash; path: string }[]> {
  const stored: { hash: Hash; path: string }[] = []
  for (const first of await readdir(folder)) {
    if (first.length !== 2) continue
    for (const rest of await readdir(join(folder, first))) {
      const hash = first + rest
      if (isHash(hash)) stored.push({ hash, path: join(folder, first, rest) })
    }
  }
  return stored
}

async function copySecret(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL)
  await chmod(to, privateFileMode)
}

async function copyDurably(from: string, to: string): Promise<void> {
  const partPath = `${to}.part`
  preparePrivateFile(partPath)
  await copyFile(from, partPath)
  await chmod(partPath, privateFileMode)
  const file = await open(partPath, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(partPath, to)
}

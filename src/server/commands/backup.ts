/** `octavo backup` and `octavo restore`: backups of database and files in a folder or a bucket. */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { createBackup } from '../backup/create-backup.js'
import { pruneBackups } from '../backup/prune-backups.js'
import { BackupError, type Repository, openRepository } from '../backup/repository.js'
import { restoreBackup } from '../backup/restore-backup.js'
import { runChecks } from '../doctor/run-checks.js'
import { makePrivateFolder } from '../../store/files/private-permissions.js'
import { openFiles } from '../settings/file-storage.js'
import { openOctavo } from '../start/open.js'
import { type Settings, readSettings } from '../settings/settings.js'
import type { Reporter } from '../reporter.js'
import { CommandError, type CommandContext, reportOf, settingsOf, withData } from './command-context.js'

const where = 'folder, or s3://bucket/prefix with the usual AWS variables'

interface BackupFlags {
  readonly retain?: number
  readonly verify?: boolean
}

interface RestoreFlags {
  readonly list?: boolean
  readonly backup?: string
}

export function addBackup(program: Command): void {
  program
    .command('backup')
    .description(
      'Copy database and files, also while a server runs; what is there already is not copied again',
    )
    .argument('<target>', where)
    .option('--retain <count>', 'delete all but the newest backups in the target', parseCount)
    .option('--verify', 'restore it into a temporary folder and run "doctor" there')
    .action((target: string, flags: BackupFlags, command: Command) =>
      withData(command, (context) => runBackup(context, pathOf(target), flags)),
    )
  program
    .command('restore')
    .description('Restore a backup into an empty data folder or PostgreSQL database; the engines may differ')
    .argument('<target>', where)
    .option('--backup <name>', 'the newest by default')
    .option('--list', 'list the backups instead')
    .action(async (target: string, flags: RestoreFlags, command: Command) => {
      await runRestore(await settingsOf(command), reportOf(command), pathOf(target), flags)
    })
}

function parseCount(text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('It must be a number from 1 up.')
  return count
}

const pathOf = (target: string): string => (target.startsWith('s3://') ? target : resolve(target))

const bytesFormat = new Intl.NumberFormat('en', { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 })

async function runBackup(
  { settings, database, services, report, now }: CommandContext,
  target: string,
  { retain, verify = false }: BackupFlags,
): Promise<void> {
  const repository = await openRepository(target, repositoryOptions(settings, services.spoolFolder), 'write')
  const source = {
    database,
    dataFolder: settings.data,
    url: settings.databaseUrl,
    files: services.files,
  }
  const { name, manifest } = await createBackup(source, repository, report, now)
  if (verify) await verifyBackup(repository, name, report, now)
  const removed = retain === undefined ? 0 : await pruneBackups(repository, retain, now)
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  const state = verify ? 'complete and verified' : 'complete'
  report.result(
    `The backup ${name} is ${state}: ${rows} rows of the database (${database.engine}), ` +
      `${manifest.files} files (${bytesFormat.format(manifest.fileBytes / 1e6)}), in ${target}`,
    { target, backup: name, engine: database.engine, rows, files: manifest.files, verified: verify, removed },
  )
}

function repositoryOptions({ backupPassphrase: passphrase }: Settings, spoolFolder: string) {
  return { passphrase, spoolFolder }
}

/** Restores into a temporary folder and checks everything there; throws `BackupError` when anything is wrong. */
async function verifyBackup(
  repository: Repository,
  name: string,
  report: Reporter,
  now: number,
): Promise<void> {
  const folder = join(tmpdir(), `octavo-verify-${randomUUID()}`)
  await makePrivateFolder(folder)
  try {
    const settings = await readSettings({ data: folder }, {}, folder)
    const files = await openFiles(settings, join(folder, 'spool'))
    const target = { dataFolder: folder, url: undefined, files }
    await restoreBackup(repository, await repository.readManifest(name), target, report, now)
    const { services, database, close } = await openOctavo(settings, now, 'command')
    try {
      // Repairs what a restore leaves to the server: the search index.
      const { problems } = await runChecks({ services, database, report, now }, { isRepairing: true })
      if (problems > 0) throw new BackupError(`The backup ${name} has ${problems} problems; see above.`)
    } finally {
      await close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function runRestore(
  settings: Settings,
  report: Reporter,
  target: string,
  { list = false, backup }: RestoreFlags,
): Promise<void> {
  const spoolFolder = join(settings.data, 'spool')
  const repository = await openRepository(target, repositoryOptions(settings, spoolFolder), 'read')
  const names = await repository.listSnapshots()
  if (list) {
    for (const name of names) report.result(name, { backup: name })
    return
  }
  const name = backup ?? names.at(-1)
  if (name === undefined) throw new CommandError(`There is no complete backup in ${target}.`)
  const manifest = await repository.readManifest(name)
  const files = await openFiles(settings, spoolFolder)
  const { data, databaseUrl: url } = settings
  await restoreBackup(repository, manifest, { dataFolder: data, url, files }, report, Date.now())
  const database = url === undefined ? data : 'The PostgreSQL database'
  report.result(
    `${database} is as it was on ${manifest.createdAt}. The server builds the search index when it starts.`,
    {
      backup: name,
      createdAt: manifest.createdAt,
      from: manifest.engine,
      to: url === undefined ? 'sqlite' : 'postgres',
    },
  )
}

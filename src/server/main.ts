/** Command line: its commands work on the data directly, also while a server runs on it. */
import { Command } from 'commander'
import { ApiError } from '../contract/errors.js'
import { BackupError } from './backup/repository.js'
import { CommandError } from './commands/command-context.js'
import { ExportError } from '../resources/exports/write-folder.js'
import { InsecurePermissions } from '../store/files/private-permissions.js'
import { PrintFailed } from '../store/printing/printer.js'
import { SiteConfigRefused } from './site-config/read-config.js'
import { StaticExportRefused } from './static-export/folder.js'
import { operatorMessage } from './operator-message.js'
import { SettingsError } from './settings/settings-errors.js'
import { packageVersion } from './package-root.js'

type AddCommand = (program: Command) => void

/**
 * Commands by name, each loaded by itself: what the web server and imports need is more than half of the time of a start,
 * and most commands need neither.
 */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import('./commands/serve.js')).addServe,
  import: async () => (await import('./commands/import.js')).addImport,
  export: async () => (await import('./commands/export.js')).addExport,
  translate: async () => (await import('./commands/translate.js')).addTranslate,
  user: async () => (await import('./commands/user.js')).addUser,
  token: async () => (await import('./commands/token.js')).addToken,
  backup: async () => (await import('./commands/backup.js')).addBackup,
  restore: async () => (await import('./commands/backup.js')).addBackup,
  doctor: async () => (await import('./commands/doctor.js')).addDoctor,
}

/** Adds the command that the arguments begin with; all where they begin with none, as the help of the program does. */
async function addCommands(program: Command, first: string | undefined): Promise<void> {
  if (first === '--version' || first === '-V') return
  const names = first !== undefined && Object.hasOwn(commands, first) ? [first] : Object.keys(commands)
  const added = await Promise.all(names.map((name) => commands[name]!()))
  for (const add of new Set(added)) add(program)
}

/** Runs the command of these arguments (as of `process.argv`); an error is one line, and the exit code 1. */
export async function main(argv: readonly string[]): Promise<void> {
  const program = new Command('octavo')
    .description('Self-hosted documentation platform')
    .version(packageVersion(), '-V, --version', 'say which version this is')
    .option('--data <folder>', 'folder of everything that is remembered (OCTAVO_DATA, ./data)')
    .option('--database-url <url>', 'postgres://… instead of SQLite in the data folder (OCTAVO_DATABASE_URL)')
    .option('--files-url <url>', 's3://… instead of the data folder (OCTAVO_FILES_URL)')
    .option('--url <url>', 'public base URL (OCTAVO_URL)')
    .option('--json', 'for machines: one JSON object per line')
    .showHelpAfterError()
    .configureHelp({ showGlobalOptions: true })
  try {
    await addCommands(program, argv[2])
    await program.parseAsync(argv)
  } catch (error) {
    process.exitCode = 1
    const message = messageOf(error)
    const { json } = program.opts<{ json?: boolean }>()
    process.stderr.write(json ? `${JSON.stringify({ event: 'error', message })}\n` : `octavo: ${message}\n`)
  }
}

const userErrors = [
  ApiError,
  BackupError,
  CommandError,
  SiteConfigRefused,
  ExportError,
  InsecurePermissions,
  SettingsError,
  StaticExportRefused,
]

/** Returns the sentence of an error that the user can correct; any other error comes with its stack. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof PrintFailed) return `The PDF could not be made: ${error.message}.`
  const sentence = operatorMessage(error)
  if (sentence !== undefined) return sentence
  if (userErrors.some((kind) => error instanceof kind) || 'code' in error) return error.message
  return error.stack ?? error.message
}

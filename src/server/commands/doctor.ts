/** `octavo doctor`: integrity check of the database, the files and the content; the checks are in `server/doctor`. */
import type { Command } from 'commander'
import { runChecks } from '../doctor/run-checks.js'
import { CommandError, type CommandContext, withData } from './command-context.js'

interface Flags {
  readonly repair?: boolean
}

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('Read everything and check that it is whole; exits with 1 when something is not')
    .option(
      '--repair',
      'make anew what follows from the rest: the search index, the directory, orders, paths and links',
    )
    .action((flags: Flags, command: Command) => withData(command, (context) => runDoctor(context, flags)))
}

async function runDoctor(context: CommandContext, { repair = false }: Flags): Promise<void> {
  const { settings, database, report } = context
  // Opening the database has migrated the schema, or failed with a message.
  report.result(`Data in ${settings.data}, database: ${database.engine}, schema current`, {
    data: settings.data,
    engine: database.engine,
  })
  const { files, heads, problems, repaired } = await runChecks(context, { isRepairing: repair })
  const mended = repaired > 0 ? ` ${repaired} things were repaired.` : ''
  if (problems > 0) throw new CommandError(`${problems} things are wrong; see above.${mended}`)
  report.result(`${files} files and ${heads} heads are whole.${mended}`, { files, heads, repaired })
}

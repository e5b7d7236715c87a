/** `octavo doctor`: is everything there that the data names, and is it what it was; see `server/doctor`. */
import type { Command } from 'commander'
import { examine } from '../doctor/run-checks.js'
import { CommandError, type Frame, withData } from './command-context.js'

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
    .action((flags: Flags, command: Command) => withData(command, (frame) => runDoctor(frame, flags)))
}

async function runDoctor(frame: Frame, { repair = false }: Flags): Promise<void> {
  const { settings, database, report } = frame
  // Opening it has brought the schema up to date, or failed with a sentence.
  report.result(`Data in ${settings.data}, database: ${database.engine}, schema current`, {
    data: settings.data,
    engine: database.engine,
  })
  const { files, heads, problems, repaired } = await examine(frame, { isRepairing: repair })
  const mended = repaired > 0 ? ` ${repaired} things were repaired.` : ''
  if (problems > 0) throw new CommandError(`${problems} things are wrong; see above.${mended}`)
  report.result(`${files} files and ${heads} heads are whole.${mended}`, { files, heads, repaired })
}

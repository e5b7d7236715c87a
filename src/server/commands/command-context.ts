/** Command context: what all commands share, which is settings from flags, the opened data, and a reporter. */
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { Services } from '../../access/route/scope.js'
import type { UserId } from '../../core/ids.js'
import {
  type OrganizationRow,
  findFirstAdmin,
  listOrganizations,
} from '../../resources/organizations/store.js'
import { type UserRow, findUserByEmail } from '../../resources/users/store.js'
import type { Database, Db } from '../../store/db/database.js'
import { openOctavo } from '../start/open.js'
import { type Settings, readSettings } from '../settings/settings.js'
import { type Reporter, createReporter } from '../reporter.js'

/** Thrown with a message for the person who runs the command. */
export class CommandError extends Error {}

export interface CommandContext {
  readonly settings: Settings
  readonly services: Services
  readonly database: Database
  readonly report: Reporter
  /** Milliseconds since 1970, when the command began. */
  readonly now: number
}

/** In milliseconds. */
export const day = 24 * 60 * 60 * 1000

/** Flags of every command, by the names of their settings. */
interface CommonFlags {
  readonly data?: string
  readonly databaseUrl?: string
  readonly filesUrl?: string
  readonly url?: string
  readonly json?: boolean
}

export function reportOf(command: Command): Reporter {
  return createReporter({ json: command.optsWithGlobals<CommonFlags>().json === true })
}

/** Returns the flags that are settings, for `readSettings`. */
export function settingFlags(command: Command): Omit<CommonFlags, 'json'> {
  const { data, databaseUrl, filesUrl, url } = command.optsWithGlobals<CommonFlags>()
  return {
    ...(data !== undefined && { data }),
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(filesUrl !== undefined && { filesUrl }),
    ...(url !== undefined && { url }),
  }
}

export function settingsOf(command: Command): Promise<Settings> {
  return readSettings(settingFlags(command), process.env, process.cwd())
}

/** Opens the data, runs the work and closes the data; throws when there is none, rather than create it. */
export async function withData(
  command: Command,
  work: (context: CommandContext) => Promise<void>,
): Promise<void> {
  const settings = await settingsOf(command)
  if (settings.databaseUrl === undefined && !(await exists(join(settings.data, 'octavo.sqlite')))) {
    throw new CommandError(
      `There is no Octavo data in ${settings.data}: start "octavo serve" there once, or name the folder with --data.`,
    )
  }
  const now = Date.now()
  const { services, database, close } = await openOctavo(settings, now, 'command').catch((error: unknown) => {
    throw new CommandError(error instanceof Error ? error.message : String(error))
  })
  const report = reportOf(command)
  try {
    await work({ settings, services, database, report, now })
  } finally {
    // Reported only: the work is done, or has failed with an error of its own.
    await close().catch((error: unknown) => {
      const problem = `Closing the data failed: ${error instanceof Error ? error.message : String(error)}`
      report.warn(problem, { problem })
    })
  }
}

/** Returns the organization with this id or hostname; the only one when none is named. */
export async function chooseOrganization(db: Db, argument: string | undefined): Promise<OrganizationRow> {
  const all = await listOrganizations(db)
  const found = all.filter(
    ({ id, hostname }) => argument === undefined || argument === id || argument === hostname,
  )
  if (found.length === 1) return found[0]!
  const hostnames = all.map(({ hostname }) => hostname).join(', ')
  if (argument !== undefined)
    throw new CommandError(`There is no organization "${argument}"; known: ${hostnames}.`)
  if (all.length === 0) throw new CommandError('There is no organization yet: start "octavo serve" once.')
  throw new CommandError(`Say which organization is meant with --org: ${hostnames}.`)
}

/** Returns the user as whom commands act in an organization: its first admin. */
export async function actingUser(db: Db, { id, title }: OrganizationRow): Promise<UserId> {
  const admin = await findFirstAdmin(db, id)
  if (admin === undefined) throw new CommandError(`The organization ${title} has no admin to act for.`)
  return admin
}

export async function getUser(db: Db, email: string): Promise<UserRow> {
  const user = await findUserByEmail(db, email)
  if (user === undefined) throw new CommandError(`There is no user with the address ${email}.`)
  return user
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

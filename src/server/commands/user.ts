/** `octavo user`: people, and links that sign them in. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Command } from 'commander'
import type { UserId } from '../../core/ids.js'
import { newId } from '../../access/ids.js'
import { requireFitPassword, setPassword } from '../../access/signin/passwords.js'
import { unlinkAccounts } from '../../access/signin/provider-accounts.js'
import { endCredentials } from '../../access/signin/credentials.js'
import { notifyOwner } from '../../access/signin/notices.js'
import { insertSignInLink } from '../../access/signin/sessions.js'
import { markEmailVerified } from '../../access/signin/verified-email.js'
import { type Role, roles } from '../../contract/shapes.js'
import { insertMember } from '../../resources/organizations/store.js'
import { findUserByEmail, insertUser, listUsers } from '../../resources/users/store.js'
import { CommandError, chooseOrganization, getUser, withData } from './command-context.js'

interface NewUserFlags {
  readonly name?: string
  readonly org?: string
  readonly role: string
}

export function addUser(program: Command): void {
  const user = program.command('user').description('People, and links that sign them in')

  user
    .command('create')
    .description('Make a user and add them to an organization')
    .argument('<email>')
    .option('--name <name>', 'as others see it; the first part of the address without it')
    .option('--org <id or hostname>', 'the organization')
    .option('--role <role>', [...roles, 'guest'].join(', '), 'edit')
    .action((email: string, flags: NewUserFlags, command: Command) =>
      withData(command, async ({ database, report, now }) => {
        if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new CommandError(`${email} is no e-mail address.`)
        const role = roleOf(flags.role)
        const organization = await chooseOrganization(database.read, flags.org)
        const id = newId<UserId>()
        const displayName = (flags.name ?? email.split('@')[0]!).slice(0, 64)
        await database.write(async (tx) => {
          const other = await findUserByEmail(tx, email)
          if (other !== undefined)
            throw new CommandError(`There is a user with the address ${email} already.`)
          await insertUser(tx, { id, displayName, email, now })
          await markEmailVerified(tx, id, now)
          await insertMember(tx, { organizationId: organization.id, userId: id, role, now })
        })
        report.result(`${email} is a user of ${organization.title}, role ${flags.role}.`, {
          id,
          email,
          organization: organization.id,
          role,
        })
      }),
    )

  user
    .command('list')
    .description('All users')
    .action((_flags: object, command: Command) =>
      withData(command, async ({ database, report }) => {
        for (const { id, email, display_name: name } of await listUsers(database.read)) {
          report.result(`${id}  ${email ?? '(no address)'}  ${name}`, { id, email, displayName: name })
        }
      }),
    )

  user
    .command('sign-in-link')
    .description('Make a link that signs a user in, once, within a day')
    .argument('<email>')
    .action((email: string, _flags: object, command: Command) =>
      withData(command, async ({ database, services, report, now }) => {
        const { id } = await getUser(database.read, email)
        const secret = await database.write((tx) => insertSignInLink(tx, id, now))
        const url = services.addresses.app(`/~octavo/sign-in?link=${secret}`)
        report.result(url, { url, user: id })
      }),
    )

  user
    .command('unlink')
    .description(
      'Forget the account at the OpenID provider that a user came with; the next one is linked anew',
    )
    .argument('<email>')
    .action((email: string, _flags: object, command: Command) =>
      withData(command, async ({ database, report }) => {
        const { id } = await getUser(database.read, email)
        const unlinked = await database.write((tx) => unlinkAccounts(tx, id))
        if (unlinked === 0) throw new CommandError(`${email} is not linked to any account.`)
        report.result(`${email} is linked to no account any more.`, { user: id, unlinked })
      }),
    )

  user
    .command('password')
    .description('Set the password of a user, read from standard input; their sessions, tokens and links end')
    .argument('<email>')
    .action((email: string, _flags: object, command: Command) =>
      withData(command, async ({ database, report, now }) => {
        const { id } = await getUser(database.read, email)
        const password = await readSecret(`New password of ${email}: `)
        requireFitPassword(password, email)
        await database.write(async (tx) => {
          await setPassword(tx, id, password, now)
          await endCredentials(tx, id, now)
          await notifyOwner(tx, { userId: id, notice: 'passwordSet', at: now })
        })
        report.result(`${email} has a new password.`, { user: id })
      }),
    )
}

/** Reads one line without echo; never takes a secret as an argument, which every process could read. */
async function readSecret(question: string): Promise<string> {
  const isTerminal = process.stdin.isTTY
  if (isTerminal) process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTerminal })
  for await (const line of lines) {
    lines.close()
    if (isTerminal) process.stderr.write('\n')
    return line
  }
  throw new CommandError('There is no password on standard input.')
}

/** Returns null for a guest. */
function roleOf(text: string): Role | null {
  if (text === 'guest') return null
  const role = roles.find((known) => known === text)
  if (role === undefined) throw new CommandError(`--role takes one of ${[...roles, 'guest'].join(', ')}.`)
  return role
}

/** `octavo token`: API tokens of users. A token is printed once, when it is created. */
import type { Command } from 'commander'
import { listTokens, revokeToken } from '../../access/signin/list-tokens.js'
import { newApiToken } from '../../access/signin/secrets.js'
import { insertToken } from '../../access/signin/tokens.js'
import { CommandError, day, getUser, withData } from './command-context.js'

const time = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : new Date(milliseconds).toISOString()

export function addToken(program: Command): void {
  const token = program.command('token').description('API tokens')

  token
    .command('create')
    .description('Make a token for a user and show it, once')
    .argument('<email>')
    .option('--label <label>', 'what it is for', 'Command line')
    .option('--expires <days>', 'days until it expires')
    .action((email: string, flags: { label: string; expires?: string }, command: Command) =>
      withData(command, async ({ database, report, now }) => {
        const user = await getUser(database.read, email)
        const secret = newApiToken()
        const expiresAt = flags.expires === undefined ? undefined : now + daysOf(flags.expires) * day
        await database.write((tx) =>
          insertToken(tx, {
            userId: user.id,
            token: secret,
            label: flags.label.slice(0, 50),
            now,
            ...(expiresAt !== undefined && { expiresAt }),
          }),
        )
        report.result(secret, { token: secret, user: user.id, label: flags.label })
      }),
    )

  token
    .command('list')
    .description('The tokens of a user that still work')
    .argument('<email>')
    .action((email: string, _flags: object, command: Command) =>
      withData(command, async ({ database, report }) => {
        const user = await getUser(database.read, email)
        for (const { id, label, ...times } of await listTokens(database.read, user.id)) {
          const members = {
            id,
            label,
            createdAt: time(times.createdAt),
            expiresAt: time(times.expiresAt),
            lastUsedAt: time(times.lastUsedAt),
          }
          const expires = members.expiresAt === null ? 'no expiry' : `expires ${members.expiresAt}`
          report.result(`${id}  ${label}  ${expires}  last used ${members.lastUsedAt ?? 'never'}`, members)
        }
      }),
    )

  token
    .command('revoke')
    .description('Make a token useless at once')
    .argument('<id>', 'as "token list" shows it')
    .action((id: string, _flags: object, command: Command) =>
      withData(command, async ({ database, report, now }) => {
        const isRevoked = await database.write((tx) => revokeToken(tx, id, now))
        if (!isRevoked) throw new CommandError(`There is no token ${id}, or it was revoked before.`)
        report.result(`The token ${id} is revoked.`, { id })
      }),
    )
}

function daysOf(text: string): number {
  const days = Number(text)
  if (!(days > 0)) throw new CommandError('--expires takes a number of days above 0.')
  return days
}

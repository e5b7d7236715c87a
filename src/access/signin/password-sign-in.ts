/**
 * Signing in with e-mail address and password. An unknown address, a person without a password and a wrong
 * password get the same answer in the same time.
 */
import { ApiError } from '../../contract/errors.js'
import { foldEmail } from '../../core/email.js'
import type { UserId } from '../../core/ids.js'
import type { Database } from '../../store/db/database.js'
import { recordPersonal } from '../audit/record.js'
import { addressKey, attemptsAt, type Allowance } from './attempts.js'
import { isPassword } from './passwords.js'
import { type Arriving, startSession } from './sessions.js'

const minute = 60 * 1000
export const attemptsPerAccount: Allowance = { limit: 10, window: 15 * minute }
export const attemptsPerAddress: Allowance = { limit: 60, window: 15 * minute }

/** Returns the secret of a new session; throws 401 for a wrong pair and 429 for too many. */
export async function signInWithPassword(
  database: Database,
  { email, password }: { readonly email: string; readonly password: string },
  arriving: Arriving,
): Promise<string> {
  const { now, ip } = arriving
  const attempts = attemptsAt(database)
  const address = foldEmail(email.trim())
  const account = `account ${address}`
  attempts.take(addressKey(ip), attemptsPerAddress, now)
  attempts.take(account, attemptsPerAccount, now)

  const user = await database.read
    .selectFrom('users')
    .select(['id', 'password_hash'])
    .where('email', '=', address)
    .executeTakeFirst()
  if (!(await isPassword(user?.password_hash, password))) {
    // Also for nobody, so that the write does not tell who exists.
    await recordRefusal(database, user?.id, arriving)
    throw new ApiError('sign_in_failed')
  }
  attempts.forget(account)
  return database.write((tx) =>
    startSession(tx, { userId: user!.id, openedBy: 'password', organizationId: null }, arriving),
  )
}

async function recordRefusal(
  database: Database,
  userId: UserId | undefined,
  { now, ip, userAgent }: Arriving,
): Promise<void> {
  const id = userId ?? ('' as UserId)
  await database.write((tx) =>
    recordPersonal(
      tx,
      { userId: id, onlyIn: null },
      {
        action: 'signInRefused',
        thing: id,
        detail: 'password',
        actorId: null,
        origin: { ip, userAgent },
        now,
      },
    ),
  )
}

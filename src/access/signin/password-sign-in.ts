/**
 * Signing in with e-mail address and password. An unknown address, a user without a password and a wrong password get
 * the same answer in the same time.
 *
 * Attempts are counted by account and IP address together, so that brute force from one address locks no one out
 * elsewhere; by account from all unknown devices, with a slow limit, because addresses are cheap; and separately for
 * each known device of the account, so that its owner can sign in during an attack.
 */
import { ApiError } from '../../contract/errors.js'
import { foldEmail } from '../../core/email.js'
import type { UserId } from '../../core/ids.js'
import type { Allowance } from '../../store/db/attempts.js'
import type { Database } from '../../store/db/database.js'
import { noLocks, peopleLock } from '../../store/db/lock-scope.js'
import { recordPersonalAudit } from './personal-audit.js'
import { addressKey, takeAttempt } from './rate-limit.js'
import { isKnownDevice, rememberDevice } from './known-devices.js'
import { isPassword } from './passwords.js'
import { hashSecret } from './secrets.js'
import { type SignInContext, startSession } from './sessions.js'

const minute = 60 * 1000
/** For one account, from one known device or from one IP address. */
export const attemptsPerAccount: Allowance = { limit: 10, window: 15 * minute }
/** From one IP address, for all accounts together. */
export const attemptsPerAddress: Allowance = { limit: 60, window: 15 * minute }
/** For one account, from all unknown devices together: 2,400 guesses a day, from however many addresses. */
export const attemptsFromUnknown: Allowance = { limit: 100, window: 60 * minute }

/** Returns the secret of a new session; throws 401 for a wrong pair and 429 for too many. */
export async function signInWithPassword(
  database: Database,
  { email, password }: { readonly email: string; readonly password: string },
  arriving: SignInContext,
): Promise<string> {
  const { now, device } = arriving
  const address = foldEmail(email.trim())
  const user = await database.read
    .selectFrom('users')
    .select(['id', 'password_hash'])
    .where('email', '=', address)
    .executeTakeFirst()
  const isKnown =
    user !== undefined &&
    device?.presented !== undefined &&
    (await isKnownDevice(database.read, user.id, device.presented, now))
  const counted = isKnown
    ? await countKnownDevice(database, device.presented!, now)
    : await countUnknownDevice(database, address, arriving)

  if (!(await isPassword(user?.password_hash, password))) {
    // Also for unknown accounts, so that the write does not reveal which exist.
    await recordRefusal(database, user?.id, arriving)
    throw new ApiError('sign_in_failed')
  }
  await database.attempts.forget(counted)
  const userId = user!.id
  return database.writeWithLocks(peopleLock, async (tx) => {
    if (device !== undefined) await rememberDevice(tx, userId, device, now)
    return startSession(tx, { userId, openedBy: 'password', organizationId: null }, arriving)
  })
}

/** Counts an attempt from a known device of the account; returns the rate limit key. */
async function countKnownDevice(database: Database, secret: string, now: number): Promise<string> {
  const key = `device ${hashSecret(secret)}`
  await takeAttempt(database, key, attemptsPerAccount, { now })
  return key
}

/** Counts an attempt from any other device; returns the rate limit key that a right password resets. */
async function countUnknownDevice(
  database: Database,
  address: string,
  { ip, now }: SignInContext,
): Promise<string> {
  const from = addressKey(ip)
  const key = `account ${address} from ${from}`
  await takeAttempt(database, from, attemptsPerAddress, { now })
  await takeAttempt(database, key, attemptsPerAccount, { now })
  await takeAttempt(database, `account ${address}`, attemptsFromUnknown, { now })
  return key
}

async function recordRefusal(
  database: Database,
  userId: UserId | undefined,
  { now, ip, userAgent }: SignInContext,
): Promise<void> {
  const id = userId ?? ('' as UserId)
  await database.writeWithLocks(noLocks, (tx) =>
    recordPersonalAudit(
      tx,
      { userId: id, onlyIn: null },
      {
        action: 'signInRefused',
        resourceId: id,
        detail: 'password',
        actorId: null,
        origin: { ip, userAgent },
        now,
      },
    ),
  )
}

/**
 * Signing in with e-mail address and password. An unknown address, a person without a password and a wrong
 * password get the same answer in the same time.
 *
 * Guesses are counted by account and address together, so that guesses from one place keep nobody out elsewhere;
 * by account from all unknown places, slowly, because addresses are cheap; and in a browser that is known for the
 * account apart from both, so that its owner comes in while others guess.
 */
import { ApiError } from '../../contract/errors.js'
import { foldEmail } from '../../core/email.js'
import type { UserId } from '../../core/ids.js'
import type { Allowance } from '../../store/db/attempts.js'
import type { Database } from '../../store/db/database.js'
import { nothing, onlyPeople } from '../../store/db/hold.js'
import { recordPersonal } from './act.js'
import { addressKey, takeAttempt } from './attempts.js'
import { isKnownDevice, rememberDevice } from './known-devices.js'
import { isPassword } from './passwords.js'
import { hashSecret } from './secrets.js'
import { type Arriving, startSession } from './sessions.js'

const minute = 60 * 1000
/** At one account, by one browser that is known, or from one network address. */
export const attemptsPerAccount: Allowance = { limit: 10, window: 15 * minute }
/** From one network address, at whichever accounts. */
export const attemptsPerAddress: Allowance = { limit: 60, window: 15 * minute }
/** At one account from everywhere that is not known: 2,400 guesses a day, however many addresses somebody has. */
export const attemptsOfStrangers: Allowance = { limit: 100, window: 60 * minute }

/** Returns the secret of a new session; throws 401 for a wrong pair and 429 for too many. */
export async function signInWithPassword(
  database: Database,
  { email, password }: { readonly email: string; readonly password: string },
  arriving: Arriving,
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
    device?.brought !== undefined &&
    (await isKnownDevice(database.read, user.id, device.brought, now))
  const counted = isKnown
    ? await takeKnown(database, device.brought!, now)
    : await takeStranger(database, address, arriving)

  if (!(await isPassword(user?.password_hash, password))) {
    // Also for nobody, so that the write does not tell who exists.
    await recordRefusal(database, user?.id, arriving)
    throw new ApiError('sign_in_failed')
  }
  await database.attempts.forget(counted)
  const userId = user!.id
  return database.writeHolding(onlyPeople, async (tx) => {
    if (device !== undefined) await rememberDevice(tx, userId, device, now)
    return startSession(tx, { userId, openedBy: 'password', organizationId: null }, arriving)
  })
}

/** Counts an attempt in a browser that is known for the account, apart from all others; returns the key. */
async function takeKnown(database: Database, secret: string, now: number): Promise<string> {
  const key = `device ${hashSecret(secret)}`
  await takeAttempt(database, key, attemptsPerAccount, { now })
  return key
}

/** Counts an attempt from anywhere else; returns the key that a right password forgets. */
async function takeStranger(database: Database, address: string, { ip, now }: Arriving): Promise<string> {
  const from = addressKey(ip)
  const key = `account ${address} from ${from}`
  await takeAttempt(database, from, attemptsPerAddress, { now })
  await takeAttempt(database, key, attemptsPerAccount, { now })
  await takeAttempt(database, `account ${address}`, attemptsOfStrangers, { now })
  return key
}

async function recordRefusal(
  database: Database,
  userId: UserId | undefined,
  { now, ip, userAgent }: Arriving,
): Promise<void> {
  const id = userId ?? ('' as UserId)
  await database.writeHolding(nothing, (tx) =>
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

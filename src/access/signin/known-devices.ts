/**
 * Browsers that are known: somebody gave their right password there, and a cookie says so. Guesses at a password are
 * counted for each of them apart, so that whoever guesses elsewhere cannot keep the owner out.
 */
import type { UserId } from '../../core/ids.js'
import type { Db, Tx } from '../../store/db/database.js'
import { hashSecret } from './secrets.js'

/** How long a browser stays known after the last right password. */
export const deviceLife = 90 * 24 * 60 * 60 * 1000

export const deviceCookie = 'octavo_device'

/** The secrets of a browser: the one that it brought, and the one that it is given when the password is right. */
export interface Device {
  readonly brought: string | undefined
  readonly given: string
}

/** Tells whether the secret is one of this user. */
export async function isKnownDevice(db: Db, userId: UserId, secret: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('known_devices')
    .select('user_id')
    .where('token_hash', '=', hashSecret(secret))
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** Notes the secret that the browser is given now; the one that it brought may come from anybody, and ends. */
export async function rememberDevice(
  tx: Tx,
  userId: UserId,
  { brought, given }: Device,
  now: number,
): Promise<void> {
  await tx
    .deleteFrom('known_devices')
    .where('user_id', '=', userId)
    .where((device) =>
      device.or([
        device('expires_at', '<=', now),
        device('token_hash', '=', brought === undefined ? '' : hashSecret(brought)),
      ]),
    )
    .execute()
  await tx
    .insertInto('known_devices')
    .values({ token_hash: hashSecret(given), user_id: userId, expires_at: now + deviceLife })
    .execute()
}

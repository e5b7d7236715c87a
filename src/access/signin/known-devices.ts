/**
 * Known devices: browsers in which a user entered the right password, recognized by a cookie. Their password attempts
 * are counted separately, so that brute force from elsewhere cannot lock the owner out.
 */
import type { UserId } from '../../core/ids.js'
import type { Db, Tx } from '../../store/db/database.js'
import { hashSecret } from './secrets.js'

/** How long a browser stays known after the last right password. */
export const deviceLifetime = 90 * 24 * 60 * 60 * 1000

export const deviceCookie = 'octavo_device'

/** The cookie secrets of a browser: the one that it sent, and the one that is issued when the password is right. */
export interface Device {
  readonly presented: string | undefined
  readonly issued: string
}

/** True when the secret belongs to a known device of the user. */
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

/** Stores the issued secret; the presented one may come from anyone, and is deleted. */
export async function rememberDevice(
  tx: Tx,
  userId: UserId,
  { presented, issued }: Device,
  now: number,
): Promise<void> {
  await tx
    .deleteFrom('known_devices')
    .where('user_id', '=', userId)
    .where((device) =>
      device.or([
        device('expires_at', '<=', now),
        device('token_hash', '=', presented === undefined ? '' : hashSecret(presented)),
      ]),
    )
    .execute()
  await tx
    .insertInto('known_devices')
    .values({ token_hash: hashSecret(issued), user_id: userId, expires_at: now + deviceLifetime })
    .execute()
}

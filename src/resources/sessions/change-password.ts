/**
 * Changing the password: requires the current one, except in a fresh session opened another way (a reset by sign-in
 * link). All other credentials of the account end, and its owner is notified by mail.
 */
import type { Origin } from '../../access/audit/record.js'
import type { Actor } from '../../access/signin/actor.js'
import { endCredentials } from '../../access/signin/credentials.js'
import { notifyOwner } from '../../access/signin/notices.js'
import { takeAttempt } from '../../access/signin/rate-limit.js'
import { attemptsPerAccount } from '../../access/signin/password-sign-in.js'
import { hashPassword, isPassword, requireFitPassword, storePassword } from '../../access/signin/passwords.js'
import { ApiError } from '../../contract/errors.js'
import type { Database, Db, Tx } from '../../store/db/database.js'
import { findPassword } from './store.js'

/** How long a fresh session may set a password without the current one. */
const freshSessionMillis = 15 * 60 * 1000

export interface PasswordChange {
  readonly actor: Actor
  readonly wanted: { readonly password: string; readonly currentPassword?: string }
  readonly origin: Origin
  readonly now: number
}

/** Stores the new password in the transaction that `commit` opens; throws 400 when it is unfit, 403 when the current one is wrong, 429 after many tries. */
export async function changePassword(
  database: Database,
  { actor, wanted, now }: PasswordChange,
  commit: (work: (tx: Tx) => Promise<void>) => Promise<void>,
): Promise<void> {
  const { userId } = actor
  const account = await findPassword(database.read, userId)
  const stored = account?.password_hash ?? null
  if (stored !== null && !isFresh(actor, now)) {
    await takeAttempt(database, `password of ${userId}`, attemptsPerAccount, { now })
    if (!(await isPassword(stored, wanted.currentPassword ?? ''))) throw new ApiError('password_wrong')
  }
  requireFitPassword(wanted.password, account?.email ?? null)
  // Hashed before the transaction, so that no writer waits for it.
  const hash = await hashPassword(wanted.password)
  await commit(async (tx) => {
    await storePassword(tx, userId, hash, now)
    await endCredentials(tx, userId, now, actor.credentialId)
    await notifyOwner(tx, { userId, notice: 'passwordSet', at: now })
  })
}

/** True when the actor must enter the current password. */
export async function needsCurrentPassword(db: Db, actor: Actor, now: number): Promise<boolean> {
  const account = await findPassword(db, actor.userId)
  return (account?.password_hash ?? null) !== null && !isFresh(actor, now)
}

function isFresh({ session }: Actor, now: number): boolean {
  return (
    session !== undefined && session.openedBy !== 'password' && now - session.openedAt < freshSessionMillis
  )
}

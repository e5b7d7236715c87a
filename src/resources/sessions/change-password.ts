/**
 * Setting one's password: who has one proves it, unless he has just signed in another way that shows who he
 * is, as somebody does who forgot it. All else that opens the account ends, and its owner is told by mail.
 */
import type { Origin } from '../../access/audit/record.js'
import type { Actor } from '../../access/signin/actor.js'
import { endCredentials } from '../../access/signin/credentials.js'
import { tellOwner } from '../../access/signin/notices.js'
import { takeAttempt } from '../../access/signin/attempts.js'
import { attemptsPerAccount } from '../../access/signin/password-sign-in.js'
import { hashPassword, isPassword, requireFitPassword, storePassword } from '../../access/signin/passwords.js'
import { ApiError } from '../../contract/errors.js'
import type { Database, Db, Tx } from '../../store/db/database.js'
import { findPassword } from './store.js'

/** How long a fresh session may set a password without the old one. */
const freshFor = 15 * 60 * 1000

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
  const known = await findPassword(database.read, userId)
  const stored = known?.password_hash ?? null
  if (stored !== null && !isFresh(actor, now)) {
    await takeAttempt(database, `password of ${userId}`, attemptsPerAccount, { now })
    if (!(await isPassword(stored, wanted.currentPassword ?? ''))) throw new ApiError('password_wrong')
  }
  requireFitPassword(wanted.password, known?.email ?? null)
  // Hashed before the transaction, so that no writer waits for it.
  const hash = await hashPassword(wanted.password)
  await commit(async (tx) => {
    await storePassword(tx, userId, hash, now)
    await endCredentials(tx, userId, now, actor.credentialId)
    await tellOwner(tx, { userId, notice: 'passwordSet', at: now })
  })
}

/** Tells whether the actor must give the password that is set now. */
export async function needsCurrentPassword(db: Db, actor: Actor, now: number): Promise<boolean> {
  const known = await findPassword(db, actor.userId)
  return (known?.password_hash ?? null) !== null && !isFresh(actor, now)
}

function isFresh({ session }: Actor, now: number): boolean {
  return session !== undefined && session.openedBy !== 'password' && now - session.openedAt < freshFor
}

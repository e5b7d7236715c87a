/**
 * Passwords: argon2id, and the few rules a password must keep. 19 MiB and two passes are the least that OWASP
 * advises; one costs about 25 ms of one core, so callers count attempts before they come here.
 */
import { hash, verify } from '@node-rs/argon2'
import { ApiError } from '../../contract/errors.js'
import { foldEmail } from '../../core/email.js'
import type { UserId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'

/** Argon2id; the package declares its algorithms as a const enum, which single-file compilers cannot read. */
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

export const shortestPassword = 10
export const longestPassword = 256

/** Throws 400 for a password that is too short, too long, or the person's own e-mail address. */
export function requireFitPassword(password: string, email: string | null): void {
  const length = [...password].length
  if (length < shortestPassword) {
    throw new ApiError('password_unfit', { problem: `it needs at least ${shortestPassword} characters` })
  }
  if (length > longestPassword) {
    throw new ApiError('password_unfit', { problem: `it has more than ${longestPassword} characters` })
  }
  if (email !== null && foldEmail(password).includes(foldEmail(email))) {
    throw new ApiError('password_unfit', { problem: 'it holds your e-mail address' })
  }
  if (new Set(password).size < 4) {
    throw new ApiError('password_unfit', { problem: 'it repeats too few characters' })
  }
}

/** Returns the stored form: salt, cost and hash in one text. */
export function hashPassword(password: string): Promise<string> {
  return hash(normalize(password), cost)
}

/** Tells whether a password is the one behind a stored form; takes as long when there is none. */
export async function isPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const matches = await verify(stored ?? (await nobodys()), normalize(password))
  return matches && stored !== null && stored !== undefined
}

/** Sets the password of a user; for the first start and the command line, which check it by themselves. */
export async function setPassword(tx: Tx, userId: UserId, password: string, now: number): Promise<void> {
  await storePassword(tx, userId, await hashPassword(password), now)
}

/** Stores what `hashPassword` answered. */
export async function storePassword(tx: Tx, userId: UserId, stored: string, now: number): Promise<void> {
  await tx
    .updateTable('users')
    .set({ password_hash: stored, updated_at: now })
    .where('id', '=', userId)
    .execute()
}

/** The same letters typed on different keyboards are the same password. */
function normalize(password: string): string {
  return password.normalize('NFKC')
}

let hashOfNobody: Promise<string> | undefined

function nobodys(): Promise<string> {
  return (hashOfNobody ??= hashPassword('the password of nobody'))
}

/**
 * Password hashing with argon2id, and the password rules. 19 MiB and two passes are the least that OWASP advises; a
 * hash costs about 25 ms of one core, so callers count attempts first.
 */
import { hash, verify } from '@node-rs/argon2'
import { ApiError } from '../../contract/errors.js'
import { foldEmail } from '../../core/email.js'
import type { UserId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'

/** Argon2id; the package declares its algorithms as a const enum, which single-file compilers cannot read. */
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

export const minPasswordLength = 10
export const maxPasswordLength = 256

/** Throws 400 for a password that is too short, too long, or the person's own e-mail address. */
export function requireFitPassword(password: string, email: string | null): void {
  const length = [...password].length
  if (length < minPasswordLength) {
    throw new ApiError('password_unfit', { problem: `it needs at least ${minPasswordLength} characters` })
  }
  if (length > maxPasswordLength) {
    throw new ApiError('password_unfit', { problem: `it has more than ${maxPasswordLength} characters` })
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

/** True when the password matches the stored hash; takes as long when there is none. */
export async function isPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const matches = await verify(stored ?? (await loadDummyHash()), normalize(password))
  return matches && stored !== null && stored !== undefined
}

/** Sets the password of a user; for the first start and the command line, which validate it themselves. */
export async function setPassword(tx: Tx, userId: UserId, password: string, now: number): Promise<void> {
  await storePassword(tx, userId, await hashPassword(password), now)
}

/** Stores a hash made by `hashPassword`. */
export async function storePassword(tx: Tx, userId: UserId, stored: string, now: number): Promise<void> {
  await tx
    .updateTable('users')
    .set({ password_hash: stored, updated_at: now })
    .where('id', '=', userId)
    .execute()
}

/** Makes the same letters typed on different keyboards the same password. */
function normalize(password: string): string {
  return password.normalize('NFKC')
}

let dummyHash: Promise<string> | undefined

function loadDummyHash(): Promise<string> {
  return (dummyHash ??= hashPassword('the password of nobody'))
}

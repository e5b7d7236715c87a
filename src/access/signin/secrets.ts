/** Random secrets, displayed once and stored as a hash only. They are random, so a plain SHA-256 suffices. */
import { hash } from 'node:crypto'
import { randomLetters } from '../ids.js'

export function newApiToken(): string {
  return `oct_${randomLetters(40)}`
}

/** Sessions and sign-in links: 40 letters and digits, about 238 bits. */
export function newSecret(): string {
  return randomLetters(40)
}

/** Returns the stored hash of a secret; a lookup by it compares no secret bytes. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

/** Visitor tokens (JWT) as a customer's server would sign them, with no code of the product. */
import { createHmac } from 'node:crypto'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Returns a token signed with a key, by HMAC with the hash. */
export function makeVisitorToken(
  key: string,
  claims: unknown,
  header: object = { alg: 'HS256', typ: 'JWT' },
  hash = 'sha256',
): string {
  const written = `${encode(header)}.${encode(claims)}`
  return `${written}.${createHmac(hash, Buffer.from(key, 'utf8')).update(written).digest('base64url')}`
}

/** Signed URLs: the credential that they are bound to, and comparison of signatures. */

/** A session or an API token, by its id. */
export interface Credential {
  readonly by: 'session' | 'token'
  readonly credentialId: string
}

/** Compares in constant time for texts of one length. */
export function constantTimeEqual(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let at = 0; at < one.length; at += 1) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}

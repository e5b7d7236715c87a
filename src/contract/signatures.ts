/** What signed addresses have in common: by what they were asked for, and how signatures are compared. */

/** A session or an API token of somebody, by its id. */
export interface Credential {
  readonly by: 'session' | 'token'
  readonly credentialId: string
}

/** Takes the same time whatever the texts have in common. */
export function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let at = 0; at < one.length; at += 1) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}

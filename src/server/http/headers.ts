/**
 * Headers that every answer carries, in one place: what a browser must not guess, who may hold a window of ours, and,
 * where the installation is reached by https, that it is reached in no other way.
 *
 * Routes add what is theirs. What nobody says otherwise of is kept by nobody: answers of the API and every error.
 */

export type Headers = Readonly<Record<string, string>>

/** Of every answer, however it leaves. */
export const everyAnswer: Headers = {
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
}

/** Of answers that nobody may keep a copy of. */
export const keptByNobody: Headers = { 'cache-control': 'no-store' }

/** What only an installation that is reached by https may say; nothing for others. */
export function securityOf(base: string): Headers {
  return base.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}
}

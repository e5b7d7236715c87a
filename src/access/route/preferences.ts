/**
 * `Prefer` (RFC 7240): how a client wants to wait for a reply, and `Preference-Applied`, which says what was done about
 * it. An operation declares the preferences that it knows; others are ignored, as the RFC says.
 */
import type { Endpoint } from '../../contract/endpoint.js'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import type { WaitPreference } from './request-context.js'

/** What a client asked for, of what the operation knows. */
export interface Preferences extends Omit<WaitPreference, 'signal'> {
  /** The value of `Preference-Applied`; empty where nothing is applied. */
  readonly applied: string
}

const none: Preferences = { seconds: 0, isAsynchronous: false, applied: '' }

/** Returns the preferences of a request; throws 400 for a `wait` that is no number of seconds. */
export function readPreferences(
  header: string | readonly string[] | undefined,
  { preferences }: Pick<Endpoint, 'preferences'>,
): Preferences {
  if (header === undefined || preferences.length === 0) return none
  const preferred = parsePreferences([header].flat().join(','))
  const isAsynchronous = preferences.includes('respond-async') && preferred.has('respond-async')
  // An operation that may continue after its reply waits by itself, unless it is asked to reply early.
  const mayWait = preferences.includes('wait') && (isAsynchronous || !preferences.includes('respond-async'))
  const wait = preferences.includes('wait') ? preferred.get('wait') : undefined
  const seconds = wait === undefined ? undefined : secondsOf(wait)
  const applied = [
    ...(isAsynchronous ? ['respond-async'] : []),
    ...(mayWait && seconds !== undefined ? [`wait=${seconds}`] : []),
  ]
  return { seconds: mayWait ? (seconds ?? 0) : 0, isAsynchronous, applied: applied.join(', ') }
}

function secondsOf(wait: string): number {
  if (!/^\d+$/.test(wait)) {
    throw new ApiError('invalid_request', {
      problem: 'The header "Prefer" must have a whole number of seconds in "wait", such as "wait=5".',
    })
  }
  return Math.min(limits.waitSeconds, Number(wait))
}

/** Returns the values by name, of a name given twice the first; parameters after a semicolon are ignored. */
function parsePreferences(header: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const preference of header.split(',')) {
    const [token = ''] = preference.split(';', 1)
    const at = token.indexOf('=')
    const name = (at < 0 ? token : token.slice(0, at)).trim().toLowerCase()
    const value = at < 0 ? '' : unquote(token.slice(at + 1).trim())
    if (name !== '' && !values.has(name)) values.set(name, value)
  }
  return values
}

function unquote(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value
}

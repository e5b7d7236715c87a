/**
 * How often somebody may try: attempts counted per key in a window that begins with the first one.
 *
 * Kept in memory within bounds, the oldest forgotten first. With several processes on one database each counts
 * for itself, so the numbers multiply by the processes; argon2 still makes each attempt dear.
 */
import { ApiError } from '../../contract/errors.js'
import type { Database } from '../../store/db/database.js'

export interface Allowance {
  readonly limit: number
  /** Milliseconds. */
  readonly window: number
}

/** What is left of an allowance, for the headers of the answer. */
export interface Quota {
  readonly limit: number
  readonly remaining: number
  /** Milliseconds since 1970. */
  readonly resetAt: number
}

/** Too many attempts: 429, with what the headers say. */
export class TooManyAttempts extends ApiError<'rate_limited'> {
  readonly headers: Readonly<Record<string, string>>

  constructor(
    readonly quota: Quota,
    now: number,
  ) {
    const seconds = Math.max(1, Math.ceil((quota.resetAt - now) / 1000))
    super('rate_limited', { seconds })
    this.headers = {
      'retry-after': String(seconds),
      'x-ratelimit-limit': String(quota.limit),
      'x-ratelimit-remaining': String(quota.remaining),
      'x-ratelimit-reset': String(Math.ceil(quota.resetAt / 1000)),
    }
  }
}

export interface Attempts {
  /** Counts an attempt, or several at once; throws `TooManyAttempts` when the allowance does not hold them. */
  take(key: string, allowance: Allowance, now: number, weight?: number): Quota
  /** Forgets the attempts of a key, after one that succeeded. */
  forget(key: string): void
}

const mostKeys = 100_000

export function createAttempts(bound = mostKeys): Attempts {
  const windows = new Map<string, { count: number; resetAt: number }>()
  return {
    take(key, { limit, window }, now, weight = 1) {
      let current = windows.get(key)
      if (current === undefined || current.resetAt <= now) {
        current = { count: 0, resetAt: now + window }
        windows.delete(key)
        if (windows.size >= bound) windows.delete(windows.keys().next().value!)
        windows.set(key, current)
      }
      const isWithin = current.count + weight <= limit
      if (isWithin) current.count += weight
      const quota = { limit, remaining: limit - current.count, resetAt: current.resetAt }
      if (!isWithin) throw new TooManyAttempts(quota, now)
      return quota
    },
    forget: (key) => void windows.delete(key),
  }
}

const attemptsByDatabase = new WeakMap<Database, Attempts>()

/** The attempts at the people of one database: pages and API count together. */
export function attemptsAt(database: Database): Attempts {
  let attempts = attemptsByDatabase.get(database)
  if (attempts === undefined) attemptsByDatabase.set(database, (attempts = createAttempts()))
  return attempts
}

/** The key of an address: one household of IPv6 has as many addresses as it likes, so its network counts. */
export function addressKey(ip: string | null): string {
  if (ip === null) return 'address unknown'
  if (!ip.includes(':')) return `address ${ip}`
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  return `address ${mapped?.[1] ?? networkOf(ip)}`
}

/** The first four groups of an IPv6 address. */
function networkOf(ip: string): string {
  const [head = '', tail] = ip.toLowerCase().split('%')[0]!.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array<string>(Math.max(0, zeros)).fill('0'), ...after]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

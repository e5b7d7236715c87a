/**
 * Rate limits: too many attempts are refused with the time to wait. Counting is in the store, which documents how far
 * processes share it.
 */
import { ApiError } from '../../contract/errors.js'
import type { Allowance } from '../../store/db/attempts.js'
import type { Database } from '../../store/db/database.js'

/** What is left of an allowance, for the headers of the response. */
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

/** Counts one attempt, or `weight` of them; throws `TooManyAttempts` when the allowance is exceeded. */
export async function takeAttempt(
  { attempts }: Pick<Database, 'attempts'>,
  key: string,
  allowance: Allowance,
  { now, weight }: { readonly now: number; readonly weight?: number },
): Promise<void> {
  const { isWithin, remaining, resetIn } = await attempts.take(key, allowance, weight)
  if (!isWithin) throw new TooManyAttempts({ limit: allowance.limit, remaining, resetAt: now + resetIn }, now)
}

/**
 * Returns the rate limit key of an IP address. An IPv6 subscriber has any number of addresses, so its network counts.
 */
export function addressKey(ip: string | null): string {
  if (ip === null) return 'address unknown'
  if (!ip.includes(':')) return `address ${ip}`
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  return `address ${mapped?.[1] ?? networkOf(ip)}`
}

/** Returns the /64 network of an IPv6 address. */
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

/**
 * Brute-force protection of site keys: limits how many wrong keys an IP address may try. Addresses beyond the limit are
 * also blocked in memory, so that they cost no further query.
 */
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { TooManyAttempts, addressKey } from '../../access/signin/rate-limit.js'
import { keyAttemptLimit, parseKey } from '../../site/routing/key.js'
import type { Database } from '../../store/db/database.js'

const maxBlocked = 10_000

export interface KeyGuessLimiter {
  /** Counts an IP address whose key was wrong; throws `TooManyAttempts` after too many wrong keys, even for a right one. */
  check(request: FastifyRequest, path: string, isAbsent: boolean): Promise<void>
}

export function createKeyGuessLimiter(
  { attempts }: Pick<Database, 'attempts'>,
  now: () => number,
): KeyGuessLimiter {
  const blockedUntil = new LRUCache<string, number>({ max: maxBlocked })
  const tooManyError = (resetAt: number) =>
    new TooManyAttempts({ limit: keyAttemptLimit.limit, remaining: 0, resetAt }, now())
  return {
    async check({ ip }, path, isAbsent) {
      if (parseKey(path) === undefined) return
      const key = addressKey(ip)
      const blocked = blockedUntil.get(key)
      if (blocked !== undefined && blocked > now()) throw tooManyError(blocked)
      if (!isAbsent) return
      const { isWithin, resetIn } = await attempts.take(`site key ${key}`, keyAttemptLimit)
      if (isWithin) return
      const until = now() + resetIn
      blockedUntil.set(key, until)
      throw tooManyError(until)
    },
  }
}

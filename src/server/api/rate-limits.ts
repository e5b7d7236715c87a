/**
 * API rate limits: requests per minute for each token or session, and for each IP address whose requests have none, or
 * an invalid one. Every answer has the remaining quota in its headers.
 *
 * Pages of published sites are not counted: they are cached, and whole offices read them from one address.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { MountOptions } from '../../access/route/mount.js'
import type { Actor } from '../../access/signin/actor.js'
import { TooManyAttempts, addressKey } from '../../access/signin/rate-limit.js'
import { ApiError } from '../../contract/errors.js'
import type { RequestRates } from '../../store/db/request-rates.js'

export interface RateSettings {
  /** Requests in a minute; 0 for any number. */
  readonly requestsPerToken: number
  readonly requestsPerAddress: number
}

export interface RateLimits {
  /** Wraps a sign-in: counts the request and adds the quota headers; throws `TooManyAttempts` when the quota is used up. */
  readonly limitSignIn: (signIn: MountOptions['signIn']) => MountOptions['signIn']
  /**
   * Counts a request of an authenticated actor; returns the quota headers as a flat list of names and values, or
   * undefined when the quota is used up.
   */
  readonly admit: (actor: RateLimitedActor, authorization: string) => readonly string[] | undefined
}

/** The credential that requests are counted by. */
export type RateLimitedActor = Pick<Actor, 'credentialId' | 'reading'>

const window = 60_000
/** One renderer sends the requests of many readers of a site with one token. */
const readersOfOneToken = 10

export function createRateLimits(
  rates: RequestRates,
  { requestsPerToken, requestsPerAddress }: RateSettings,
  now: () => number,
): RateLimits {
  function countActor(
    { credentialId, reading }: RateLimitedActor,
    authorization: string,
  ): ApiQuota | undefined {
    if (requestsPerToken === 0) return undefined
    const isReader = reading !== undefined
    const key = isReader ? `reader ${authorization}` : `credential ${credentialId}`
    return count(key, requestsPerToken * (isReader ? readersOfOneToken : 1))
  }

  function countAddress({ ip }: FastifyRequest): ApiQuota | undefined {
    return requestsPerAddress === 0 ? undefined : count(`api ${addressKey(ip)}`, requestsPerAddress)
  }

  function count(key: string, limit: number): ApiQuota {
    const at = now()
    const { isWithin, remaining, resetIn } = rates.count(key, { limit, window }, at)
    return { isWithin, remaining, limit, at, resetAt: at + resetIn }
  }

  function applyQuota(reply: FastifyReply | undefined, quota: ApiQuota | undefined): void {
    if (quota === undefined) return
    if (!quota.isWithin) throw errorFor(quota)
    const headers = rawHeadersOf(quota)
    for (let at = 0; at < headers.length; at += 2) reply?.header(headers[at]!, headers[at + 1])
  }

  return {
    limitSignIn: (signIn) => async (request, reply) => {
      let actor: Actor | null
      try {
        actor = await signIn(request, reply)
      } catch (error) {
        // Guessed tokens count for the address.
        if (error instanceof ApiError && error.status === 401) applyQuota(reply, countAddress(request))
        throw error
      }
      const { authorization = '' } = request.headers
      applyQuota(reply, actor === null ? countAddress(request) : countActor(actor, authorization))
      return actor
    },
    admit(actor, authorization) {
      const quota = countActor(actor, authorization)
      if (quota === undefined) return []
      return quota.isWithin ? rawHeadersOf(quota) : undefined
    },
  }
}

interface ApiQuota {
  readonly isWithin: boolean
  readonly remaining: number
  readonly limit: number
  /** When it was counted, and when the quota is full again; in milliseconds since 1970. */
  readonly at: number
  readonly resetAt: number
}

/** A flat list: joining two objects would take as long as the rest of the work for a cached response. */
function rawHeadersOf(quota: ApiQuota): string[] {
  return [
    'x-ratelimit-limit',
    String(quota.limit),
    'x-ratelimit-remaining',
    String(quota.remaining),
    'x-ratelimit-reset',
    String(Math.ceil(quota.resetAt / 1000)),
  ]
}

function errorFor({ limit, remaining, resetAt, at }: ApiQuota): TooManyAttempts {
  return new TooManyAttempts({ limit, remaining, resetAt }, at)
}

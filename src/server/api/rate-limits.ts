/**
 * How many requests the API answers in a minute: for each token or session, and for each address whose requests come
 * without one, or with one that is wrong. Every answer says what is left.
 *
 * Not counted are the pages of published sites: they are kept, and whole offices read them from one address.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Mounting } from '../../access/route/mount.js'
import type { Actor } from '../../access/signin/actor.js'
import { TooManyAttempts, addressKey } from '../../access/signin/attempts.js'
import { ApiError } from '../../contract/errors.js'
import type { Rates } from '../../store/db/rates.js'

export interface RateSettings {
  /** Requests in a minute; 0 for any number. */
  readonly requestsPerToken: number
  readonly requestsPerAddress: number
}

export interface RateLimits {
  /** Lets a request in as it would be without limits, counts it, and tells what is left; throws when nothing is. */
  readonly limiting: (signIn: Mounting['signIn']) => Mounting['signIn']
  /**
   * Counts a request of somebody who was let in; answers the headers of its answer, each behind its name, or undefined
   * when nothing is left.
   */
  readonly admit: (actor: Admitted, authorization: string) => readonly string[] | undefined
}

/** What is counted by. */
export type Admitted = Pick<Actor, 'credentialId' | 'reading'>

const window = 60_000
/** One renderer asks with one token for many readers of a site. */
const readersOfOneToken = 10

export function createRateLimits(
  rates: Rates,
  { requestsPerToken, requestsPerAddress }: RateSettings,
  now: () => number,
): RateLimits {
  function countActor({ credentialId, reading }: Admitted, authorization: string): Quota | undefined {
    if (requestsPerToken === 0) return undefined
    const isReader = reading !== undefined
    const key = isReader ? `reader ${authorization}` : `credential ${credentialId}`
    return count(key, requestsPerToken * (isReader ? readersOfOneToken : 1))
  }

  function countAddress({ ip }: FastifyRequest): Quota | undefined {
    return requestsPerAddress === 0 ? undefined : count(`api ${addressKey(ip)}`, requestsPerAddress)
  }

  function count(key: string, limit: number): Quota {
    const at = now()
    const { isWithin, remaining, resetIn } = rates.count(key, { limit, window }, at)
    return { isWithin, remaining, limit, at, resetAt: at + resetIn }
  }

  function tell(reply: FastifyReply | undefined, quota: Quota | undefined): void {
    if (quota === undefined) return
    if (!quota.isWithin) throw refusalOf(quota)
    const headers = headersOf(quota)
    for (let at = 0; at < headers.length; at += 2) reply?.header(headers[at]!, headers[at + 1])
  }

  return {
    limiting: (signIn) => async (request, reply) => {
      let actor: Actor | null
      try {
        actor = await signIn(request, reply)
      } catch (error) {
        // Who guesses tokens is nobody yet.
        if (error instanceof ApiError && error.status === 401) tell(reply, countAddress(request))
        throw error
      }
      const { authorization = '' } = request.headers
      tell(reply, actor === null ? countAddress(request) : countActor(actor, authorization))
      return actor
    },
    admit(actor, authorization) {
      const quota = countActor(actor, authorization)
      if (quota === undefined) return []
      return quota.isWithin ? headersOf(quota) : undefined
    },
  }
}

interface Quota {
  readonly isWithin: boolean
  readonly remaining: number
  readonly limit: number
  /** When it was counted, and when there is as much as before; in milliseconds since 1970. */
  readonly at: number
  readonly resetAt: number
}

/** In a row: joining two objects would take as long as all else that is done for an answer at hand. */
function headersOf(quota: Quota): string[] {
  return [
    'x-ratelimit-limit',
    String(quota.limit),
    'x-ratelimit-remaining',
    String(quota.remaining),
    'x-ratelimit-reset',
    String(Math.ceil(quota.resetAt / 1000)),
  ]
}

function refusalOf({ limit, remaining, resetAt, at }: Quota): TooManyAttempts {
  return new TooManyAttempts({ limit, remaining, resetAt }, at)
}

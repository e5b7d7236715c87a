/**
 * What the API answered to reads, by token and address.
 *
 * The bytes of such an answer are kept under what they follow from, a revision; that they answer this token at this
 * address follows from what was recalled when it was first let in: the token, its user's place in the organization,
 * the space and its head. As long as all of that is as it was, it is the answer again, whatever else was committed.
 * A token that ends by itself ends its answers with it.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Mounting } from '../../access/route/mount.js'
import type { Caches, Held, Recalled } from '../../store/cache/caches.js'
import { kindOf } from '../../store/cache/kinds.js'
import type { FindAtHand } from '../http/response-cache.js'
import type { Admitted, RateLimits } from './rate-limits.js'
import { everyAnswer, keptByNobody } from '../http/headers.js'

interface KeptRead {
  readonly recalled: readonly Recalled[]
  readonly bytes: Held<Uint8Array>
  /** Each behind its name. */
  readonly headers: readonly string[]
  /** Milliseconds since 1970. */
  readonly until: number
  readonly actor: Admitted
}

const readKind = kindOf<KeptRead>('answer to a token', () => 700)

/** After this long somebody passes by the token's row again, which keeps its "last used" true. */
const longest = 60_000

export interface RecentReads {
  readonly keep: NonNullable<Mounting['keepRead']>
  readonly find: FindAtHand
}

/** Those who are known are admitted before they are answered, where somebody counts. */
export function createRecentReads(
  caches: Caches,
  now: () => number,
  admit: RateLimits['admit'] = () => [],
): RecentReads {
  return {
    keep(request, { actor, written, contentType, recalled }) {
      const address = addressOf(request.raw)
      // Only bearers are kept by: a cookie comes with requests that its owner never meant.
      if (address === undefined || actor.by !== 'token') return
      const { kind, key, json } = written
      const { credentialId, reading } = actor
      caches.keep(readKind, address, {
        recalled,
        bytes: caches.hold(kind, key, json),
        headers: Object.entries({
          ...everyAnswer,
          ...keptByNobody,
          'content-type': contentType,
          'content-length': String(json.length),
        }).flat(),
        until: Math.min(actor.expiresAt ?? Infinity, now() + longest),
        actor: { credentialId, ...(reading !== undefined && { reading }) },
      })
    },
    find(request) {
      const address = addressOf(request)
      const known = address === undefined ? undefined : caches.find(readKind, address)
      if (known === undefined || known.until <= now()) return undefined
      return {
        recalled: known.recalled,
        send({ headers: { authorization = '' } }, response) {
          const body = known.bytes()
          if (body === undefined) return undefined
          // Whom nothing is left is told so on the ordinary way.
          const left = admit(known.actor, authorization)
          if (left === undefined) return undefined
          response.writeHead(200, [...known.headers, ...left]).end(body)
          return 200
        },
      }
    },
  }
}

/** A header cannot hold a line end, so the two parts cannot be taken for others. */
function addressOf({ method, url, headers }: IncomingMessage | FastifyRequest['raw']): string | undefined {
  const { authorization } = headers
  if (method !== 'GET' || authorization === undefined || url === undefined || !url.startsWith('/v1/'))
    return undefined
  return `${authorization}\n${url}`
}

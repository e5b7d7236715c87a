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
import type { Caches, Recalled } from '../../store/cache/caches.js'
import { type Kind, kindOf } from '../../store/cache/kinds.js'
import type { FindAtHand } from '../http/at-once.js'
import { everyAnswer, keptByNobody } from '../http/headers.js'

interface KeptRead {
  readonly recalled: readonly Recalled[]
  /** Where the bytes are kept, and the bytes as long as they are: they are weighed there, and go from there. */
  readonly kind: Kind<Uint8Array>
  readonly key: string
  readonly bytes: WeakRef<Uint8Array>
  /** How often it was sent. */
  turns: number
  readonly headers: Readonly<Record<string, string | number>>
  /** Milliseconds since 1970. */
  readonly until: number
}

const readKind = kindOf<KeptRead>('answer to a token', () => 700)

/**
 * Every so many answers the bytes are looked up, so that they are not taken for forgotten. Each time would be a third
 * of what is done for an answer besides sending it: among many pages no lookup is at hand in the processor.
 */
const turnsBetweenLooks = 16

/** After this long somebody passes by the token's row again, which keeps its "last used" true. */
const longest = 60_000

export interface RecentReads {
  readonly keep: NonNullable<Mounting['keepRead']>
  readonly find: FindAtHand
}

export function createRecentReads(caches: Caches, now: () => number): RecentReads {
  return {
    keep(request, { actor, written, contentType, recalled }) {
      const address = addressOf(request.raw)
      // Only bearers are kept by: a cookie comes with requests that its owner never meant.
      if (address === undefined || actor.by !== 'token') return
      const { kind, key, json } = written
      caches.keep(readKind, address, {
        recalled,
        kind,
        key,
        bytes: new WeakRef(json),
        turns: 0,
        headers: {
          ...everyAnswer,
          ...keptByNobody,
          'content-type': contentType,
          'content-length': json.length,
        },
        until: Math.min(actor.expiresAt ?? Infinity, now() + longest),
      })
    },
    find(request) {
      const address = addressOf(request)
      const known = address === undefined ? undefined : caches.find(readKind, address)
      if (known === undefined || known.until <= now()) return undefined
      return {
        recalled: known.recalled,
        send(_request, response) {
          const isLookedUp = known.turns++ % turnsBetweenLooks === 0
          const body = isLookedUp ? caches.find(known.kind, known.key) : known.bytes.deref()
          if (body === undefined) return undefined
          response.writeHead(200, known.headers).end(body)
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

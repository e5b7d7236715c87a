/**
 * What the API answered to reads since the last commit, by token and address.
 *
 * The answer to a read that is kept follows from who asks, what is asked and what is committed, so as long
 * as nothing was committed since, in this process or another, it is the answer again. Sign-in, scope and
 * rule were passed when it was first given; a commit of any kind makes everybody pass them anew. A token
 * that ends by itself ends its answers with it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Mounting } from '../access/route/mount.js'
import { type Lru, createLru } from '../store/content/lru.js'
import type { Database } from '../store/db/database.js'
import type { AnswerAtOnce } from './at-once.js'
import { everyAnswer, keptByNobody } from './headers.js'

interface KeptRead {
  readonly body: Uint8Array
  readonly headers: Readonly<Record<string, string | number>>
  /** Milliseconds since 1970. */
  readonly until: number
}

const budget = 24_000_000
/** Bytes that an entry costs beside its body. */
const entryWeight = 1_000
/** After this long somebody passes by the token's row again, which keeps its "last used" true. */
const longest = 60_000

export interface RecentReads {
  readonly keep: NonNullable<Mounting['keepRead']>
  readonly answer: AnswerAtOnce
}

export function createRecentReads(database: Database, now: () => number): RecentReads {
  let generation = -1
  let kept: Lru<KeptRead> = createLru(budget)

  function sinceLastCommit(): Lru<KeptRead> {
    const current = database.generation()
    if (current !== generation) {
      generation = current
      kept = createLru(budget)
    }
    return kept
  }

  return {
    keep(request, { actor, json, contentType, generation: before }) {
      const key = keyOf(request.raw)
      // Only bearers are kept by: a cookie comes with requests that its owner never meant.
      if (key === undefined || actor.by !== 'token' || database.generation() !== before) return
      const body = typeof json === 'string' ? Buffer.from(json) : json
      sinceLastCommit().set(
        key,
        {
          body,
          headers: {
            ...everyAnswer,
            ...keptByNobody,
            'content-type': contentType,
            'content-length': body.length,
          },
          until: Math.min(actor.expiresAt ?? Infinity, now() + longest),
        },
        body.length + key.length + entryWeight,
      )
    },
    answer(request: IncomingMessage, response: ServerResponse) {
      const key = keyOf(request)
      const known = key === undefined ? undefined : sinceLastCommit().get(key)
      if (known === undefined || known.until <= now()) return undefined
      response.writeHead(200, known.headers).end(known.body)
      return 200
    },
  }
}

/** A header cannot hold a line end, so the two parts cannot be taken for others. */
function keyOf({ method, url, headers }: IncomingMessage | FastifyRequest['raw']): string | undefined {
  const { authorization } = headers
  if (method !== 'GET' || authorization === undefined || url === undefined || !url.startsWith('/v1/'))
    return undefined
  return `${authorization}\n${url}`
}

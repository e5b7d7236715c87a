/** Server-sent events of a feed: the route runs again for each batch, so that lost access ends the stream. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.js'
import type { Events, OrganizationEvents } from '../../contract/events.js'
import type { ReadContext } from '../../store/cache/caches.js'
import type { WatchedStream } from '../../store/events/stream-watcher.js'
import { type EventPosition, streamEvents } from '../events/event-feed.js'
import type { Actor } from '../signin/actor.js'
import type { Services } from './scope.js'

interface StreamOptions {
  readonly services: Services
  readonly signIn: (request: FastifyRequest) => Promise<Actor | null>
  /** Runs the route as the actor; throws when the feed is not visible any more. */
  readonly readEvents: (
    actor: Actor,
    readContext: ReadContext,
    query: { readonly after?: EventPosition },
  ) => Promise<Events | OrganizationEvents>
}

export function sendEventStream(
  request: FastifyRequest,
  reply: FastifyReply,
  feed: WatchedStream,
  { services, signIn, readEvents }: StreamOptions,
): FastifyReply {
  const watch = services.eventWatchers.watch(request.actor!.userId, feed)
  if (watch === undefined) throw new ApiError('too_many_followers')

  async function read(after: EventPosition | undefined) {
    // Authenticated like a new request: a user who signed out or was removed meanwhile loses access.
    const again = { headers: request.headers, method: request.method, raw: {} } as FastifyRequest
    const readContext = await services.caches.readContext(again.raw)
    try {
      const actor = await signIn(again)
      return actor === null
        ? undefined
        : await readEvents(actor, readContext, after === undefined ? {} : { after })
    } catch (error) {
      if (error instanceof ApiError) return undefined
      throw error
    }
  }
  const last = request.headers['last-event-id'] ?? (request.query as { after?: EventPosition }).after
  const after = feed.stream === null ? last?.toString() : numberOf(last)
  const events = streamEvents({ watch, read, after, signal: request.signal })
  return reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    .header('x-accel-buffering', 'no')
    .send(Readable.from(events, { objectMode: false }))
}

function numberOf(last: string | string[] | EventPosition | undefined): number | undefined {
  const number = Number(last)
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

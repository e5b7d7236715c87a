/**
 * Answers that are at hand are given before anything else happens to a request: routing and hooks take
 * three times as long as sending bytes. Whatever is not at hand goes on to where it would have gone.
 *
 * Something at hand is found by the request alone; that it still holds is judged after learning what was
 * committed, for which PostgreSQL is asked. Requests for which nothing is at hand ask nothing here.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Caches, Recalled } from '../../store/cache/caches.js'
import type { Headers } from './headers.js'

/** An answer that was given before. */
export interface AtHand {
  /** What it follows from. */
  readonly recalled: readonly Recalled[]
  /** Sends it and returns the status, or returns undefined having touched nothing: its bytes may be gone. */
  send(request: IncomingMessage, response: ServerResponse): number | undefined
}

/** Finds what was answered to a request like this one. */
export type FindAtHand = (request: IncomingMessage) => AtHand | undefined

export interface AnsweringAtOnce {
  readonly caches: Caches
  /** Told the status of answers that no hook of the server sees. */
  readonly countAnswer?: ((status: number) => void) | undefined
  /** Set on everything that comes this way, before anybody answers. */
  readonly headers?: Headers
}

export function mountAtOnce(
  server: FastifyInstance,
  finders: readonly FindAtHand[],
  { caches, countAnswer = () => {}, headers = {} }: AnsweringAtOnce,
): void {
  const dispatch = server.server.listeners('request') as RequestListener[]
  server.server.removeAllListeners('request')
  const always = Object.entries(headers)

  function goOn(request: IncomingMessage, response: ServerResponse): void {
    for (const listener of dispatch) listener(request, response)
  }

  function answer(atHand: AtHand, request: IncomingMessage, response: ServerResponse): void {
    const status = caches.stillHolds(atHand.recalled) ? atHand.send(request, response) : undefined
    if (status === undefined) goOn(request, response)
    else countAnswer(status)
  }

  function find(request: IncomingMessage): AtHand | undefined {
    for (const one of finders) {
      const found = one(request)
      if (found !== undefined) return found
    }
    return undefined
  }

  server.server.on('request', (request, response) => {
    for (const [name, value] of always) response.setHeader(name, value)
    // While it stops, every connection is told so by the ordinary way.
    const atHand = server.server.listening ? find(request) : undefined
    if (atHand === undefined) return goOn(request, response)
    const learning = caches.catchUp()
    if (learning === undefined) answer(atHand, request, response)
    else void learning.then(() => answer(atHand, request, response))
  })
}

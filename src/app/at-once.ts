/**
 * Answers that are at hand are given before anything else happens to a request: routing and hooks take
 * three times as long as sending bytes. Whatever is not at hand goes on to where it would have gone.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Headers } from './headers.js'

/** Answers the request, or returns undefined having touched nothing; returns the status that was sent. */
export type AnswerAtOnce = (request: IncomingMessage, response: ServerResponse) => number | undefined

/** `headers` are set on everything that comes this way, before anybody answers. */
export function mountAtOnce(
  server: FastifyInstance,
  answer: AnswerAtOnce,
  {
    countAnswer = () => {},
    headers = {},
  }: { readonly countAnswer?: ((status: number) => void) | undefined; readonly headers?: Headers },
): void {
  const dispatch = server.server.listeners('request') as RequestListener[]
  server.server.removeAllListeners('request')
  const always = Object.entries(headers)
  server.server.on('request', (request, response) => {
    for (const [name, value] of always) response.setHeader(name, value)
    // While it stops, every connection is told so by the ordinary way.
    const status = server.server.listening ? answer(request, response) : undefined
    if (status !== undefined) return countAnswer(status)
    for (const listener of dispatch) listener(request, response)
  })
}

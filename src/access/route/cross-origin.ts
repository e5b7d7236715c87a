/**
 * CORS: operations that pages of any origin may call, with a token or none. Cookies are not allowed with them, so a page
 * can do nothing there that a program could not.
 */
import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '../../contract/endpoint.js'

/** Sent with every answer of such an operation, errors too, so that the page can read it. */
export const crossOriginHeaders = { 'access-control-allow-origin': '*' }

/** Seconds for which a browser need not ask again. */
const maxAge = 86_400

/** Answers what browsers ask before they send a body of JSON to another origin. */
export function mountPreflight(server: FastifyInstance, { method, path }: Endpoint): void {
  server.options(path, { config: { anonymous: true, crossOrigin: true } }, async (_request, reply) =>
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': method,
        'access-control-allow-headers': 'authorization, content-type',
        'access-control-max-age': String(maxAge),
      })
      .send(),
  )
}

/**
 * Conditional JSON responses: a browser stores them, asks with their tag before each use, and gets 304 while nothing has
 * changed. Compressed once for each encoding; the tag is weak, so that it is the same for all of them.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caches } from '../../store/cache/caches.js'
import { cacheKind } from '../../store/cache/kinds.js'
import { isNotModified } from '../http/conditional-requests.js'
import { type Encoding, encode, encodingFor } from '../http/content-encoding.js'
import type { CachedJson } from './responses.js'

const compressedKind = cacheKind<Uint8Array>('compressed json', (bytes) => bytes.length)

export async function sendConditional(
  request: FastifyRequest,
  reply: FastifyReply,
  response: CachedJson & { readonly etag: string },
  caches: Caches,
): Promise<FastifyReply> {
  reply.headers({
    etag: response.etag,
    'cache-control': 'private, max-age=0, must-revalidate',
    vary: 'accept-encoding, authorization, cookie',
  })
  if (isNotModified(request.headers, response.etag))
    return reply.removeHeader('content-type').code(304).send()
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (encoding === undefined) return reply.send(response.json)
  return reply.header('content-encoding', encoding).send(await compressed(response, encoding, caches))
}

async function compressed(
  { json, cacheKind: { prefix }, key }: CachedJson,
  encoding: Encoding,
  caches: Caches,
): Promise<Uint8Array> {
  const encodedKey = `${encoding} ${prefix}${key}`
  let bytes = caches.find(compressedKind, encodedKey)
  if (bytes === undefined)
    caches.put(compressedKind, encodedKey, (bytes = await encode(json, encoding, 'records')))
  return bytes
}

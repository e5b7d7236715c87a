/** Sends files of the build, which exist compressed at the highest level, in the encoding that the client prefers. */
import { readFile } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, isNotModified } from '../../access/http/conditional-requests.js'
import { type Encoding, encodingFor } from '../../access/http/content-encoding.js'

/** Cached for ever: its address names its content. */
export const immutable = 'public, max-age=31536000, immutable'

export interface EncodedFile extends Readonly<Record<Encoding, Buffer>> {
  readonly plain: Buffer
  readonly contentType: string
}

/** Returns a file with the two compressed forms that the build put beside it. */
export async function readEncoded(file: URL, contentType: string): Promise<EncodedFile> {
  const [plain, br, gzip] = await Promise.all(
    ['', '.br', '.gz'].map((suffix) => readFile(new URL(`${file.href}${suffix}`))),
  )
  return { contentType, plain: plain!, br: br!, gzip: gzip! }
}

/** Sends a file; with a version, which identifies its content, conditional requests are answered 304. */
export function sendEncoded(
  request: FastifyRequest,
  reply: FastifyReply,
  file: EncodedFile,
  { cacheControl, version }: { readonly cacheControl: string; readonly version?: string },
): FastifyReply {
  const encoding = encodingFor(request.headers['accept-encoding'])
  reply.headers({
    vary: 'accept-encoding',
    'cache-control': cacheControl,
    'x-content-type-options': 'nosniff',
  })
  if (version !== undefined) {
    const etag = etagOf(encoding === undefined ? version : `${version}-${encoding}`)
    reply.header('etag', etag)
    if (isNotModified(request.headers, etag)) return reply.code(304).send()
  }
  reply.type(file.contentType)
  if (encoding === undefined) return reply.send(file.plain)
  return reply.header('content-encoding', encoding).send(file[encoding])
}

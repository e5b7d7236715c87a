/** Sending a version of a specification as a file, to whom it is open: that was decided before. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Hash } from '../../core/ids.js'
import { etagOf, isKnown } from '../../access/http/conditions.js'
import type { Services } from '../../access/route/scope.js'

export interface SentSpecification {
  readonly version: { readonly hash: Hash; readonly size: number }
  /** True for one that anybody may read. */
  readonly isForAll: boolean
}

export async function sendSpecification(
  { files }: Pick<Services, 'files'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { version: { hash, size }, isForAll }: SentSpecification,
): Promise<FastifyReply> {
  const etag = etagOf(hash)
  reply.headers({
    etag,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': `${isForAll ? 'public' : 'private'}, max-age=0, must-revalidate`,
    'x-content-type-options': 'nosniff',
    ...(isForAll && { 'access-control-allow-origin': '*' }),
  })
  if (isKnown(request.headers, etag)) return reply.code(304).send()
  reply.header('content-length', size)
  if (request.method === 'HEAD') return reply.send()
  const bytes = await files.open(hash)
  if (bytes === undefined) throw new Error(`The bytes ${hash} are missing from the file storage`)
  return reply.send(bytes)
}

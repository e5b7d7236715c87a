/** File response of a version of an OpenAPI specification. The caller has checked access. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Hash } from '../../core/ids.js'
import { etagOf, isNotModified } from '../../access/http/conditional-requests.js'
import type { Services } from '../../access/route/scope.js'

export interface SpecificationToSend {
  readonly version: { readonly hash: Hash; readonly size: number }
  /** True when everyone may read it. */
  readonly isPublic: boolean
}

export async function sendSpecification(
  { files }: Pick<Services, 'files'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { version: { hash, size }, isPublic }: SpecificationToSend,
): Promise<FastifyReply> {
  const etag = etagOf(hash)
  reply.headers({
    etag,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': `${isPublic ? 'public' : 'private'}, max-age=0, must-revalidate`,
    'x-content-type-options': 'nosniff',
    ...(isPublic && { 'access-control-allow-origin': '*' }),
  })
  if (isNotModified(request.headers, etag)) return reply.code(304).send()
  reply.header('content-length', size)
  if (request.method === 'HEAD') return reply.send()
  const bytes = await files.open(hash)
  if (bytes === undefined) throw new Error(`The bytes ${hash} are missing from the file storage`)
  return reply.send(bytes)
}
